import type { Database } from '../database/database.ts';
import { unfinishedStatuses, type EvaluationStatus } from '../../model/evaluation-status.ts';
import type { EvaluationFailure } from './stored-evaluation.ts';
import { deleteScores } from './scores.ts';
import { refuseTooManyEvaluations } from '../question-sets/quotas.ts';

/** Marks it running. False when it is no longer queued or running, because it was cancelled or deleted. */
export async function startEvaluation(db: Database, id: string, at: string): Promise<boolean> {
  const result = await db
    .updateTable('evaluation')
    .set((eb) => ({ status: 'running', started_at: eb.fn.coalesce('started_at', eb.val(at)) }))
    .where('id', '=', id)
    .where('status', 'in', unfinishedStatuses)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Locks the evaluation for the rest of the transaction and returns its status. */
export async function lockEvaluation(
  trx: Database,
  id: string,
): Promise<EvaluationStatus | undefined> {
  const row = await trx
    .updateTable('evaluation')
    .set((eb) => ({ status: eb.ref('status') }))
    .where('id', '=', id)
    .returning('status')
    .executeTakeFirst();
  return row?.status as EvaluationStatus | undefined;
}

/** Opens an evaluation that has ended again; what it showed at its end is forgotten. */
export async function reopenEvaluation(trx: Database, id: string): Promise<void> {
  await refuseTooManyEvaluations(trx);
  await deleteScores(trx, id);
  await trx
    .updateTable('evaluation')
    .set({ status: 'running', finished_at: null, scorecard: null, error: null })
    .where('id', '=', id)
    .execute();
}

/** Ends a running evaluation. False when somebody ended it before. */
export async function finishEvaluation(
  db: Database,
  id: string,
  end: {
    readonly status: 'succeeded' | 'failed';
    readonly scorecard: unknown;
    readonly error: EvaluationFailure | null;
    readonly at: string;
  },
): Promise<boolean> {
  const result = await db
    .updateTable('evaluation')
    .set({
      status: end.status,
      scorecard: end.scorecard === null ? null : JSON.stringify(end.scorecard),
      error: end.error && JSON.stringify(end.error),
      finished_at: end.at,
    })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Cancels what has not ended. False when it had. */
export async function cancelEvaluation(db: Database, id: string, at: string): Promise<boolean> {
  const result = await db
    .updateTable('evaluation')
    .set({ status: 'cancelled', finished_at: at })
    .where('id', '=', id)
    .where('status', 'in', unfinishedStatuses)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function deleteEvaluation(trx: Database, id: string): Promise<void> {
  await trx.deleteFrom('evaluation').where('id', '=', id).execute();
}
