import { z } from 'zod';

import type { DocumentId, QuestionId } from '../ir/ids.ts';
import type { Immutable } from './immutable.ts';
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
export const OutcomeNotes = z.object({
  /** How many chunks each filter or operation returned, in the order of the answer. */
  filters: z.array(z.object({ id: z.string().nullable(), chunks: z.number() })),
  scoreSources: z.array(z.string()),
  /** Metadata keys of the ranked chunks and their documents, as `chunkMetadata.docId`. */
  keys: z.array(z.string()),
  /** The keys of chunks and documents in which no document id could be read. */
  unmappedKeys: z.array(z.string()),
  /** Chunks whose document id was the first of several values. */
  severalValues: z.number(),
  /** Document ids that belong to more than one document of the backend. */
  sharedIds: z.array(z.string()),
  /** Filters and operations that were sent and have no part in the answer. */
  unanswered: z.array(z.string()),
});
export type OutcomeNotes = Immutable<z.infer<typeof OutcomeNotes>>;

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
  /** How a pipeline produced the hits, up to a failure; absent without a pipeline. */
  readonly trace?: PipelineTrace | undefined;
}

export interface OutcomeError {
  readonly code: string;
  readonly detail: string;
  /** What the other side calls the request that failed. */
  readonly requestId?: string | undefined;
}
