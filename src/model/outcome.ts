import type { DocumentId, QuestionId } from '../ir/ids.ts';
import type { PipelineTrace } from './pipeline-trace.ts';

export interface OutcomeHit {
  readonly documentId: DocumentId | null;
  readonly score: number | null;
  readonly chunkId: string | null;
  /** The chunks behind the hit, where they are stored. */
  readonly chunks?: readonly OutcomeChunk[] | undefined;
}

/** A chunk as the search showed it. */
export interface OutcomeChunk {
  readonly chunkId: string | null;
  readonly score: number | null;
  readonly scoreSource: string;
  readonly repository: string | null;
  readonly snippet: string;
}

/** How an answer was read, as its backend tells it. */
export interface OutcomeNotes {
  readonly filters: readonly { readonly id: string | null; readonly chunks: number }[];
  readonly scoreSources: readonly string[];
  readonly keys: readonly string[];
  readonly unmappedKeys: readonly string[];
  readonly severalValues: number;
  readonly sharedIds: readonly string[];
  readonly unanswered: readonly string[];
}

/** What one search of one question brought back, or why it failed. */
export interface Outcome {
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
  readonly searches: number;
  readonly attempts: number;
  readonly latencyMs: number;
  readonly pairsReranked: number;
  readonly modelCalls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface OutcomeError {
  readonly code: string;
  readonly detail: string;
  /** What the other side calls the request that failed. */
  readonly requestId?: string | undefined;
}
