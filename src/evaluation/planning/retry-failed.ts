import { AppError } from '../../errors.ts';
import type { RetrieverRegistry } from '../../retrieval/registry.ts';
import { lockCatalog } from '../../storage/database/catalog-lock.ts';
import type { Database, DatabaseTransaction } from '../../storage/database/database.ts';
import { deleteFailedDiagnosisSearches } from '../../storage/evaluations/diagnosis-searches.ts';
import { listConfigurations } from '../../storage/evaluations/evaluation-configurations.ts';
import {
  lockEvaluation,
  reopenEvaluation,
} from '../../storage/evaluations/evaluation-life-cycle.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { countOutcomes, deleteFailedOutcomes } from '../../storage/evaluations/outcomes.ts';
import { forgetRefusals } from '../../storage/evaluations/refusals.ts';
import { refuseDisallowedNow } from '../catalog/check-allowances.ts';
import { getEvaluation, isFinished } from '../lifecycle/describe-evaluation.ts';
import { isInputUnchanged } from '../outcomes/input-hash.ts';
import { recordEvaluation } from '../lifecycle/record-evaluation.ts';
import { refuseUnreachable } from './resolve-configurations.ts';

/**
 * Opens an ended evaluation again without its failed questions, so that they are searched once more, and
 * those that were never searched too. Refused with `conflict` when that cannot succeed: nothing changes then.
 */
export async function retryFailed(
  db: Database,
  id: string,
  {
    findObstacle,
    now,
  }: { readonly findObstacle: RetrieverRegistry['findObstacle']; readonly now: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockCatalog(trx, 'shared');
    await lockEvaluation(trx, id);
    const evaluation = await getEvaluation(trx, id);
    refuseUnlessRetryable(evaluation);
    const { done, failed } = await countOutcomes(trx, id);
    const unknown = await deleteFailedDiagnosisSearches(trx, id);
    if (failed === 0 && done === evaluation.total && unknown === 0) {
      throw new AppError('conflict', `Evaluation '${id}' has no failed questions`);
    }
    await refuseUnsearchable(trx, id, findObstacle);
    await deleteFailedOutcomes(trx, id);
    await forgetRefusals(trx, id);
    await reopenEvaluation(trx, id);
    await recordEvaluation(trx, evaluation, { action: 'retry', at: now });
  });
}

function refuseUnlessRetryable(evaluation: StoredEvaluation): void {
  const { id, status, rescoreOf } = evaluation;
  if (!isFinished(evaluation)) {
    throw new AppError('conflict', `Evaluation '${id}' is ${status}; wait until it ends`);
  }
  if (rescoreOf !== null) {
    const message = `Evaluation '${id}' only rescored the rankings of '${rescoreOf}': it has no searches to retry`;
    throw new AppError('conflict', message);
  }
  if (status === 'cancelled') {
    throw new AppError('conflict', `Evaluation '${id}' was cancelled; create a new one`);
  }
}

async function refuseUnsearchable(
  trx: DatabaseTransaction,
  id: string,
  findObstacle: RetrieverRegistry['findObstacle'],
): Promise<void> {
  const configurations = await listConfigurations(trx, id);
  await refuseDisallowedNow(trx, configurations);
  refuseUnreachable(configurations, findObstacle);
  for (const { input } of configurations) {
    if (!input || (await isInputUnchanged(trx, input))) continue;
    const message = `${input.kind} '${input.name}' changed after the evaluation was created; create a new one`;
    throw new AppError('conflict', message);
  }
}
