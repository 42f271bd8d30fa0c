import type { DocumentId, QuestionId } from '../ir/ids.ts';
import type { PipelineTrace } from './pipeline-trace.ts';

export interface OutcomeHit {
  readonly documentId: DocumentId | null;
  readonly score: number | null;
  readonly chunkId: string | null;
  /** The chunks behind the hit, where they are stored. */
  readonly chunks?: readonly OutcomeChunk[] | undefined;
}

/** A chunk as the search returned it, so that a judge can read what was found. */
export interface OutcomeChunk {
  readonly chunkId: string | null;
  readonly score: number | null;
  /** Which score of the answer it is; `none` where the answer has no score. */
  readonly scoreSource: string;
  /** Title of the data repository, or its id where it has no title. */
  readonly repository: string | null;
  /** The start of the chunk's text. */
  readonly snippet: string;
}

/** How a backend read its answer: metadata keys, ids and counts, never texts. */
export interface OutcomeNotes {
  /** How many chunks each filter or operation returned, in the order of the answer. */
  readonly filters: readonly { readonly id: string | null; readonly chunks: number }[];
  readonly scoreSources: readonly string[];
  /** Metadata keys of the ranked chunks and their documents, as `chunkMetadata.docId`. */
  readonly keys: readonly string[];
  /** The keys of chunks and documents in which no document id could be read. */
  readonly unmappedKeys: readonly string[];
  /** Chunks whose document id was the first of several values. */
  readonly severalValues: number;
  /** Document ids that belong to more than one document of the backend. */
  readonly sharedIds: readonly string[];
  /** Filters and operations that were sent and have no part in the answer. */
  readonly unanswered: readonly string[];
}

/** What the search of one question cost. */
export interface RetrievalCost {
  /** Searches of the backend, retries not counted. */
  readonly searches: number;
  /** Calls of the backend, retries included. */
  readonly attempts: number;
  readonly latencyMs: number;
  readonly pairsReranked: number;
  /** Calls of models, retries included. */
  readonly modelCalls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** The cost where nothing was searched. */
export const noCost: RetrievalCost = {
  searches: 0,
  attempts: 0,
  latencyMs: 0,
  pairsReranked: 0,
  modelCalls: 0,
  promptTokens: 0,
  completionTokens: 0,
};

/** What one search of one question brought back, or why it failed. */
export interface Outcome extends RetrievalCost {
  /** Position of the search configuration in the evaluation. */
  readonly configuration: number;
  /** Position of the question in the version. */
  readonly question: number;
  readonly questionId: QuestionId;
  /** In rank order; `null`: the search failed. */
  readonly hits: readonly OutcomeHit[] | null;
  readonly error: OutcomeError | null;
  readonly notes?: OutcomeNotes | undefined;
  /** How a pipeline came to the hits, or how far it came; absent without one. */
  readonly trace?: PipelineTrace | undefined;
}

export interface OutcomeError {
  readonly code: string;
  readonly detail: string;
  /** What the other side calls the request that failed. */
  readonly requestId?: string | undefined;
}
