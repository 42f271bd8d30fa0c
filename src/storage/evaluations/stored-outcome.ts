import type { OutcomeTable } from '../tables/evaluation-tables.ts';
import { formatTrace, parseTrace } from './stored-trace.ts';
import type { DocumentId } from '../../ir/ids.ts';
import type {
  OutcomeHit,
  OutcomeChunk,
  OutcomeNotes,
  Outcome,
  OutcomeError,
} from '../../model/outcome.ts';
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

/** Without a chunk id where the ranking is that of an imported run, copied as it is stored there. */
type StoredHit = [
  documentId: DocumentId | null,
  score: number | null,
  chunkId?: string | null,
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

function toHit([documentId, score, chunkId = null, chunks]: StoredHit): OutcomeHit {
  return { documentId, score, chunkId, ...(chunks && { chunks: chunks.map(toChunk) }) };
}

function toChunk([chunkId, score, scoreSource, repository, snippet]: StoredChunk): OutcomeChunk {
  return { chunkId, score, scoreSource, repository, snippet };
}
