import type { Chunking } from '../../../model/search-configuration.ts';
import { createYieldToEventLoop } from '../../../yield-to-event-loop.ts';
import type { LocalDocument } from './local-document.ts';

export interface Chunk {
  /** Without the title, whether or not the chunk is searched by it. */
  readonly text: string;
  /** The paragraphs, from 0, of which the chunk holds text. */
  readonly paragraphs: readonly number[];
}

/**
 * Cuts one document: `whole` makes one chunk, `sections` one a paragraph, `fixed` windows of `size` words.
 * It does so lazily, so that a long document never has to be cut in one go.
 */
export function splitDocument(document: LocalDocument, chunking: Chunking): Iterable<Chunk> {
  if (chunking.strategy === 'fixed') return splitIntoWindows(document, chunking.size);
  if (chunking.strategy === 'whole') return [splitWhole(document)];
  return document.paragraphs.map((text, index) => ({ text, paragraphs: [index] }));
}

/** Whether a chunk is searched by its document's title too. */
export function isSearchedByTitle(chunking: Chunking): boolean {
  return chunking.strategy !== 'fixed';
}

export function isSameChunking(a: Chunking, b: Chunking): boolean {
  return a.strategy === b.strategy && windowSize(a) === windowSize(b);
}

/** How many passages each chunking makes of the documents, in its order. Reads them once. */
export async function countPassages(
  documents: AsyncIterable<LocalDocument>,
  chunkings: readonly Chunking[],
): Promise<readonly number[]> {
  const yieldToEventLoop = createYieldToEventLoop();
  const counts = chunkings.map(() => 0);
  for await (const document of documents) {
    for (const [index, chunking] of chunkings.entries()) {
      counts[index] = (counts[index] ?? 0) + countOf(document, chunking);
    }
    await yieldToEventLoop();
  }
  return counts;
}

function windowSize(chunking: Chunking): number | null {
  return chunking.strategy === 'fixed' ? chunking.size : null;
}

function splitWhole({ paragraphs }: LocalDocument): Chunk {
  const withText = [...paragraphs.keys()].filter((index) => paragraphs[index]?.trim());
  return { text: paragraphs.join(' '), paragraphs: withText };
}

function* splitIntoWindows({ paragraphs }: LocalDocument, size: number): Iterable<Chunk> {
  let words: string[] = [];
  let origins = new Set<number>();
  for (const [index, paragraph] of paragraphs.entries()) {
    for (const [word] of paragraph.matchAll(/\S+/g)) {
      words.push(word);
      origins.add(index);
      if (words.length < size) continue;
      yield { text: words.join(' '), paragraphs: [...origins] };
      words = [];
      origins = new Set();
    }
  }
  if (words.length > 0) yield { text: words.join(' '), paragraphs: [...origins] };
}

function countOf(document: LocalDocument, chunking: Chunking): number {
  if (chunking.strategy === 'whole') return 1;
  if (chunking.strategy === 'sections') return document.paragraphs.length;
  return [...splitDocument(document, chunking)].length;
}
