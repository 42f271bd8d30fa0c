/** The names that a statement may give as `:name`. */
export const statementParameters = ['question', 'depth', 'filters', 'user'] as const;

export type StatementParameter = (typeof statementParameters)[number];

/** A statement cut at its parameters: there is one text more than there are parameters. */
export interface ParsedStatement {
  readonly texts: readonly string[];
  readonly parameters: readonly StatementParameter[];
}

/** A statement that is not one SELECT. */
export class StatementError extends Error {
  override readonly name = 'StatementError';
}

/**
 * Reads a statement as tokens, and refuses all that is not surely one SELECT: other statements, comments, and strings
 * whose end depends on the settings of the server. The database has the last word, in a read-only transaction. It is no
 * parser of SQL, because each knows one dialect and refuses operators of vector searches.
 */
export function parseStatement(statement: string): ParsedStatement {
  const texts = [''];
  const parameters: StatementParameter[] = [];
  const words: string[] = [];
  for (const { kind, text } of tokenizeStatement(statement)) {
    if (kind === 'parameter') {
      parameters.push(toParameter(text.slice(1)));
      texts.push('');
      continue;
    }
    if (kind === 'word') words.push(text.toLowerCase());
    texts[texts.length - 1] += text;
  }
  refuseOthers(words);
  if (!parameters.includes('question')) throw new StatementError('must contain :question');
  return { texts, parameters };
}

type TokenKind = 'word' | 'parameter' | 'other';

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const blank = /\s+/y;
const literal = /'(?:[^']|'')*'/y;
const quotedName = /"(?:[^"]|"")*"/y;
const cast = /::/y;
const parameter = /:[A-Za-z_]\w*/y;
const word = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y;
const number = /\d+(?:\.\d+)?/y;
const symbol = /[-+*/<>=~!@#%^&|?.,()[\]:]/y;

const kinds: readonly (readonly [RegExp, TokenKind])[] = [
  [blank, 'other'],
  [literal, 'other'],
  [quotedName, 'other'],
  [cast, 'other'],
  [parameter, 'parameter'],
  [word, 'word'],
  [number, 'other'],
  [symbol, 'other'],
];

function* tokenizeStatement(statement: string): Generator<Token> {
  for (let place = 0; place < statement.length;) {
    const token = readToken(statement, place);
    yield token;
    place += token.text.length;
    // In E'…' a backslash may hide the end of the string.
    if (token.kind === 'word' && statement[place] === "'") {
      throw new StatementError(`has a string with the prefix ${token.text}, which is not allowed`);
    }
  }
}

function readToken(statement: string, place: number): Token {
  if (/^(?:--|\/\*)/.test(statement.slice(place, place + 2))) {
    throw new StatementError('has a comment, which is not allowed');
  }
  for (const [pattern, kind] of kinds) {
    pattern.lastIndex = place;
    const text = pattern.exec(statement)?.[0];
    if (text !== undefined) return { kind, text };
  }
  const found = statement[place] ?? '';
  if (found === ';') throw new StatementError('must be one statement, without ";"');
  if (found === "'" || found === '"') throw new StatementError(`has a ${found} without its end`);
  throw new StatementError(`has ${JSON.stringify(found)}, which is not allowed outside of strings`);
}

/** They would write or lock, wherever they stand. A column of such a name is written in double quotes. */
const refused = new Set(['insert', 'update', 'delete', 'merge', 'upsert', 'into', 'share']);

function refuseOthers(words: readonly string[]): void {
  if (words[0] !== 'select' && words[0] !== 'with') {
    throw new StatementError('must begin with SELECT or WITH');
  }
  const found = words.find((each) => refused.has(each));
  if (found === undefined) return;
  throw new StatementError(`must only read; "${found.toUpperCase()}" is not allowed`);
}

function toParameter(name: string): StatementParameter {
  const known = statementParameters.find((each) => each === name);
  if (known) return known;
  const names = statementParameters.map((each) => `:${each}`).join(', ');
  throw new StatementError(`has the unknown parameter :${name}; known are ${names}`);
}
