import { rangeOf } from '../ir/measures/measure-range.ts';
import type { Measure } from '../ir/measures/measure.ts';
import { sliceValues, type Question, type SliceDimension } from '../ir/question.ts';
import type { BootstrapOptions } from '../ir/statistics/bootstrap.ts';
import type { MeanInterval } from '../ir/statistics/mean-interval.ts';
import { runTask } from './run-task.ts';
import type { Intervals, ScorecardRow } from './scorecard.ts';

export interface ValueCollector {
  /** Takes one question's values, in the order of the measures. */
  readonly add: (question: Question, values: readonly number[]) => void;
  /** The row with the interval of each of its means. */
  readonly addIntervals: (row: ScorecardRow) => Promise<ScorecardRow>;
}

/** Keeps every value, once, for what cannot be told from the mean alone: 8 bytes a question and measure. */
export function createValueCollector(
  measures: readonly Measure[],
  sliceBy: readonly SliceDimension[],
  options: BootstrapOptions,
): ValueCollector {
  const columns = measures.map((): number[] => []);
  const all: number[] = [];
  const placesByDimension = new Map(sliceBy.map((name) => [name, new Map<string, number[]>()]));

  return {
    add(question, values) {
      const place = all.length;
      all.push(place);
      for (const [index, column] of columns.entries()) column.push(values[index] ?? Number.NaN);
      for (const [dimension, byValue] of placesByDimension) {
        for (const value of sliceValues(question, dimension)) {
          const places = byValue.get(value) ?? [];
          places.push(place);
          byValue.set(value, places);
        }
      }
    },
    async addIntervals(row) {
      const slices = [...placesByDimension].flatMap(([dimension, byValue]) =>
        [...byValue].map(([value, places]) => ({ dimension, value, places })),
      );
      const found = await runTask('meanIntervals', {
        columns: columns.map((column) => Float64Array.from(column)),
        ranges: measures.map(rangeOf),
        groups: [all, ...slices.map(({ places }) => places)].map((each) => Int32Array.from(each)),
        options,
      });
      const byGroup = found.map((intervals) => nameIntervals(measures, intervals));
      const find = (dimension: string, value: string) => {
        const index = slices.findIndex(
          (each) => each.dimension === dimension && each.value === value,
        );
        return byGroup[index + 1] ?? {};
      };
      return { ...row, intervals: byGroup[0] ?? {}, slices: addToSlices(row.slices, find) };
    },
  };
}

function nameIntervals(
  measures: readonly Measure[],
  intervals: readonly (MeanInterval | null)[],
): Intervals {
  return Object.fromEntries(measures.map(({ name }, index) => [name, intervals[index] ?? null]));
}

function addToSlices(
  slices: ScorecardRow['slices'],
  find: (dimension: string, value: string) => Intervals,
): ScorecardRow['slices'] {
  return Object.fromEntries(
    Object.entries(slices).map(([dimension, byValue]) => [
      dimension,
      Object.fromEntries(
        Object.entries(byValue).map(([value, slice]) => [
          value,
          { ...slice, intervals: find(dimension, value) },
        ]),
      ),
    ]),
  );
}
