import { visit } from 'jsonc-parser';
import { parse } from 'secure-json-parse';

import { InterchangeError } from '../ir/interchange/interchange-error.ts';

/** Nothing that is read is nested deeper; what is would exhaust the stack of those who walk it. */
const maxDepth = 32;

/** More keys than any object here has; larger runs come as TREC text. */
const maxKeys = 250_000;

interface JsonPlace {
  readonly line: number;
  readonly column: number;
}

/** Text that is not JSON as it is read here: broken, with a key twice, too deep or too wide. */
export class JsonError extends InterchangeError {
  constructor(reason: string, place?: JsonPlace, cause?: unknown) {
    super(reason, { cause, ...(place && { line: place.line }) });
  }
}

/**
 * Parses JSON strictly: no key twice in an object, no keys that reach prototypes, a bounded depth and width.
 * A message says the line and the column and never repeats values, which may hold somebody's question.
 */
export function parseStrictJson(text: string): unknown {
  let value: unknown;
  try {
    value = parse(text);
  } catch (cause) {
    throw explain(text, cause);
  }
  const keys = countKeys(value, maxDepth);
  if (keys < countColons(text)) throw findRepeatedKey(text);
  return value;
}

function explain(text: string, cause: unknown): JsonError {
  const message = cause instanceof Error ? cause.message : '';
  if (message.includes('forbidden prototype property')) {
    const reason = 'has a forbidden key: "__proto__", or "constructor" with a "prototype" in it';
    return new JsonError(reason, undefined, cause);
  }
  const place = findBreak(text);
  if (!place) return new JsonError('is not valid JSON', undefined, cause);
  const at = `at line ${place.line}, column ${place.column}`;
  return new JsonError(`is not valid JSON ${at}${hintAt(text, place)}`, place, cause);
}

function findBreak(text: string): JsonPlace | undefined {
  let place: JsonPlace | undefined;
  visit(
    text,
    {
      onError: (...[, , , line, character]) => {
        place ??= { line: line + 1, column: character + 1 };
      },
    },
    { disallowComments: true },
  );
  return place;
}

/** What is known to go wrong there. */
function hintAt(text: string, { line, column }: JsonPlace): string {
  const lines = text.split('\n', line);
  const before = lines.slice(0, -1).join('\n');
  const rest = (lines.at(-1) ?? '').slice(column - 1).trimStart();
  if (rest.startsWith("'")) return ': JSON has double quotation marks';
  if (/^(NaN|-?Infinity|None|True|False)\b/.test(rest)) {
    return ': this is a value of another language; JSON has null, true, false and finite numbers';
  }
  if (/^(\/\/|\/\*|#)/.test(rest)) return ': JSON has no comments';
  if (line > 1 && /^[{[]/.test(rest) && isJson(before)) {
    return ': one JSON value ends before it; send one value per line as application/x-ndjson';
  }
  const isBehindComma = `${before}${(lines.at(-1) ?? '').slice(0, column - 1)}`
    .trimEnd()
    .endsWith(',');
  if (/^[\]}]/.test(rest) && isBehindComma) {
    return ': a comma must not stand before a closing bracket';
  }
  return '';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The keys of all objects. Refuses what is too deep or too wide. */
function countKeys(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth === 0) throw new JsonError(`is nested deeper than ${maxDepth} levels`);
  const inner = Object.values(value) as unknown[];
  const own = Array.isArray(value) ? 0 : inner.length;
  if (own > maxKeys) throw new JsonError(`has an object with more than ${maxKeys} keys`);
  return inner.reduce<number>((sum, one) => sum + countKeys(one, depth - 1), own);
}

/** Colons outside of strings: as many as the text has keys. */
function countColons(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x3a) count += 1;
    else if (code === 0x22) index = endOfString(text, index);
  }
  return count;
}

/** The closing quotation mark of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

function findRepeatedKey(text: string): JsonError {
  const open: Set<string>[] = [];
  let found: JsonPlace | undefined;
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (...[key, , , line, character]) => {
      const keys = open.at(-1);
      if (keys?.has(key) === true) found ??= { line: line + 1, column: character + 1 };
      keys?.add(key);
    },
  });
  const at = found === undefined ? '' : ` at line ${found.line}, column ${found.column}`;
  return new JsonError(`has a key twice in one object${at}: only one value can count`, found);
}
