import type { DocumentId, QuestionId } from '../ir/qrels.ts';
import type { Database } from './database.ts';
import { inBatches } from './in-batches.ts';
import type { OutcomeTable } from './tables.ts';

export interface OutcomeHit {
  readonly documentId: DocumentId | null;
  readonly score: number | null;
  readonly chunkId: string | null;
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
  readonly error: { readonly code: string; readonly detail: string } | null;
  readonly attempts: number;
  readonly latencyMs: number;
  readonly pairsReranked: number;
  readonly modelCalls: number;
}

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

/** The outcomes of one configuration for the questions from one position to another, both included. */
export async function readOutcomes(
  db: Database,
  evaluationId: string,
  configuration: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ReadonlyMap<number, Outcome>> {
  const rows = await db
    .selectFrom('outcome')
    .where('evaluation_id', '=', evaluationId)
    .where('configuration', '=', configuration)
    .where('question', '>=', from)
    .where('question', '<=', to)
    .selectAll()
    .execute();
  return new Map(rows.map((row) => [row.question, toOutcome(row)]));
}

/** The questions of one configuration that have an outcome, by position. */
export async function listOutcomePositions(
  db: Database,
  evaluationId: string,
  configuration: number,
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('outcome')
    .where('evaluation_id', '=', evaluationId)
    .where('configuration', '=', configuration)
    .select('question')
    .execute();
  return new Set(rows.map((row) => row.question));
}

export async function countOutcomes(
  db: Database,
  evaluationId: string,
): Promise<{ readonly done: number; readonly failed: number }> {
  const row = await db
    .selectFrom('outcome')
    .where('evaluation_id', '=', evaluationId)
    .select((eb) => [
      eb.fn.countAll<number | string>().as('done'),
      eb.fn.count<number | string>('error_code').as('failed'),
    ])
    .executeTakeFirstOrThrow();
  return { done: Number(row.done), failed: Number(row.failed) };
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
  const batchSize = 200;
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
      const unpaid = { attempts: 0, latencyMs: 0, pairsReranked: 0, modelCalls: 0 };
      return [{ ...toOutcome(row), ...unpaid, configuration: to.configuration, question }];
    });
    await insertOutcomes(trx, to.evaluationId, copies);
    const last = rows.at(-1);
    if (rows.length < batchSize || last === undefined) return;
    after = last.question;
  }
}

function toRow(evaluationId: string, outcome: Outcome): OutcomeTable {
  return {
    evaluation_id: evaluationId,
    configuration: outcome.configuration,
    question: outcome.question,
    question_id: outcome.questionId,
    error_code: outcome.error?.code ?? null,
    error_detail: outcome.error?.detail ?? null,
    hits: outcome.hits && JSON.stringify(outcome.hits.map(toTriple)),
    attempts: outcome.attempts,
    latency_ms: outcome.latencyMs,
    pairs_reranked: outcome.pairsReranked,
    model_calls: outcome.modelCalls,
  };
}

type Triple = [DocumentId | null, number | null, string | null];

function toTriple({ documentId, score, chunkId }: OutcomeHit): Triple {
  return [documentId, score, chunkId];
}

function toOutcome(row: OutcomeTable): Outcome {
  return {
    configuration: row.configuration,
    question: row.question,
    questionId: row.question_id,
    hits: row.hits === null ? null : (JSON.parse(row.hits) as Triple[]).map(toHit),
    error:
      row.error_code === null ? null : { code: row.error_code, detail: row.error_detail ?? '' },
    attempts: row.attempts,
    latencyMs: row.latency_ms,
    pairsReranked: row.pairs_reranked,
    modelCalls: row.model_calls,
  };
}

function toHit([documentId, score, chunkId]: Triple): OutcomeHit {
  return { documentId, score, chunkId };
}
