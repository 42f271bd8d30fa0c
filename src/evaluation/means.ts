import type { Measure } from '../ir/measures/measure.ts';
import { createMean } from '../ir/stable-sum.ts';
import type { Means } from './scorecard.ts';

export interface MeansCollector {
  /** Takes one question's values, in the order of the measures. */
  readonly add: (values: readonly number[]) => void;
  readonly count: () => number;
  readonly toMeans: () => Means;
}

/** Averages each measure over questions, in memory that does not grow with their number. */
export function createMeans(measures: readonly Measure[]): MeansCollector {
  const means = measures.map(() => createMean());
  return {
    add(values) {
      for (const [index, mean] of means.entries()) mean.add(values[index] ?? Number.NaN);
    },
    count: () => means[0]?.count ?? 0,
    toMeans: () =>
      Object.fromEntries(measures.map(({ name }, index) => [name, means[index]?.mean ?? null])),
  };
}
