import type { PairEntry, StagedPair, StagedQuestion } from './stage-pairs.ts';

export interface GroupLimits {
  /** Pairs of one question that are kept, and one more, which shows that there are too many. */
  readonly maxPairs: number;
  /** Questions that are remembered, so that one that comes again is recognized. */
  readonly maxQuestions?: number;
}

/** Questions with all their entries. */
type Questions = ReadonlyMap<string, StagedQuestion>;

/** Some questions, and whether their places are lines. */
export interface QuestionGroup {
  readonly questions: Questions;
  readonly hasLines: boolean;
}

/** The entries that remain to be staged. */
export interface Rest {
  readonly entries: AsyncIterable<readonly PairEntry[]>;
  /** How many entries precede these. */
  readonly before: number;
}

/** Entries at which a batch is full. */
const entriesPerBatch = 20_000;

/** About 100 bytes each. */
const usualMaxQuestions = 500_000;

/**
 * Groups entries by question while those of each question stand together, as in most files. Yields the questions of some
 * thousand entries at a time. Returns what is left when a question comes again or more questions came than are
 * remembered; undefined: nothing is left.
 */
export async function* groupByQuestion(
  entries: AsyncIterator<readonly PairEntry[]>,
  { maxPairs, maxQuestions = usualMaxQuestions }: GroupLimits,
): AsyncGenerator<QuestionGroup, Rest | undefined> {
  const seen = new Set<string>();
  let batch = new Map<string, { readonly place: number; readonly pairs: StagedPair[] }>();
  let hasLines = false;
  let [before, index] = [0, 0];
  let current: string | undefined;
  let pairs: StagedPair[] = [];
  for (let next = await entries.next(); next.done !== true; next = await entries.next()) {
    for (const [at, { questionId, documentId, value, rank, line }] of next.value.entries()) {
      const isNext = questionId !== current;
      if (isNext && (seen.has(questionId) || seen.size === maxQuestions)) {
        const kept = [...toEntries(batch, hasLines), ...next.value.slice(at)];
        return { entries: chain(kept, entries), before };
      }
      if (isNext && index - before >= entriesPerBatch) {
        yield { questions: batch, hasLines };
        before = index;
        batch = new Map();
      }
      if (isNext) {
        hasLines ||= line !== undefined;
        pairs = [];
        current = toOwnText(questionId);
        batch.set(current, { place: line ?? index + 1, pairs });
        seen.add(current);
      }
      index += 1;
      if (documentId === undefined || pairs.length > maxPairs) continue;
      pairs.push({ documentId, value, place: line ?? index, rank });
    }
  }
  if (batch.size > 0) yield { questions: batch, hasLines };
  return undefined;
}

/** A text that does not keep the chunk in memory that it was cut from. */
function toOwnText(text: string): string {
  return ` ${text}`.slice(1);
}

function* toEntries(questions: Questions, hasLines: boolean): Generator<PairEntry> {
  for (const [questionId, { place, pairs }] of questions) {
    if (pairs.length === 0) yield { questionId, value: null, ...(hasLines && { line: place }) };
    for (const { documentId, value, rank, place: line } of pairs) {
      yield { questionId, documentId, value, rank, ...(hasLines && { line }) };
    }
  }
}

async function* chain(
  kept: readonly PairEntry[],
  rest: AsyncIterator<readonly PairEntry[]>,
): AsyncGenerator<readonly PairEntry[]> {
  yield kept;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}
