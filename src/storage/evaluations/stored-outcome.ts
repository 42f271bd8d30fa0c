import type { OutcomeTable } from '../tables/evaluation-tables.ts';
import { formatTrace, parseTrace } from './stored-trace.ts';
import { BrokenRowError } from '../../errors.ts';
import type { DocumentId } from '../../ir/ids.ts';
import {
  OutcomeNotes,
  type OutcomeHit,
  type OutcomeChunk,
  type Outcome,
  type OutcomeError,
} from '../../model/outcome.ts';
import { parseStored, parseStoredJson, type StoredPlace } from '../database/parse-stored.ts';

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
    hits: row.hits === null ? null : parseHits(row.hits, placeOf(row, 'hits')),
    error: toError(row),
    notes:
      row.notes === null ? undefined : parseStored(OutcomeNotes, row.notes, placeOf(row, 'notes')),
    trace: row.trace === null ? undefined : parseTrace(row.trace, placeOf(row, 'trace')),
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

function placeOf(
  { evaluation_id: evaluation, configuration, question }: StoredOutcome,
  column: 'hits' | 'notes' | 'trace',
): StoredPlace<'outcome'> {
  return { table: 'outcome', column, row: `${evaluation}/${configuration}/${question}` };
}

/** Checks by hand: there are hundreds of thousands of hits, and with a schema reading takes up to half as long again. */
function parseHits(text: string, place: StoredPlace<'outcome'>): readonly OutcomeHit[] {
  const stored = parseStoredJson(text, place);
  if (!Array.isArray(stored) || !stored.every(isHit)) throw new BrokenRowError(place);
  return stored.map(toHit);
}

function isHit(hit: unknown): hit is StoredHit {
  if (!Array.isArray(hit)) return false;
  const [documentId, score, chunkId = null, chunks] = hit as readonly unknown[];
  if (!isTextOrNull(documentId) || !isNumberOrNull(score) || !isTextOrNull(chunkId)) return false;
  return chunks === undefined || (Array.isArray(chunks) && chunks.every(isChunk));
}

function isChunk(chunk: unknown): chunk is StoredChunk {
  if (!Array.isArray(chunk)) return false;
  const [chunkId, score, scoreSource, repository, snippet] = chunk as readonly unknown[];
  if (!isTextOrNull(chunkId) || !isNumberOrNull(score) || !isTextOrNull(repository)) return false;
  return typeof scoreSource === 'string' && typeof snippet === 'string';
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

function isNumberOrNull(value: unknown): boolean {
  return value === null || typeof value === 'number';
}

function toHit([documentId, score, chunkId = null, chunks]: StoredHit): OutcomeHit {
  return { documentId, score, chunkId, ...(chunks && { chunks: chunks.map(toChunk) }) };
}

function toChunk([chunkId, score, scoreSource, repository, snippet]: StoredChunk): OutcomeChunk {
  return { chunkId, score, scoreSource, repository, snippet };
}
