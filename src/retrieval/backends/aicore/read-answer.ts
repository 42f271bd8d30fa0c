import type { FoundChunk } from '../../ai-core/found-chunk.ts';
import { noteChunks } from '../../ai-core/note-chunks.ts';
import type { OutcomeNotes } from '../../../model/outcome.ts';
import type { RetrievedHit } from '../../retriever.ts';
import type { ReadDocumentId } from './document-id-reader.ts';
import { findChunks } from './found-chunks.ts';
import { rankDocuments } from '../../ai-core/rank-documents.ts';
import type { AnswerEntry, SearchAnswer } from './search-answer.ts';

/** The parts of the request that are needed to read the answer. */
export interface SentSearch {
  readonly filterIds: readonly string[];
  /** The last root operation of the post-processing, whose result is the ranking; undefined: there is none. */
  readonly operationId: string | undefined;
}

export interface AnswerReading {
  readonly hits: readonly RetrievedHit[];
  readonly notes: OutcomeNotes;
  /** Filters and operations that failed inside a successful answer. */
  readonly failures: readonly { readonly filterId: string | null; readonly message: string }[];
  /** Chunks that the filters found, before any post-processing. */
  readonly foundByFilters: number;
}

/**
 * Reads the ranking off an answer: the last root operation's where there is post-processing, else that of
 * all filters together. Chunks come grouped by repository and document, so their order means nothing.
 */
export function readAnswer(
  { results }: SearchAnswer,
  sent: SentSearch,
  readDocumentId: ReadDocumentId,
): AnswerReading {
  const failures = results.flatMap(findFailure);
  const ranking = results.filter(({ filterId }) => isRanked(filterId, sent));
  const chunks = findChunks(ranking, readDocumentId);
  const byFilters = results.filter(({ filterId }) => isFilter(filterId, sent));
  return {
    hits: rankDocuments(chunks),
    notes: takeNotes(results, chunks, sent),
    failures: [...failures, ...findLostOperation(results, sent), ...findLostFilters(results, sent)],
    foundByFilters: byFilters.reduce((sum, entry) => sum + countChunks(entry), 0),
  };
}

function isRanked(filterId: string | null, { operationId }: SentSearch): boolean {
  return operationId === undefined || filterId === operationId;
}

function isFilter(filterId: string | null, { filterIds }: SentSearch): boolean {
  return filterId !== null && filterIds.includes(filterId);
}

/** SAP's description lets both be absent, which would make a failure look like an empty result. */
function findFailure({ filterId, error, hasResults }: AnswerEntry): AnswerReading['failures'] {
  if (error !== undefined) return [{ filterId, message: error }];
  if (hasResults) return [];
  return [{ filterId, message: 'its entry has neither a list of results nor an error' }];
}

/** An answer without chunks and without an entry for anything that was sent is not the answer to this search. */
function findLostFilters(
  results: readonly AnswerEntry[],
  { filterIds, operationId }: SentSearch,
): AnswerReading['failures'] {
  const sent = new Set<string | null | undefined>([...filterIds, operationId]);
  const isAnswered = results.some(({ filterId }) => sent.has(filterId));
  if (isAnswered || results.some((entry) => countChunks(entry) > 0)) return [];
  return filterIds.map((filterId) => ({
    filterId,
    message: 'the response has no entry for this filter',
  }));
}

/** Chunks that no operation ordered are no ranking: an answer that has them alone has lost it. */
function findLostOperation(
  results: SearchAnswer['results'],
  { operationId }: SentSearch,
): AnswerReading['failures'] {
  if (operationId === undefined) return [];
  const isAnswered = results.some(({ filterId }) => filterId === operationId);
  const hasChunks = results.some((entry) => countChunks(entry) > 0);
  if (isAnswered || !hasChunks) return [];
  return [{ filterId: operationId, message: 'the response has no result of this operation' }];
}

function takeNotes(
  results: readonly AnswerEntry[],
  chunks: readonly FoundChunk[],
  { filterIds, operationId }: SentSearch,
): OutcomeNotes {
  const answered = new Set(results.map(({ filterId }) => filterId));
  const sent = operationId === undefined ? filterIds : [...filterIds, operationId];
  // Whether the filters' own results stand beside an operation's is the server's choice.
  const expected = operationId !== undefined && answered.has(operationId) ? [operationId] : sent;
  return {
    filters: results.map((entry) => ({ id: entry.filterId, chunks: countChunks(entry) })),
    ...noteChunks(chunks),
    unanswered: expected.filter((id) => !answered.has(id)),
  };
}

function countChunks({ repositories }: AnswerEntry): number {
  const documents = repositories.flatMap((repository) => repository.documents);
  return documents.reduce((sum, document) => sum + document.chunks.length, 0);
}
