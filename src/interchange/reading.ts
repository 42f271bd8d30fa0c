import { InterchangeError } from '../ir/interchange/interchange-error.ts';
import { TrecLineError } from '../ir/trec/trec-line-error.ts';
import { splitLineBatches } from './split-lines.ts';

/** Something that is wrong with a file. */
export interface Issue {
  /** From 1; absent in JSON. */
  readonly line?: number;
  /** JSON pointer to the place, where the file is one JSON value. */
  readonly pointer?: string;
  readonly detail: string;
}

/** Where something stands: a line, or a JSON pointer. */
export type Place = Omit<Issue, 'detail'>;

/** What a place of a file holds: an entry, or an issue. */
export type Reading<Value> = ({ readonly value: Value } & Place) | { readonly issue: Issue };

/** One judgment of a file. */
export interface JudgmentEntry {
  readonly questionId: string;
  /** Undefined: the question is named without a judgment. */
  readonly documentId?: string;
  readonly grade: number | null;
}

/** One hit of a run. */
export interface HitEntry {
  readonly questionId: string;
  /** Undefined: the search brought nothing back. */
  readonly documentId?: string;
  /** null: the order of the file counts. */
  readonly score: number | null;
  /** What a column says of its rank. */
  readonly rank?: number | undefined;
}

/** One question in the form of the service; who stores it checks the fields. */
export interface QuestionEntry {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Whether the file says nothing of judgments, so that those that are stored stay. */
  readonly isUnlabelled: boolean;
}

/** Reads one place of a file; what it refuses becomes an issue of its line. */
export function readPlace<Value>(
  place: Place,
  read: () => Value | undefined,
): Reading<Value> | undefined {
  try {
    const value = read();
    if (value === undefined) return undefined;
    return { value, ...place };
  } catch (error) {
    return { issue: toAppError(error, place) };
  }
}

/** Some readings in the order of the file: a step of an async generator costs more than reading a line. */
export type Readings<Value> = readonly Reading<Value>[];

/** Reads lines; what is refused becomes an issue of its line. */
export async function* readEachLine<Value>(
  texts: AsyncIterable<string>,
  parse: (line: string, isFirst: boolean) => Value | undefined,
): AsyncGenerator<Readings<Value>> {
  for await (const lines of splitLineBatches(texts)) {
    const readings: Reading<Value>[] = [];
    for (const { text, number: line } of lines) {
      const reading = readPlace({ line }, () => parse(text, line === 1));
      if (reading) readings.push(reading);
    }
    yield readings;
  }
}

function toAppError(error: unknown, place: Place): Issue {
  if (error instanceof TrecLineError) return { ...place, detail: error.message };
  if (!(error instanceof InterchangeError)) throw error;
  const inner = error.line === undefined ? {} : { line: error.line };
  return { ...place, ...inner, detail: error.reason };
}

/** Puts readings together that come one by one; those before an error come before it. */
export async function* gatherReadings<Value>(
  readings: AsyncIterable<Reading<Value>> | Iterable<Reading<Value>>,
): AsyncGenerator<Readings<Value>> {
  const readingsPerBatch = 500;
  let batch: Reading<Value>[] = [];
  try {
    for await (const reading of readings) {
      batch.push(reading);
      if (batch.length < readingsPerBatch) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    yield batch;
    throw error;
  }
  yield batch;
}

/** As `endWithIssue`, for readings that come together. */
export async function* endBatchesWithIssue<Value>(
  batches: AsyncIterable<Readings<Value>>,
): AsyncGenerator<Readings<Value>> {
  try {
    yield* batches;
  } catch (error) {
    yield [toLastIssue(error)];
  }
}

/** Runs a reader so that what ends the file becomes its last issue. */
export async function* endWithIssue<Value>(
  readings: AsyncIterable<Reading<Value>>,
): AsyncGenerator<Reading<Value>> {
  try {
    yield* readings;
  } catch (error) {
    yield toLastIssue(error);
  }
}

/** As `endWithIssue`, for a file that was parsed whole. */
export function* endJsonWithIssue<Value>(
  readings: Iterable<Reading<Value>>,
): Generator<Reading<Value>> {
  try {
    yield* readings;
  } catch (error) {
    yield toLastIssue(error);
  }
}

function toLastIssue(error: unknown): { readonly issue: Issue } {
  if (!(error instanceof InterchangeError)) throw error;
  const { line, pointer, reason: detail } = error;
  return {
    issue: {
      ...(line !== undefined && { line }),
      ...(pointer !== undefined && { pointer }),
      detail,
    },
  };
}

/** A part of a JSON pointer. */
export function toPointer(...path: readonly (string | number)[]): string {
  return path
    .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
