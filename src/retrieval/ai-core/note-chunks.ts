import type { OutcomeNotes } from '../../model/outcome.ts';
import type { FoundChunk } from './found-chunk.ts';

/** What the ranked chunks themselves tell of how an answer was read. */
export function noteChunks(
  chunks: readonly FoundChunk[],
): Pick<OutcomeNotes, 'scoreSources' | 'keys' | 'unmappedKeys' | 'severalValues' | 'sharedIds'> {
  return {
    scoreSources: unique(chunks.map(({ scoreSource }) => scoreSource)),
    keys: listKeys(chunks),
    unmappedKeys: listKeys(chunks.filter(({ documentId }) => documentId === null)),
    severalValues: chunks.filter(({ hasOtherIds }) => hasOtherIds).length,
    sharedIds: listSharedIds(chunks),
  };
}

/** Enough to recognise what was indexed. */
export const maxNoted = 30;

function listKeys(chunks: readonly FoundChunk[]): readonly string[] {
  return unique(chunks.flatMap(({ keys }) => keys)).slice(0, maxNoted);
}

function listSharedIds(chunks: readonly FoundChunk[]): readonly string[] {
  const sources = new Map<string, Set<string>>();
  for (const { documentId, source } of chunks) {
    if (documentId === null || source === null) continue;
    const known = sources.get(documentId) ?? new Set();
    sources.set(documentId, known.add(source));
  }
  const shared = [...sources].flatMap(([documentId, known]) => (known.size > 1 ? documentId : []));
  return shared.slice(0, maxNoted);
}

function unique<Item>(items: readonly Item[]): readonly Item[] {
  return [...new Set(items)];
}
