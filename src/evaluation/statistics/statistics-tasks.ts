import type { Measure } from '../../ir/measures/measure.ts';
import { parseMeasure } from '../../ir/measures/parse-measure.ts';
import { measurePoolBias, type PoolBias, type PooledQuestion } from '../../ir/pool-bias.ts';
import type { BootstrapOptions } from '../../ir/statistics/bootstrap.ts';
import type { Range } from '../../ir/statistics/bounded-mean.ts';
import {
  comparePaired,
  measurePaired,
  randomizePaired,
  type ComparisonOptions,
  type MeasuredPairs,
} from '../../ir/statistics/compare-paired.ts';
import type { RandomizationResult } from '../../ir/statistics/randomization.ts';
import { meanIntervals, type MeanInterval } from '../../ir/statistics/mean-interval.ts';
import { numberAt } from '../../ir/statistics/number-at.ts';
import type { PairedComparison } from '../../ir/statistics/paired-comparison.ts';
import { boundDifference, type Bounds } from '../../ir/unjudged/bounds.ts';
import { planLabels, type LabelPlan } from '../../ir/unjudged/impact.ts';
import type { ComparedQuestion } from '../../ir/unjudged/missing-label.ts';
import { placeLabels, type PlacedRanks } from './place-labels.ts';

/** One value a question and side, in the same order. */
interface PairedValues {
  readonly baseline: readonly number[];
  readonly candidate: readonly number[];
  readonly options: ComparisonOptions;
}

/** Many means of the same values: each of some questions, by their places in the columns. */
interface ValuesOfGroups {
  /** By measure, then by question. */
  readonly columns: readonly Readonly<ArrayLike<number>>[];
  /** By measure: where its values lie by definition; null where that has no end, and for differences. */
  readonly ranges: readonly (Range | null)[];
  readonly groups: readonly Readonly<ArrayLike<number>>[];
  readonly options: BootstrapOptions;
}

/** Pairs of rankings; a measure is a function, so its name goes into a thread. */
interface RankedQuestions<Question> {
  readonly measure: string;
  readonly questions: readonly Question[];
  readonly maxGrade: number;
}

interface LabelsToPlan extends RankedQuestions<ComparedQuestion> {
  /** Places are computed down to here. */
  readonly depth: number;
}

export interface PlannedLabels extends Omit<LabelPlan, 'labels'>, PlacedRanks {
  /** How many labels are missing at any depth. */
  readonly missing: number;
}

interface PooledRankings extends RankedQuestions<PooledQuestion> {
  readonly depth: number;
}

/**
 * Everything that may take long enough to run in a thread, by name. What goes in and comes out can be
 * cloned, and is the same wherever it runs.
 */
export const statisticsTasks = {
  comparePaired: ({ baseline, candidate, options }: PairedValues): PairedComparison =>
    comparePaired(baseline, candidate, options),

  /** The two halves of `comparePaired`. */
  measurePaired: ({ baseline, candidate, options }: PairedValues): MeasuredPairs =>
    measurePaired(baseline, candidate, options),
  randomizePaired: ({ baseline, candidate, options }: PairedValues): RandomizationResult =>
    randomizePaired(baseline, candidate, options),

  /** By group, then by measure. */
  meanIntervals: ({
    columns,
    ranges,
    groups,
    options,
  }: ValuesOfGroups): readonly (readonly (MeanInterval | null)[])[] =>
    groups.map((places) =>
      meanIntervals(
        columns.map((column, index) => ({
          values: Array.from(places, (place) => numberAt(column, place)),
          range: ranges[index] ?? null,
        })),
        options,
      ),
    ),

  /** By question. */
  boundDifferences: (task: RankedQuestions<ComparedQuestion>): readonly Bounds[] => {
    const measure = getMeasure(task.measure);
    return task.questions.map((question) => boundDifference(measure, question, task.maxGrade));
  },

  planLabels: ({ measure, questions, maxGrade, depth }: LabelsToPlan): PlannedLabels => {
    const { labels, ...plan } = planLabels(getMeasure(measure), questions, maxGrade);
    return { ...plan, ...placeLabels(questions, labels, depth), missing: labels.length };
  },

  measurePoolBias: ({ measure, questions, maxGrade, depth }: PooledRankings): readonly PoolBias[] =>
    measurePoolBias(getMeasure(measure), questions, { maxGrade, depth }),
};

export type TaskName = keyof typeof statisticsTasks;
export type TaskInput<Name extends TaskName> = Parameters<(typeof statisticsTasks)[Name]>[0];
/** What a task is done for, one by one. */
export type QuestionOf<Name extends TaskName> =
  TaskInput<Name> extends {
    readonly questions: readonly (infer Question)[];
  }
    ? Question
    : never;
/** How an input comes to a thread: its questions, if it has any, a part at a time, then the task's name with the rest. */
export interface TaskPart {
  readonly questions?: readonly unknown[];
  readonly name?: TaskName;
  readonly rest?: TaskInput<TaskName>;
}
export type TaskResult<Name extends TaskName> = ReturnType<(typeof statisticsTasks)[Name]>;

function getMeasure(name: string): Measure {
  const measure = parseMeasure(name);
  if (!measure) throw new RangeError(`unknown measure '${name}'`);
  return measure;
}
