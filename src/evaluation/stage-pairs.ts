import { insertParts, streamParts, touchDraft, writeDraft, type Draft } from '../storage/drafts.ts';
import { createBreather } from './breather.ts';

/** One line of a run or of qrels, or one entry of the same in JSON. */
export interface PairEntry {
  readonly questionId: string;
  /** Undefined: the question is named without a document. */
  readonly documentId?: string | undefined;
  /** A score or a grade. */
  readonly value: number | null;
  /** Where it stands in a text; absent in JSON. */
  readonly line?: number | undefined;
}

export interface StagedPair {
  readonly documentId: string;
  readonly value: number | null;
  /** Its line, or its number among the entries of JSON. */
  readonly place: number;
}

export interface StagedQuestion {
  /** The place where the question was named first. */
  readonly place: number;
  /** In the order they came; at most `maxPairs` and one. */
  readonly pairs: readonly StagedPair[];
}

export interface StagedPairs {
  /** Whether places are lines. */
  readonly hasLines: boolean;
  /** Every question once with all that came for it, some thousand entries at a time. Can be read again. */
  readonly read: () => AsyncGenerator<ReadonlyMap<string, StagedQuestion>>;
}

/** So many that one bucket of the largest body is some megabytes. */
const bucketCount = 256;

/** What is written in one step: little enough for some milliseconds. */
const bucketsPerStep = 64;

/** What is kept in memory before it is written. A body that is smaller is never written. */
const maxKeptLength = 4_000_000;

/**
 * Puts entries aside as they come, spread over buckets by their question, so that the entries of one
 * question are found together whatever the order of the lines, and no more than a bucket of them is in
 * memory. This takes one pass over what was written, where a table of questions would be written again and
 * again by lines that are sorted by rank.
 */
export async function stagePairs(
  draft: Draft,
  entries: AsyncIterable<PairEntry>,
  { maxPairs }: { readonly maxPairs: number },
): Promise<StagedPairs> {
  const buckets = createBuckets();
  let hasLines = false;
  let index = 0;
  let part = 0;
  for await (const { questionId, documentId, value, line } of entries) {
    hasLines ||= line !== undefined;
    index += 1;
    const entry = [
      questionId,
      line ?? index,
      ...(documentId === undefined ? [] : [documentId, value]),
    ];
    buckets.add(bucketOf(questionId), JSON.stringify(entry));
    if (buckets.length() < maxKeptLength) continue;
    await writeBuckets(draft, buckets.take(), part);
    part += 1;
  }
  const kept = buckets.take();
  return { hasLines, read: () => readBuckets(draft, kept, maxPairs) };
}

interface Buckets {
  readonly add: (bucket: number, entry: string) => void;
  readonly length: () => number;
  /** The bodies by bucket; it is empty afterwards. */
  readonly take: () => readonly string[];
}

function createBuckets(): Buckets {
  let buckets = createLists();
  let length = 0;
  return {
    add(bucket, entry) {
      buckets[bucket]?.push(entry);
      length += entry.length;
    },
    length: () => length,
    take() {
      const bodies = buckets.map((entries) => `[${entries.join(',')}]`);
      buckets = createLists();
      length = 0;
      return bodies;
    },
  };
}

function createLists(): readonly string[][] {
  return Array.from({ length: bucketCount }, () => []);
}

/** FNV-1a, spread over the buckets. */
function bucketOf(questionId: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < questionId.length; index += 1) {
    hash = Math.imul(hash ^ questionId.charCodeAt(index), 0x01000193);
  }
  return (hash ^ (hash >>> 16)) & (bucketCount - 1);
}

async function writeBuckets(draft: Draft, bodies: readonly string[], part: number): Promise<void> {
  for (let start = 0; start < bucketCount; start += bucketsPerStep) {
    const parts = bodies
      .slice(start, start + bucketsPerStep)
      .map((body, index) => ({ bucket: start + index, part, body }));
    await writeDraft(draft, (trx) => insertParts(trx, draft.id, parts));
  }
}

async function* readBuckets(
  draft: Draft,
  kept: readonly string[],
  maxPairs: number,
): AsyncGenerator<ReadonlyMap<string, StagedQuestion>> {
  const breathe = createBreather();
  let batch = createBatch(maxPairs);
  for (const [bucket, last] of kept.entries()) {
    for await (const body of streamParts(draft.db, draft.id, bucket)) {
      batch.add(body);
      await breathe();
    }
    batch.add(last);
    await breathe();
    if (batch.entries() < entriesPerBatch) continue;
    await touchDraft(draft.db, draft);
    yield batch.questions;
    batch = createBatch(maxPairs);
  }
  if (batch.entries() > 0) yield batch.questions;
}

/** Small bodies come as one batch. */
const entriesPerBatch = 20_000;

interface Batch {
  readonly questions: ReadonlyMap<string, StagedQuestion>;
  readonly entries: () => number;
  readonly add: (body: string) => void;
}

function createBatch(maxPairs: number): Batch {
  const questions = new Map<string, { readonly place: number; readonly pairs: StagedPair[] }>();
  let entries = 0;
  return {
    questions,
    entries: () => entries,
    add(body) {
      for (const [id, place, documentId, value = null] of JSON.parse(body) as StoredEntry[]) {
        const question = questions.get(id) ?? { place, pairs: [] };
        questions.set(id, question);
        entries += 1;
        if (documentId === undefined || question.pairs.length > maxPairs) continue;
        question.pairs.push({ documentId, value, place });
      }
    },
  };
}

type StoredEntry = readonly [
  questionId: string,
  place: number,
  documentId?: string,
  value?: number | null,
];
