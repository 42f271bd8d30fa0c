import { rangeOf } from '../../ir/measures/measure-range.ts';
import type { Measure } from '../../ir/measures/measure.ts';
import { sliceValues, type Question, type SliceDimension } from '../../model/question.ts';
import type { BootstrapOptions } from '../../ir/statistics/bootstrap.ts';
import type { MeanInterval } from '../../ir/statistics/mean-interval.ts';
import { createYieldToEventLoop } from '../../yield-to-event-loop.ts';
import { runTask } from '../statistics/run-task.ts';
import type { Intervals, ScorecardRow } from '../../model/scorecard.ts';

export interface ValueCollector {
  /** Takes one question's values, in the order of the measures. */
  readonly add: (question: Question, values: readonly number[]) => void;
  /** The row with the interval of each of its means. */
  readonly addIntervals: (row: ScorecardRow) => Promise<ScorecardRow>;
}

/** Keeps every value, for what the mean alone cannot show: 8 bytes a question and measure. */
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
      const slices = [...placesByDimension.values()].flatMap((byValue) => [...byValue.values()]);
      const found = findIntervals(
        { columns: await shareColumns(columns), ranges: measures.map(rangeOf) },
        [all, ...slices],
        options,
      );
      const next = async () => nameIntervals(measures, (await found.next()).value ?? []);
      const intervals = await next();
      const named = new Map<string, ReadonlyMap<string, Intervals>>();
      for (const [dimension, byValue] of placesByDimension) {
        const bySlice = new Map<string, Intervals>();
        for (const value of byValue.keys()) bySlice.set(value, await next());
        named.set(dimension, bySlice);
      }
      return { ...row, intervals, slices: addToSlices(row.slices, named) };
    },
  };
}

/** A copy in memory that threads read without copying it again. */
async function shareColumns(
  columns: readonly (readonly number[])[],
): Promise<readonly Float64Array[]> {
  const yieldToEventLoop = createYieldToEventLoop();
  const shared: Float64Array[] = [];
  for (const column of columns) {
    const copy = new Float64Array(
      new SharedArrayBuffer(column.length * Float64Array.BYTES_PER_ELEMENT),
    );
    copy.set(column);
    shared.push(copy);
    await yieldToEventLoop();
  }
  return shared;
}

/** The values of each measure, and the range of each. */
interface Columns {
  readonly columns: readonly Float64Array[];
  readonly ranges: readonly ReturnType<typeof rangeOf>[];
}

/** Values that one task resamples: a few tenths of a second, so that other tasks can run in between. */
const resampledPerTask = 50e6;

/** Yields the intervals of each group, in their order. No task holds more slices than it needs to be worth a thread. */
async function* findIntervals(
  { columns, ranges }: Columns,
  groups: readonly (readonly number[])[],
  options: BootstrapOptions,
): AsyncGenerator<readonly (MeanInterval | null)[], undefined> {
  const questionsPerTask = resampledPerTask / (options.resamples * columns.length);
  let some: Int32Array[] = [];
  let questions = 0;
  for (const [index, group] of groups.entries()) {
    some.push(Int32Array.from(group));
    questions += group.length;
    if (questions < questionsPerTask && index < groups.length - 1) continue;
    yield* await runTask('meanIntervals', { columns, ranges, groups: some, options });
    [some, questions] = [[], 0];
  }
}

function nameIntervals(
  measures: readonly Measure[],
  intervals: readonly (MeanInterval | null)[],
): Intervals {
  return Object.fromEntries(measures.map(({ name }, index) => [name, intervals[index] ?? null]));
}

function addToSlices(
  slices: ScorecardRow['slices'],
  named: ReadonlyMap<string, ReadonlyMap<string, Intervals>>,
): ScorecardRow['slices'] {
  return Object.fromEntries(
    Object.entries(slices).map(([dimension, byValue]) => [
      dimension,
      Object.fromEntries(
        Object.entries(byValue).map(([value, slice]) => [
          value,
          { ...slice, intervals: named.get(dimension)?.get(value) ?? {} },
        ]),
      ),
    ]),
  );
}
