import { AppError } from '../../errors.ts';
import { listBaselinesOf } from '../../storage/catalog/baselines.ts';
import { isBeingWritten } from '../../storage/catalog/drafts.ts';
import { lockCatalog } from '../../storage/database/catalog-lock.ts';
import type { Database } from '../../storage/database/database.ts';
import {
  cancelEvaluation,
  deleteEvaluation,
  lockEvaluation,
} from '../../storage/evaluations/evaluation-life-cycle.ts';
import { countEvaluationsOf } from '../../storage/evaluations/evaluations.ts';
import { findQuestionSet } from '../../storage/question-sets/question-sets.ts';
import { dropDraft, handOverQuestionSet } from '../drafts/write-draft.ts';
import { getEvaluation, isFinished } from './describe-evaluation.ts';
import { recordEvaluation } from './record-evaluation.ts';

/** Cancels an evaluation. One that was cancelled before stays so; one that ended otherwise is refused. */
export async function endEvaluation(db: Database, id: string, now: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const evaluation = await getEvaluation(trx, id);
    if (await cancelEvaluation(trx, id, now)) {
      return recordEvaluation(trx, evaluation, { action: 'cancel', at: now });
    }
    const { status } = await getEvaluation(trx, id);
    if (status === 'cancelled') return;
    throw new AppError('conflict', `Evaluation '${id}' has already ended: ${status}`);
  });
}

/**
 * Deletes an evaluation that has ended, and its question set's versions if they were deleted and this was
 * their last reader. One that a baseline names is refused.
 */
export async function removeEvaluation(db: Database, id: string, now: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockCatalog(trx, 'exclusive');
    await lockEvaluation(trx, id);
    const evaluation = await getEvaluation(trx, id);
    if (!isFinished(evaluation)) {
      throw new AppError('conflict', `Evaluation '${id}' is ${evaluation.status}; cancel it first`);
    }
    await refuseBaseline(trx, id);
    await recordEvaluation(trx, evaluation, { action: 'delete', at: now });
    await deleteEvaluation(trx, id);
    const { questionSet } = evaluation;
    if (await findQuestionSet(trx, questionSet)) return;
    const isRead = (await countEvaluationsOf(trx, questionSet)) > 0;
    if (isRead || (await isBeingWritten(trx, questionSet))) return;
    await handOverQuestionSet(trx, { id, at: now, name: questionSet });
  });
  await dropDraft(db, id);
}

async function refuseBaseline(db: Database, id: string): Promise<void> {
  const names = await listBaselinesOf(db, id);
  if (names.length === 0) return;
  const which = names.map((name) => `'${name}'`).join(', ');
  const message = `Evaluation '${id}' is used by baseline ${which}; point the baseline to another evaluation or delete it first`;
  throw new AppError('conflict', message);
}
