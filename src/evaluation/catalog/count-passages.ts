import { splitDocument } from '../../retrieval/backends/local/chunking.ts';
import type { Chunking } from '../../model/search-configuration.ts';
import type { CorpusDocument } from '../../storage/catalog/corpora.ts';
import { createYieldToEventLoop } from '../../yield-to-event-loop.ts';

/** How many passages each chunking makes of the documents, in its order. Reads them once. */
export async function countPassages(
  documents: AsyncIterable<CorpusDocument>,
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

function countOf(document: CorpusDocument, chunking: Chunking): number {
  if (chunking.strategy === 'whole') return 1;
  if (chunking.strategy === 'sections') return document.paragraphs.length;
  return [...splitDocument(document, chunking)].length;
}
