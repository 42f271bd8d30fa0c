import { AppError, InvalidInputError, RetrieverError } from '../../errors.ts';
import type { NamedConfiguration } from '../../model/evaluation-request.ts';
import type { RetrievalCost } from '../../model/outcome.ts';
import type { PipelineTrace } from '../../model/pipeline-trace.ts';
import type { ConversationTurn } from '../../model/question.ts';
import { type RetrieverRegistry, traitsOf } from '../../retrieval/registry.ts';
import type { RetrievedHit, Retriever } from '../../retrieval/retriever.ts';
import { toSnippet } from '../../retrieval/snippet.ts';
import type { Database } from '../../storage/database/database.ts';
import { tenantOf } from '../../storage/database/tenant-scope.ts';
import { refuseUnreachable, resolveOne } from './resolve-configurations.ts';
import { traceMoves, type Move } from './trace-moves.ts';

interface SearchOnceContext {
  readonly db: Database;
  readonly retrievers: RetrieverRegistry;
  readonly signal: AbortSignal;
}

interface SearchOnceRequest {
  readonly configuration: string | NamedConfiguration;
  readonly text: string;
  readonly user?: string | undefined;
  readonly history?: readonly ConversationTurn[] | undefined;
  /** Default: that of the configuration. */
  readonly depth?: number | undefined;
}

export interface SearchAnswer {
  readonly configuration: string;
  readonly cost: RetrievalCost;
  readonly ranking: readonly (Omit<RetrievedHit, 'passage' | 'whole'> & {
    readonly rank: number;
    readonly title: string | null;
    readonly snippet: string | null;
    /** Absent where a backend alone was asked. */
    readonly move?: Move;
  })[];
  readonly pipeline?: PipelineTrace;
}

/**
 * Searches one text as an evaluation would search a question, and stores nothing. Throws RetrieverError when the search
 * fails.
 */
export async function searchOnce(
  { db, retrievers, signal }: SearchOnceContext,
  request: SearchOnceRequest,
): Promise<SearchAnswer> {
  const pointer = '/body/configuration';
  const resolved = await resolveOne(db, request.configuration, pointer);
  const { name, backend, configuration } = resolved;
  if (!traitsOf(backend).isSearched) {
    const detail = 'has stored rankings of known questions and cannot search a text';
    throw new InvalidInputError(`Configuration '${name}' ${detail}`, [{ pointer, detail }]);
  }
  refuseUnreachable([resolved], retrievers.findObstacle);
  const retriever = await retrievers.createRetriever(configuration, tenantOf(db));
  if (!retriever) throw new AppError('conflict', `The corpus of '${name}' was removed`);
  const { text, user, history, depth = configuration.depth } = request;
  const found = await retriever
    .retrieve(text, { depth, user, history, signal })
    .catch(tellRequestId);
  const moves = found.trace && traceMoves(found.trace);
  return {
    configuration: name,
    cost: found.cost,
    ranking: found.hits.map(({ passage: _passage, whole: _whole, ...hit }, index) => ({
      ...hit,
      rank: index + 1,
      ...describeHit(hit, retriever),
      ...(moves && { move: moves(hit.documentId) }),
    })),
    ...(found.trace && { pipeline: found.trace }),
  };
}

/** The other side's name of the request helps whoever asks there. */
function tellRequestId(error: unknown): never {
  if (!(error instanceof RetrieverError) || error.requestId === undefined) throw error;
  const { code, message, requestId, attempts, trace } = error;
  const more = { cause: error, attempts, requestId, ...(trace && { trace }) };
  throw new RetrieverError(code, `${message} [request ${requestId}]`, more);
}

function describeHit(
  { chunkId, chunks }: Pick<RetrievedHit, 'chunkId' | 'chunks'>,
  { findPassage }: Retriever,
): { readonly title: string | null; readonly snippet: string | null } {
  const passage = chunkId === null ? undefined : findPassage?.(chunkId);
  if (passage) return { title: passage.title, snippet: toSnippet(passage.text) };
  return { title: null, snippet: chunks?.[0]?.snippet ?? null };
}
