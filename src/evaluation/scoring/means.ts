import type { Measure } from '../../ir/measures/measure.ts';
import { createMeanColumns } from '../../ir/stable-sum.ts';
import type { Means } from '../../model/scorecard.ts';

export interface MeansCollector {
  /** Takes one question's values, in the order of the measures. */
  readonly add: (values: readonly number[]) => void;
  readonly count: () => number;
  readonly toMeans: () => Means;
}

/** Averages each measure over questions, in 16 bytes a measure, whatever their number. */
export function createMeans(measures: readonly Measure[]): MeansCollector {
  const columns = createMeanColumns(measures.length);
  return {
    add: columns.add,
    count: columns.count,
    toMeans: () =>
      Object.fromEntries(measures.map(({ name }, index) => [name, columns.meanOf(index) ?? null])),
  };
}
