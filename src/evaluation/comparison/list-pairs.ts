import { InvalidInputError } from '../../errors.ts';
import type { Database } from '../../storage/database/database.ts';
import { listConfigurations } from '../../storage/evaluations/evaluation-configurations.ts';
import { getEvaluation } from '../lifecycle/describe-evaluation.ts';
import type { RunPair } from './read-run.ts';

/** Each two configurations of an evaluation once, the one that was named first as the baseline. */
export async function listPairs(db: Database, evaluation: string): Promise<readonly RunPair[]> {
  await getEvaluation(db, evaluation);
  const configurations = await listConfigurations(db, evaluation);
  if (configurations.length < 2) {
    const detail = `evaluation '${evaluation}' has only one configuration`;
    throw new InvalidInputError('There are no pairs to compare', [
      { pointer: '/body/pairs', detail },
    ]);
  }
  return configurations.flatMap(({ name: baseline }, index) =>
    configurations.slice(index + 1).map(({ name: candidate }) => ({
      baseline: { evaluation, configuration: baseline },
      candidate: { evaluation, configuration: candidate },
    })),
  );
}
