import { addBit, type Bitmap, createBitmap } from '../../../src/retrieval/backends/local/bitmap.ts';
import { readQuestion } from '../../../src/retrieval/backends/local/local-question.ts';
import {
  scoreByBm25,
  scoreByConcepts,
} from '../../../src/retrieval/backends/local/score-chunks.ts';
import { getTouched } from '../../../src/retrieval/backends/local/scoreboard.ts';
import type { FilterTree, SearchFilter } from '../../../src/model/filters.ts';
import { matchesFilter } from '../../../src/retrieval/match-filter.ts';
import { compareByScore, type FoundChunk } from './found-chunk.ts';
import type { SearchableChunk, SearchableRepository } from './stub-repository.ts';

/** A chunk that was found, with what a re-ranker needs to find it again. */
export interface RetrievedChunk extends FoundChunk {
  readonly source: { readonly repository: SearchableRepository; readonly chunk: number };
}

export type FilterOutcome =
  | { readonly chunks: readonly RetrievedChunk[] }
  | { readonly error: { readonly message: string } };

/** What a filter without counts brings back at most. */
const defaultChunkCount = 10;

/** Searches the repositories that a filter names: best chunks first. It fails on metadata keys that none of them has. */
export function runFilter(
  repositories: readonly SearchableRepository[],
  filter: SearchFilter,
  question: string,
): FilterOutcome {
  const named = repositories.filter((repository) => isNamed(repository, filter));
  const unknownKeys = listUnknownKeys(named, filter);
  if (unknownKeys.length > 0) {
    const keys = unknownKeys.map((key) => `'${key}'`).join(', ');
    const message = `Filter refused: the key {${keys}} cannot be searched here (query 1.0).`;
    return { error: { message } };
  }
  const found = named.flatMap((repository) => searchRepository(repository, filter, question));
  return { chunks: cut(found.toSorted(compareByScore), filter) };
}

function isNamed({ id, type }: SearchableRepository, filter: SearchFilter): boolean {
  const { dataRepositories = ['*'], dataRepositoryType = 'vector' } = filter;
  if (type !== dataRepositoryType || !Array.isArray(dataRepositories)) return false;
  return dataRepositories.includes('*') || dataRepositories.includes(id);
}

function listUnknownKeys(
  repositories: readonly SearchableRepository[],
  { documentMetadata = [], chunkMetadata = [], filter }: SearchFilter,
): readonly string[] {
  const conditions = [
    ...documentMetadata.map((condition) => ({ ...condition, scope: 'document' as const })),
    ...chunkMetadata.map((condition) => ({ ...condition, scope: 'chunk' as const })),
    ...(filter ? listConditions(filter) : []),
  ];
  const unknown = conditions.filter(({ key, scope, selectMode }) => {
    if (repositories.length === 0 || scope === 'repository') return false;
    if (selectMode?.includes('ignoreIfKeyAbsent')) return false;
    return !repositories.some(({ documentKeys, chunkKeys }) =>
      (scope === 'document' ? documentKeys : chunkKeys).has(key),
    );
  });
  return [...new Set(unknown.map(({ key }) => key))];
}

type ScopedCondition = Exclude<FilterTree, { readonly operator: unknown }>;

function listConditions(tree: FilterTree): readonly ScopedCondition[] {
  if (!('operator' in tree)) return [tree];
  return [...listConditions(tree.left), ...listConditions(tree.right)];
}

/**
 * The dense score is the cosine of concepts where the lexicon has any, else BM25 brought below 1. Scores of
 * 0 are not found.
 */
function searchRepository(
  repository: SearchableRepository,
  filter: SearchFilter,
  text: string,
): readonly RetrievedChunk[] {
  const { index } = repository;
  const question = readQuestion(index, text);
  const board = index.workspace.chunks;
  const hasConcepts = index.lexicon.conceptCount > 0;
  const options = { allowed: matchChunks(repository, filter), board };
  if (hasConcepts) scoreByConcepts(index, question, options);
  else scoreByBm25(index, question, { ...options, ...repository.bm25 });
  return Array.from(getTouched(board).toSorted(), (chunk) => {
    const score = board.scores[chunk] as number;
    return toFound(repository, chunk, hasConcepts ? score : score / (score + 1));
  });
}

function matchChunks({ metadata, chunks }: SearchableRepository, filter: SearchFilter): Bitmap {
  const allowed = createBitmap(chunks.length);
  for (const [number, chunk] of chunks.entries()) {
    const levels = {
      repository: metadata,
      document: chunk.document.metadata,
      chunk: chunk.metadata,
    };
    if (matchesFilter(filter, levels)) addBit(allowed, number);
  }
  return allowed;
}

function toFound(repository: SearchableRepository, chunk: number, score: number): RetrievedChunk {
  const { id, content, metadata, document } = repository.chunks[chunk] as SearchableChunk;
  return {
    id,
    content,
    metadata,
    document,
    repository,
    searchScores: repository.type === 'vector' ? { aggregated: score, dense: score } : null,
    postProcessingScore: null,
    source: { repository, chunk },
  };
}

/** `maxDocumentCount` leaves one chunk a document. */
function cut(
  ranked: readonly RetrievedChunk[],
  { searchConfiguration }: SearchFilter,
): readonly RetrievedChunk[] {
  const { maxChunkCount, maxDocumentCount } = searchConfiguration ?? {};
  if (typeof maxDocumentCount !== 'number') {
    return ranked.slice(0, maxChunkCount ?? defaultChunkCount);
  }
  const bestOfDocuments = new Map<string, RetrievedChunk>();
  for (const chunk of ranked) {
    if (!bestOfDocuments.has(chunk.document.id)) bestOfDocuments.set(chunk.document.id, chunk);
  }
  return [...bestOfDocuments.values()].slice(0, maxDocumentCount);
}
