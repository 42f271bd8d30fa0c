import type { Database } from '../database/database.ts';
import { inBatches } from '../database/in-batches.ts';
import { toOutcome, toRow, type StoredOutcome } from './stored-outcome.ts';
import type { QuestionId } from '../../ir/ids.ts';
import { noCost, type Outcome } from '../../model/outcome.ts';

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

/** The outcomes of one configuration for the questions at some positions; by position. */
export async function findOutcomes(
  db: Database,
  evaluationId: string,
  configuration: number,
  positions: readonly number[],
): Promise<ReadonlyMap<number, StoredOutcome>> {
  if (positions.length === 0) return new Map();
  const rows = await selectOutcomes(db, evaluationId, configuration)
    .where('question', 'in', positions)
    .selectAll()
    .execute();
  return new Map(rows.map((row) => [row.question, row]));
}

/** The questions of one configuration, from one position to another, that have an outcome. */
export async function listOutcomePositions(
  db: Database,
  evaluationId: string,
  configuration: number,
  { from, to }: { readonly from: number; readonly to: number } = wholeSet,
): Promise<ReadonlySet<number>> {
  const rows = await selectOutcomes(db, evaluationId, configuration)
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
    const rows = await selectOutcomes(trx, from.evaluationId, from.configuration)
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
      return [{ ...outcome, ...noCost, ...place, trace: trace && { ...trace, stages: [] } }];
    });
    await insertOutcomes(trx, to.evaluationId, copies);
    const last = rows.at(-1);
    if (rows.length < batchSize || last === undefined) return;
    after = last.question;
  }
}

function selectOutcomes(db: Database, evaluationId: string, configuration: number) {
  return db
    .selectFrom('outcome')
    .where('evaluation_id', '=', evaluationId)
    .where('configuration', '=', configuration);
}
