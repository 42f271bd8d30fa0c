import { BrokenRowError } from '../../errors.ts';
import { recordChange, type Change } from '../../storage/monitoring/audit.ts';
import type { DatabaseTransaction } from '../../storage/database/database.ts';
import {
  listConfigurations,
  type EvaluationConfiguration,
} from '../../storage/evaluations/evaluation-configurations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { hashCanonical } from '../../model/hash-content.ts';

type Measured = Pick<StoredEvaluation, 'id' | 'version' | 'contentHash' | 'plan' | 'questionSet'>;

/** Notes what was done to an evaluation, with a hash of all that it measures; null where its plan cannot be read. */
export async function recordEvaluation(
  trx: DatabaseTransaction,
  evaluation: Measured,
  {
    action,
    at,
  }: { readonly action: 'create' | 'delete' | 'cancel' | 'retry'; readonly at: string },
): Promise<void> {
  const hash = findHash(evaluation, await listConfigurations(trx, evaluation.id));
  const change: Pick<Change, 'before' | 'after'> = {
    before: action === 'create' ? null : hash,
    after: action === 'delete' ? null : hash,
  };
  await recordChange(trx, { at, kind: 'evaluation', name: evaluation.id, action, ...change });
}

/** A broken plan must not keep an evaluation from being cancelled or deleted. */
function findHash(...measured: Parameters<typeof hashMeasured>): string | null {
  try {
    return hashMeasured(...measured);
  } catch (error) {
    if (error instanceof BrokenRowError) return null;
    throw error;
  }
}

function hashMeasured(
  { questionSet, version, contentHash, plan }: Measured,
  configurations: readonly EvaluationConfiguration[],
): string {
  const searched = configurations.map(({ name, body, input }) => [name, body, input]);
  return hashCanonical([questionSet, version, contentHash, plan, searched]);
}
