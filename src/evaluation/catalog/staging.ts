import { setImmediate } from 'node:timers/promises';

import {
  insertParts,
  streamParts,
  renewDraft,
  writeDraft,
  type Draft,
} from '../../storage/catalog/drafts.ts';
import { createYieldToEventLoop } from '../../yield-to-event-loop.ts';

/** An entry of a body as JSON, and the question that it belongs to. */
export interface StagedText {
  readonly questionId: string;
  readonly text: string;
}

/** The content of some buckets, assembled by the caller. */
export interface StagedBatch {
  /** Takes a JSON list of the entries of one bucket. */
  readonly add: (body: string) => void;
  readonly isEmpty: () => boolean;
  /** Whether it holds as much as is to be in memory at a time. */
  readonly isFull: () => boolean;
}

export interface StagedTexts {
  /** All entries, those of one question in one batch. Can be read again. */
  readonly read: <Batch extends StagedBatch>(create: () => Batch) => AsyncGenerator<Batch>;
}

/** So many that one bucket of the largest body is some megabytes. */
const bucketCount = 256;

/** What is written in one step: little enough for some milliseconds. */
const bucketsPerStep = 64;

/** What is kept in memory before it is written. A body that is smaller is never written. */
const maxKeptLength = 4_000_000;

/**
 * Puts entries aside as they come, spread over buckets by their question, so that the entries of one
 * question are found together whatever their order, and no more than a bucket of them is in memory. This
 * takes one pass over what was written, where a table of questions would be written again and again by
 * lines that are sorted by rank.
 */
export async function stageTexts(
  draft: Draft,
  entries: AsyncIterable<readonly StagedText[]>,
): Promise<StagedTexts> {
  const buckets = createBuckets();
  const yieldToEventLoop = createYieldToEventLoop();
  let part = 0;
  for await (const some of entries) {
    await yieldToEventLoop();
    for (const { questionId, text } of some) buckets.add(bucketOf(questionId), text);
    if (buckets.length() < maxKeptLength) continue;
    await writeBuckets(draft, buckets.take(), part);
    part += 1;
  }
  const kept = buckets.take();
  return { read: (create) => readBuckets(draft, kept, create) };
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
    // SQLite writes at once: without a pause all steps would be one.
    await setImmediate();
  }
}

async function* readBuckets<Batch extends StagedBatch>(
  draft: Draft,
  kept: readonly string[],
  create: () => Batch,
): AsyncGenerator<Batch> {
  const yieldToEventLoop = createYieldToEventLoop();
  let batch = create();
  for (const [bucket, last] of kept.entries()) {
    for await (const body of streamParts(draft.db, draft.id, bucket)) {
      batch.add(body);
      await yieldToEventLoop();
    }
    batch.add(last);
    await yieldToEventLoop();
    if (!batch.isFull()) continue;
    await renewDraft(draft.db, draft);
    yield batch;
    batch = create();
  }
  if (!batch.isEmpty()) yield batch;
}
