import { InterchangeError } from '../ir/interchange/interchange-error.ts';
import type { FileKind } from './formats.ts';

/** What a column of a table can hold. */
export type ColumnRole =
  | 'questionId'
  | 'question'
  | 'document'
  | 'grade'
  | 'score'
  | 'rank'
  | 'kind'
  | 'process'
  | 'language'
  | 'user'
  | 'split'
  | 'tags'
  | 'answerable';

/** Names of columns, in lower case with letters and digits alone. The first that a header has counts. */
const names: Readonly<Record<ColumnRole, readonly string[]>> = {
  questionId: ['questionid', 'queryid', 'qid', 'topicid', 'id'],
  question: ['question', 'query', 'text', 'userinput', 'topic'],
  document: ['document', 'documentid', 'docid', 'doc', 'docno', 'corpusid', 'pid'],
  grade: ['grade', 'rating', 'relevance', 'label', 'judgment', 'judgement', 'rel', 'score'],
  score: ['score'],
  rank: ['rank', 'position'],
  kind: ['kind'],
  process: ['process'],
  language: ['language'],
  user: ['user'],
  split: ['split'],
  tags: ['tags'],
  answerable: ['answerable'],
};

const rolesByKind: Readonly<Record<FileKind, readonly ColumnRole[]>> = {
  judgments: ['questionId', 'question', 'document', 'grade'],
  run: ['questionId', 'question', 'document', 'score', 'rank'],
  questions: [
    'questionId',
    'question',
    'document',
    'grade',
    'kind',
    'process',
    'language',
    'user',
    'split',
    'tags',
    'answerable',
  ],
};

export interface Columns {
  /** The index of each column that is there. */
  readonly places: Readonly<Partial<Record<ColumnRole, number>>>;
  readonly count: number;
  /** Names of columns that nothing is made of. */
  readonly ignored: readonly string[];
}

/** The columns of a header; undefined where a needed one is missing. Throws for a name that comes twice. */
export function findColumns(header: readonly string[], kind: FileKind): Columns | undefined {
  const plain = header.map(toPlainName);
  const places: Partial<Record<ColumnRole, number>> = {};
  for (const role of rolesByKind[kind]) {
    const name = names[role].find((one) => plain.includes(one));
    if (name !== undefined) places[role] = plain.indexOf(name);
  }
  if (!hasNeeded(places, kind, header.length)) return undefined;
  const twice = plain.find((name, index) => name !== '' && plain.indexOf(name) !== index);
  if (twice !== undefined) throw new InterchangeError(`the header has the column '${twice}' twice`);
  const used = new Set(Object.values(places));
  const ignored = header.filter((name, index) => !used.has(index) && name.trim() !== '');
  return { places, count: header.length, ignored };
}

/** Whether the first line of a text is a header with the columns that are needed. */
export function hasHeader(head: string, kind: FileKind): boolean {
  const delimiter = findDelimiter(head);
  const first = head.replace(/^sep=.\r?\n/i, '').split('\n', 1)[0] ?? '';
  const header = first
    .trimEnd()
    .split(delimiter)
    .map((name) => name.replace(/^"(.*)"$/, '$1'));
  const plain = header.map(toPlainName);
  if (new Set(plain).size < plain.length) return hasHeaderTwice(plain, kind);
  return findColumns(header, kind) !== undefined;
}

/** The delimiter of a table: the one that `sep=` names, else the most frequent of the first line. */
export function findDelimiter(head: string): string {
  const named = /^sep=(.)\r?\n/i.exec(head)?.[1];
  if (named !== undefined) return named;
  const first = head.split('\n', 1)[0] ?? '';
  const counts = [',', ';', '\t'].map((char) => ({ char, count: first.split(char).length }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.char ?? ',';
}

function hasHeaderTwice(plain: readonly string[], kind: FileKind): boolean {
  return findColumns([...new Set(plain)], kind) !== undefined;
}

function hasNeeded(
  places: Readonly<Partial<Record<ColumnRole, number>>>,
  kind: FileKind,
  count: number,
): boolean {
  const { questionId, question, document, grade, score, rank } = places;
  if (kind === 'questions') return question !== undefined;
  const isAsked = questionId !== undefined || question !== undefined;
  if (!isAsked || document === undefined) return false;
  if (kind === 'run') return score !== undefined || rank !== undefined;
  // Of a third column nobody knows whether its name is misspelt.
  return grade !== undefined || count === 2;
}

function toPlainName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
