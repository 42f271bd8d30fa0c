import type { Draft } from '../../storage/catalog/drafts.ts';
import { stageTexts, type StagedBatch, type StagedText } from './staging.ts';

/** One line of a run or of qrels, or one entry of the same in JSON. */
export interface PairEntry {
  readonly questionId: string;
  /** Undefined: the question is named without a document. */
  readonly documentId?: string | undefined;
  /** A score or a grade. */
  readonly value: number | null;
  /** Its rank, where a column of a run says it. */
  readonly rank?: number | undefined;
  /** Where it stands in a text; absent in JSON. */
  readonly line?: number | undefined;
}

export interface StagedPair {
  readonly documentId: string;
  readonly value: number | null;
  readonly rank?: number | undefined;
  /** Its line, or its number among the entries of JSON. */
  readonly place: number;
}

export interface StagedQuestion {
  /** The place where the question was named first. */
  readonly place: number;
  /** In the order of the file; at most `maxPairs` and one. */
  readonly pairs: readonly StagedPair[];
}

export interface StagedPairs {
  /** Whether places are lines. */
  readonly hasLines: boolean;
  /** Every question once with all its entries, some thousand entries at a time. Can be read again. */
  readonly read: () => AsyncGenerator<ReadonlyMap<string, StagedQuestion>>;
}

/**
 * Puts entries aside as they come, so that those of one question are found together. Without lines, their places are
 * counted from `before` on.
 */
export async function stagePairs(
  draft: Draft,
  entries: AsyncIterable<readonly PairEntry[]>,
  { maxPairs, before = 0 }: { readonly maxPairs: number; readonly before?: number },
): Promise<StagedPairs> {
  let hasLines = false;
  let index = before;
  const toText = ({ questionId, documentId, value, rank, line }: PairEntry): StagedText => {
    hasLines ||= line !== undefined;
    index += 1;
    const pair =
      documentId === undefined ? [] : [documentId, value, ...(rank === undefined ? [] : [rank])];
    return { questionId, text: JSON.stringify([questionId, line ?? index, ...pair]) };
  };
  async function* texts(): AsyncGenerator<readonly StagedText[]> {
    for await (const some of entries) yield some.map(toText);
  }
  const staged = await stageTexts(draft, texts());
  async function* read(): AsyncGenerator<ReadonlyMap<string, StagedQuestion>> {
    for await (const { questions } of staged.read(() => createBatch(maxPairs))) yield questions;
  }
  return { hasLines, read };
}

/** Small bodies come as one batch. */
const entriesPerBatch = 20_000;

interface PairBatch extends StagedBatch {
  readonly questions: ReadonlyMap<string, StagedQuestion>;
}

function createBatch(maxPairs: number): PairBatch {
  const questions = new Map<string, { readonly place: number; readonly pairs: StagedPair[] }>();
  let entries = 0;
  return {
    questions,
    isEmpty: () => entries === 0,
    isFull: () => entries >= entriesPerBatch,
    add(body) {
      for (const [id, place, documentId, value = null, rank = null] of JSON.parse(
        body,
      ) as StoredEntry[]) {
        const question = questions.get(id) ?? { place, pairs: [] };
        questions.set(id, question);
        entries += 1;
        if (documentId === undefined || question.pairs.length > maxPairs) continue;
        question.pairs.push({ documentId, value, place, ...(rank !== null && { rank }) });
      }
    },
  };
}

type StoredEntry = readonly [
  questionId: string,
  place: number,
  documentId?: string,
  value?: number | null,
  rank?: number | null,
];
