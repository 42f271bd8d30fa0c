import type { PipelineTrace } from '../ir/pipeline-trace.ts';
import type { DocumentId, QuestionId } from '../ir/qrels.ts';
import type { Database } from './database.ts';
import type { OutcomeTable } from './evaluation-tables.ts';
import { inBatches } from './in-batches.ts';
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

/** From the first position that a question can have to the last. */
export const wholeSet = { from: 0, to: 2_147_483_647 } as const;

/** Stores what is not stored yet: an outcome that is there is never replaced. */
export async function insertOutcomes(
  db: Database,
  evaluationId: string,
  outcomes: readonly Outcome[],
): Promise<void> {
  await inBatches(outcomes, (batch) =>
    db
      .insertInto('outcome')
      .values(batch.map((outcome) => toRow(evaluationId, outcome)))
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
}

/** An outcome as it is stored: reading a long ranking takes a while, so it is read where it is needed. */
export type StoredOutcome = Readonly<OutcomeTable>;

/** The outcomes of one configuration for the questions from one position to another, both included; by position. */
export async function findOutcomes(
  db: Database,
  evaluationId: string,
  configuration: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ReadonlyMap<number, StoredOutcome>> {
  const rows = await db
    .selectFrom('outcome')
    .where('evaluation_id', '=', evaluationId)
    .where('configuration', '=', configuration)
    .where('question', '>=', from)
    .where('question', '<=', to)
    .selectAll()
    .execute();
  return new Map(rows.map((row) => [row.question, row]));
}

/** The outcomes of one configuration for the questions at some positions; by question id. */
export async function findOutcomesAt(
  db: Database,
  evaluationId: string,
  configuration: number,
  positions: readonly number[],
): Promise<ReadonlyMap<QuestionId, StoredOutcome>> {
  if (positions.length === 0) return new Map();
  const rows = await db
    .selectFrom('outcome')
    .where('evaluation_id', '=', evaluationId)
    .where('configuration', '=', configuration)
    .where('question', 'in', positions)
    .selectAll()
    .execute();
  return new Map(rows.map((row) => [row.question_id, row]));
}

/** The questions of one configuration, from one position to another, that have an outcome. */
export async function listOutcomePositions(
  db: Database,
  evaluationId: string,
  configuration: number,
  { from, to }: { readonly from: number; readonly to: number } = wholeSet,
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('outcome')
    .where('evaluation_id', '=', evaluationId)
    .where('configuration', '=', configuration)
    .where('question', '>=', from)
    .where('question', '<=', to)
    .select('question')
    .execute();
  return new Set(rows.map((row) => row.question));
}

/** Both counts come from indexes alone: progress is asked for often. */
export async function countOutcomes(
  db: Database,
  evaluationId: string,
): Promise<{ readonly done: number; readonly failed: number }> {
  const stored = db
    .selectFrom('outcome')
    .where('evaluation_id', '=', evaluationId)
    .select((eb) => eb.fn.countAll<number | string>().as('count'));
  const done = await stored.executeTakeFirstOrThrow();
  const failed = await stored.where('error_code', 'is not', null).executeTakeFirstOrThrow();
  return { done: Number(done.count), failed: Number(failed.count) };
}

/** Forgets the searches that failed, so that they can be made again. */
export async function deleteFailedOutcomes(trx: Database, evaluationId: string): Promise<void> {
  await trx
    .deleteFrom('outcome')
    .where('evaluation_id', '=', evaluationId)
    .where('error_code', 'is not', null)
    .execute();
}

/**
 * Copies the rankings of the questions that `positions` names to the place they have there, at no cost:
 * nothing was searched for them again.
 */
export async function copyOutcomes(
  trx: Database,
  from: { readonly evaluationId: string; readonly configuration: number },
  to: { readonly evaluationId: string; readonly configuration: number },
  positions: ReadonlyMap<QuestionId, number>,
): Promise<void> {
  const batchSize = 100;
  let after = -1;
  for (;;) {
    const rows = await trx
      .selectFrom('outcome')
      .where('evaluation_id', '=', from.evaluationId)
      .where('configuration', '=', from.configuration)
      .where('question', '>', after)
      .orderBy('question')
      .limit(batchSize)
      .selectAll()
      .execute();
    const copies = rows.flatMap((row) => {
      const question = positions.get(row.question_id);
      if (question === undefined) return [];
      const { trace, ...outcome } = toOutcome(row);
      const place = { configuration: to.configuration, question };
      return [{ ...outcome, ...unpaid, ...place, trace: trace && { ...trace, stages: [] } }];
    });
    await insertOutcomes(trx, to.evaluationId, copies);
    const last = rows.at(-1);
    if (rows.length < batchSize || last === undefined) return;
    after = last.question;
  }
}

const unpaid = {
  searches: 0,
  attempts: 0,
  latencyMs: 0,
  pairsReranked: 0,
  modelCalls: 0,
  promptTokens: 0,
  completionTokens: 0,
} as const;

function toRow(evaluationId: string, outcome: Outcome): OutcomeTable {
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
