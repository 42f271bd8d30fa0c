import { stringify } from 'csv-stringify/sync';

import type { BoundsByMeasure } from './bound-question.ts';
import type { Intervals, Means, ScorecardRow } from './scorecard.ts';

const columns = ['configuration', 'slice', 'value', 'questions', 'measure', 'mean'];
const intervalColumns = ['intervalLow', 'intervalHigh', 'confidence'];
const boundColumns = ['boundLow', 'boundHigh'];

/**
 * One line for each mean of a scorecard, in full precision; `slice` and `value` are empty for all
 * questions. Intervals and bounds have columns where the evaluation has them. Text that a spreadsheet would
 * take for a formula is quoted with an apostrophe.
 */
export function reportAsCsv(scorecard: readonly ScorecardRow[]): string {
  const extras = {
    intervals: scorecard.some(({ intervals }) => intervals !== undefined),
    bounds: scorecard.some(({ bounds }) => bounds !== undefined),
  };
  const lines = scorecard.flatMap((row) => listLines(row, extras));
  const header = [
    ...columns,
    ...(extras.intervals ? intervalColumns : []),
    ...(extras.bounds ? boundColumns : []),
  ];
  return stringify(lines, { header: true, columns: header, escape_formulas: true });
}

type Cell = string | number | null | undefined;

interface Extras {
  readonly intervals: boolean;
  readonly bounds: boolean;
}

function listLines(row: ScorecardRow, extras: Extras): Cell[][] {
  const { configuration, slices } = row;
  const whole = [configuration, '', '', row.questions.scored];
  return [
    ...toLines(whole, row, extras),
    ...Object.entries(slices).flatMap(([dimension, values]) =>
      Object.entries(values).flatMap(([value, slice]) =>
        toLines([configuration, dimension, value, slice.questions], slice, extras),
      ),
    ),
  ];
}

function toLines(
  place: readonly Cell[],
  {
    measures,
    intervals,
    bounds,
  }: {
    readonly measures: Means;
    readonly intervals?: Intervals | undefined;
    readonly bounds?: BoundsByMeasure | undefined;
  },
  extras: Extras,
): Cell[][] {
  return Object.entries(measures).map(([measure, mean]) => {
    const interval = intervals?.[measure];
    const range = bounds?.[measure];
    return [
      ...place,
      measure,
      mean,
      ...(extras.intervals ? [interval?.low, interval?.high, interval?.confidence] : []),
      ...(extras.bounds ? [range?.low, range?.high] : []),
    ];
  });
}
