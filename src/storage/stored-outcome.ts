import type { PipelineTrace } from '../ir/pipeline-trace.ts';
import type { DocumentId, QuestionId } from '../ir/qrels.ts';
import type { OutcomeTable } from './evaluation-tables.ts';
import { formatTrace, parseTrace } from './stored-trace.ts';

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

/** An outcome as it is stored: reading a long ranking takes a while, so it is read where it is needed. */
export type StoredOutcome = Readonly<OutcomeTable>;

export function toRow(evaluationId: string, outcome: Outcome): OutcomeTable {
  return {
    evaluation_id: evaluationId,
    configuration: outcome.configuration,
    question: outcome.question,
    question_id: outcome.questionId,
    error_code: outcome.error?.code ?? null,
    error_detail: outcome.error?.detail ?? null,
    error_request_id: outcome.error?.requestId ?? null,
    hits: outcome.hits && JSON.stringify(outcome.hits.map(toStoredHit)),
    notes: outcome.notes ? JSON.stringify(outcome.notes) : null,
    trace: outcome.trace ? formatTrace(outcome.trace) : null,
    searches: outcome.searches,
    attempts: outcome.attempts,
    latency_ms: outcome.latencyMs,
    pairs_reranked: outcome.pairsReranked,
    model_calls: outcome.modelCalls,
    prompt_tokens: outcome.promptTokens,
    completion_tokens: outcome.completionTokens,
  };
}

type StoredHit = [
  documentId: DocumentId | null,
  score: number | null,
  chunkId: string | null,
  chunks?: StoredChunk[],
];

type StoredChunk = [
  chunkId: string | null,
  score: number | null,
  scoreSource: string,
  repository: string | null,
  snippet: string,
];

function toStoredHit({ documentId, score, chunkId, chunks }: OutcomeHit): StoredHit {
  if (!chunks) return [documentId, score, chunkId];
  const stored = chunks.map((chunk): StoredChunk => {
    return [chunk.chunkId, chunk.score, chunk.scoreSource, chunk.repository, chunk.snippet];
  });
  return [documentId, score, chunkId, stored];
}

export function toOutcome(row: StoredOutcome): Outcome {
  return {
    configuration: row.configuration,
    question: row.question,
    questionId: row.question_id,
    hits: row.hits === null ? null : (JSON.parse(row.hits) as StoredHit[]).map(toHit),
    error: toError(row),
    notes: row.notes === null ? undefined : (JSON.parse(row.notes) as OutcomeNotes),
    trace: row.trace === null ? undefined : parseTrace(row.trace),
    // Older than the count: every search that was sent was one.
    searches: row.searches ?? Math.min(1, row.attempts),
    attempts: row.attempts,
    latencyMs: row.latency_ms,
    pairsReranked: row.pairs_reranked,
    modelCalls: row.model_calls,
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
  };
}

function toError({
  error_code: code,
  error_detail: detail,
  error_request_id: requestId,
}: OutcomeTable): OutcomeError | null {
  if (code === null) return null;
  return { code, detail: detail ?? '', ...(requestId !== null && { requestId }) };
}

function toHit([documentId, score, chunkId, chunks]: StoredHit): OutcomeHit {
  return { documentId, score, chunkId, ...(chunks && { chunks: chunks.map(toChunk) }) };
}

function toChunk([chunkId, score, scoreSource, repository, snippet]: StoredChunk): OutcomeChunk {
  return { chunkId, score, scoreSource, repository, snippet };
}
