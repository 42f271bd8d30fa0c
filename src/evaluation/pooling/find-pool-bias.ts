import type { Measure } from '../../ir/measures/measure.ts';
import type { Database } from '../../storage/database/database.ts';
import { listConfigurations } from '../../storage/evaluations/evaluation-configurations.ts';
import { toKey } from '../comparison/comparison-reader.ts';
import { nameRuns } from '../comparison/name-runs.ts';
import { findHighestGrade } from '../measures/find-max-grade.ts';
import type { RunBias } from '../../model/pool.ts';
import {
  joinRankings,
  readJudgments,
  readRankings,
  type RunRankings,
} from '../comparison/ranked-questions.ts';
import type { RunReference } from '../comparison/read-run.ts';
import { runTask } from '../statistics/run-task.ts';
import type { PoolSubject } from './pool-subject.ts';

/** Leaves each configuration of the evaluations out of the pool in turn, whichever of them the pool lists. */
export async function findPoolBias(
  db: Database,
  { set, depth, evaluations, measure }: PoolSubject & { readonly measure: Measure },
): Promise<readonly RunBias[]> {
  const version = { questionSet: set.name, version: set.version };
  const names = new Map<string, RunReference>();
  const runs = new Map<string, RunRankings>();
  for (const evaluation of evaluations) {
    for (const { name, position } of await listConfigurations(db, evaluation.id)) {
      const reference = { evaluation: evaluation.id, configuration: name };
      names.set(toKey(reference), reference);
      runs.set(toKey(reference), await readRankings(db, evaluation, position));
    }
  }
  const questions = joinRankings(
    runs,
    await readJudgments(db, version),
    // Below both nothing is read.
    measure.cutoff && Math.max(measure.cutoff, depth),
  );
  const maxGrade = await findHighestGrade(db, version);
  const task = { measure: measure.name, questions, maxGrade, depth };
  const found = await runTask('measurePoolBias', task);
  const references = [...names.values()];
  const told = nameRuns(references, new Map(evaluations.map((each) => [each.id, each])));
  const nameOf = new Map(references.map((each, index) => [toKey(each), told[index]]));
  return found.map(({ configuration: key, ...bias }) => {
    const { evaluation = '', configuration = key } = names.get(key) ?? {};
    return {
      ...(evaluations.length > 1 && { evaluation }),
      configuration,
      name: nameOf.get(key) ?? configuration,
      ...bias,
      fall: bias.scoreDrop,
    };
  });
}
