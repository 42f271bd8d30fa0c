import type { Measure } from '../../ir/measures/measure.ts';
import { createMean } from '../../ir/stable-sum.ts';
import type { Range } from '../../ir/statistics/bounded-mean.ts';
import type { MeanInterval } from '../../ir/statistics/mean-interval.ts';
import type { Database } from '../../storage/database/database.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { readRun, type RunQuestion, type RunQuestions } from './read-run.ts';
import { runTask } from '../statistics/run-task.ts';
import { defaultIntervals } from '../../model/evaluation-plan.ts';

/** The values of several configurations over the questions that are in the means of every one of them. */
export interface CommonValues {
  readonly questions: readonly Pick<RunQuestion, 'id' | 'text'>[];
  /** By configuration, then by question. */
  readonly values: readonly (readonly number[])[];
  /** Questions in the means of some of them, but not of all. */
  readonly leftOut: number;
}

export async function readCommonValues(
  db: Database,
  evaluation: StoredEvaluation,
  { configurations, measure }: { readonly configurations: readonly string[]; measure: Measure },
): Promise<CommonValues> {
  const runs: RunQuestions[] = [];
  for (const configuration of configurations) {
    const reference = { evaluation: evaluation.id, configuration };
    runs.push(await readRun(db, reference, { evaluation, measures: [measure] }));
  }
  const scored = new Map(runs.flatMap((run) => [...run].filter(([, each]) => each.isAveraged)));
  const questions = [...scored.values()].filter(({ id }) =>
    runs.every((run) => run.get(id)?.isAveraged === true),
  );
  return {
    questions,
    values: runs.map((run) => questions.flatMap(({ id }) => run.get(id)?.values[0] ?? [])),
    leftOut: scored.size - questions.length,
  };
}

/**
 * The interval of the mean of each column, made as the evaluation makes its own; null below two questions. `range` is
 * that of the values, null for differences and for measures without an upper bound.
 */
export async function findIntervals(
  columns: readonly (readonly number[])[],
  range: Range | null,
  { plan }: StoredEvaluation,
): Promise<readonly (MeanInterval | null)[]> {
  const places = (columns[0] ?? []).map((_value, place) => place);
  const options = plan.intervals ?? defaultIntervals;
  const found = await runTask('meanIntervals', {
    columns,
    ranges: columns.map(() => range),
    groups: [places],
    options,
  });
  return found[0] ?? [];
}

export function toMean(values: readonly number[]): number | null {
  const mean = createMean();
  for (const value of values) mean.add(value);
  return mean.mean ?? null;
}
