import { compareByCodePoint } from '../../../src/ir/compare-ids.ts';
import type { Metadata } from '../../../src/retrieval/match-filter.ts';
import { compareByScore, type FoundChunk } from './found-chunk.ts';
import type {
  ChunkResult,
  DocumentResult,
  KeyValues,
  RepositoryResult,
} from './retrieval-answer.ts';

/**
 * Groups chunks as SAP's answer does: repository, document, chunk. Only the chunks of one document stand in
 * the order of their scores. The groups stand in the order of their ids, except that the best one is never
 * the first of several, so that a reader who takes the order of the answer for the ranking is found out.
 */
export function groupChunks(chunks: readonly FoundChunk[]): readonly RepositoryResult[] {
  const ranked = chunks.toSorted(compareByScore);
  return groupBy(ranked, ({ repository }) => repository.id).map((ofRepository) => {
    const { id, title, metadata } = ofRepository[0].repository;
    const documents = groupBy(ofRepository, ({ document }) => document.id).map(toDocument);
    return { dataRepository: { id, title, metadata: listKeyValues(metadata), documents } };
  });
}

type Group = readonly [FoundChunk, ...FoundChunk[]];

function groupBy(
  ranked: readonly FoundChunk[],
  readId: (chunk: FoundChunk) => string,
): readonly Group[] {
  const groups = new Map<string, [FoundChunk, ...FoundChunk[]]>();
  for (const chunk of ranked) {
    const group = groups.get(readId(chunk));
    if (group) group.push(chunk);
    else groups.set(readId(chunk), [chunk]);
  }
  const [bestId] = groups.keys();
  const byId = [...groups].toSorted(([a], [b]) => compareByCodePoint(a, b));
  const [first, ...others] = byId;
  const shuffled = first && first[0] === bestId ? [...others, first] : byId;
  return shuffled.map(([, group]) => group);
}

function toDocument(chunks: Group): DocumentResult {
  const { id, metadata } = chunks[0].document;
  return {
    id,
    metadata: listKeyValues(metadata).map((pair) => ({ ...pair, matchMode: 'ANY' })),
    chunks: chunks.map(toChunk),
  };
}

function toChunk({
  id,
  content,
  metadata,
  searchScores,
  postProcessingScore,
}: FoundChunk): ChunkResult {
  return {
    id,
    content,
    metadata: listKeyValues(metadata),
    ...(searchScores && {
      searchScores: {
        aggregatedScore: { value: searchScores.aggregated },
        denseRetrievalScore: { value: searchScores.dense },
      },
    }),
    ...(postProcessingScore !== null && { postProcessingScore: { value: postProcessingScore } }),
  };
}

/** Metadata in the form that the API writes it. */
export function listKeyValues(metadata: Metadata): readonly KeyValues[] {
  return Object.entries(metadata).map(([key, value]) => ({ key, value }));
}
