import type { Measure } from '../ir/measures/measure.ts';
import { parseMeasure } from '../ir/measures/parse-measure.ts';
import { measurePoolBias, type PoolBias, type PooledQuestion } from '../ir/pool-bias.ts';
import type { BootstrapInterval, BootstrapOptions } from '../ir/statistics/bootstrap.ts';
import { comparePaired, type ComparisonOptions } from '../ir/statistics/compare-paired.ts';
import { meanInterval } from '../ir/statistics/mean-interval.ts';
import { numberAt } from '../ir/statistics/number-at.ts';
import type { PairedComparison } from '../ir/statistics/paired-comparison.ts';
import { boundDifference, type Bounds } from '../ir/unjudged/bounds.ts';
import { planLabels, type LabelPlan } from '../ir/unjudged/impact.ts';
import type { ComparedQuestion, MissingLabel } from '../ir/unjudged/missing-label.ts';

/** One value a question and side, in the same order. */
interface PairedValues {
  readonly baseline: readonly number[];
  readonly candidate: readonly number[];
  readonly options: ComparisonOptions;
}

/** Many means of the same values: each of some questions, by their places in the columns. */
interface ValuesOfGroups {
  /** By measure, then by question. */
  readonly columns: readonly (readonly number[])[];
  readonly groups: readonly (readonly number[])[];
  readonly options: BootstrapOptions;
}

/** Pairs of rankings; a measure is a function, so its name goes into a thread. */
interface RankedQuestions<Question> {
  readonly measure: string;
  readonly questions: readonly Question[];
  readonly maxGrade: number;
}

interface LabelsToPlan extends RankedQuestions<ComparedQuestion> {
  /** Labels are listed down to here, as the many below it would be copied for nobody. */
  readonly depth: number;
}

interface PlannedLabels extends Omit<LabelPlan, 'labels'> {
  /** With the place among all missing labels, from 1. */
  readonly labels: readonly (MissingLabel & { readonly order: number })[];
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

  /** By group, then by measure. */
  meanIntervals: ({
    columns,
    groups,
    options,
  }: ValuesOfGroups): readonly (readonly (BootstrapInterval | null)[])[] =>
    groups.map((places) =>
      columns.map((column) =>
        meanInterval(
          places.map((place) => numberAt(column, place)),
          options,
        ),
      ),
    ),

  /** By question. */
  boundDifferences: (task: RankedQuestions<ComparedQuestion>): readonly Bounds[] => {
    const measure = getMeasure(task.measure);
    return task.questions.map((question) => boundDifference(measure, question, task.maxGrade));
  },

  planLabels: ({ measure, questions, maxGrade, depth }: LabelsToPlan): PlannedLabels => {
    const { labels, ...plan } = planLabels(getMeasure(measure), questions, maxGrade);
    const tops = new Map(
      questions.map(({ questionId, baseline, candidate }) => [
        questionId,
        new Set([...baseline.slice(0, depth), ...candidate.slice(0, depth)]),
      ]),
    );
    const listed = labels.map((label, index) => ({ ...label, order: index + 1 }));
    const isInTop = ({ questionId, documentId }: MissingLabel) =>
      tops.get(questionId)?.has(documentId) === true;
    return { ...plan, labels: listed.filter(isInTop), missing: labels.length };
  },

  measurePoolBias: ({ measure, questions, maxGrade, depth }: PooledRankings): readonly PoolBias[] =>
    measurePoolBias(getMeasure(measure), questions, { maxGrade, depth }),
};

export type TaskName = keyof typeof statisticsTasks;
export type TaskInput<Name extends TaskName> = Parameters<(typeof statisticsTasks)[Name]>[0];
/** How an input comes to a thread: its questions, if it has any, a part at a time, and then the rest of it. */
export interface TaskPart {
  readonly questions?: readonly unknown[];
  readonly rest?: TaskInput<TaskName>;
}
export type TaskResult<Name extends TaskName> = ReturnType<(typeof statisticsTasks)[Name]>;

function getMeasure(name: string): Measure {
  const measure = parseMeasure(name);
  if (!measure) throw new RangeError(`'${name}' is no measure`);
  return measure;
}
