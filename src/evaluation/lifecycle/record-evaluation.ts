import { recordChange, type Change } from '../../storage/monitoring/audit.ts';
import type { DatabaseTransaction } from '../../storage/database/database.ts';
import {
  listConfigurations,
  type EvaluationConfiguration,
} from '../../storage/evaluations/evaluation-configurations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/evaluations.ts';
import { hashCanonical } from '../../model/hash-content.ts';

type Measured = Pick<StoredEvaluation, 'id' | 'version' | 'contentHash' | 'plan' | 'questionSet'>;

/** Notes what was done to an evaluation, with a hash of all that it measures. */
export async function recordEvaluation(
  trx: DatabaseTransaction,
  evaluation: Measured,
  {
    action,
    at,
  }: { readonly action: 'create' | 'delete' | 'cancel' | 'retry'; readonly at: string },
): Promise<void> {
  const hash = hashMeasured(evaluation, await listConfigurations(trx, evaluation.id));
  const change: Pick<Change, 'before' | 'after'> = {
    before: action === 'create' ? null : hash,
    after: action === 'delete' ? null : hash,
  };
  await recordChange(trx, { at, kind: 'evaluation', name: evaluation.id, action, ...change });
}

function hashMeasured(
  { questionSet, version, contentHash, plan }: Measured,
  configurations: readonly EvaluationConfiguration[],
): string {
  const searched = configurations.map(({ name, body, input }) => [name, body, input]);
  return hashCanonical([questionSet, version, contentHash, plan, searched]);
}
