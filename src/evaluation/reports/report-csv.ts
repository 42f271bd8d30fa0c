import { stringify } from 'csv-stringify/sync';

import type { AverageRule } from '../../model/question.ts';
import { tellAverage, usualAverage } from '../../model/average-rule.ts';
import type { Intervals, Means, ScorecardRow, BoundsByMeasure } from '../../model/scorecard.ts';

const columns = ['configuration', 'slice', 'value', 'questions', 'measure', 'mean'];
const intervalColumns = ['intervalLow', 'intervalHigh', 'confidence'];
const boundColumns = ['boundLow', 'boundHigh'];

/**
 * One line for each mean of a scorecard, in full precision; `slice` and `value` are empty for all
 * questions. Intervals and bounds have columns where the evaluation has them, and so has the rule of the
 * means where it is not the usual one, and the codes of errors, where a row has any. Text that a spreadsheet would
 * take for a formula is quoted with an apostrophe.
 */
export function reportAsCsv(scorecard: readonly ScorecardRow[]): string {
  const extras = {
    intervals: scorecard.some(({ intervals }) => intervals !== undefined),
    bounds: scorecard.some(({ bounds }) => bounds !== undefined),
    errors: scorecard.some((row) => listErrors(row).length > 0),
    average: scorecard.some((row) => tellAverage(row).average !== usualAverage),
  };
  const lines = scorecard.flatMap((row) => listLines(row, extras));
  const header = [
    ...columns,
    ...(extras.intervals ? intervalColumns : []),
    ...(extras.bounds ? boundColumns : []),
    ...(extras.average ? ['average'] : []),
    ...(extras.errors ? ['errors'] : []),
  ];
  return stringify(lines, { header: true, columns: header, escape_formulas: true });
}

type Cell = string | number | null | undefined;

interface Extras {
  readonly intervals: boolean;
  readonly bounds: boolean;
  readonly average: boolean;
  readonly errors: boolean;
}

/** Why the means of a row mean nothing. */
function listErrors({ warnings }: ScorecardRow): readonly string[] {
  return warnings.flatMap(({ code, severity }) => (severity === 'error' ? code : []));
}

function listLines(row: ScorecardRow, extras: Extras): Cell[][] {
  const { configuration, slices } = row;
  const { average, averagedQuestions } = tellAverage(row);
  const errors = listErrors(row).join(' ');
  const whole = [configuration, '', '', averagedQuestions];
  return [
    ...toLines(whole, { ...row, average, errors }, extras),
    ...Object.entries(slices).flatMap(([dimension, values]) =>
      Object.entries(values).flatMap(([value, slice]) =>
        toLines(
          [configuration, dimension, value, slice.questions],
          { ...slice, average, errors },
          extras,
        ),
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
    average,
    errors,
  }: {
    readonly measures: Means;
    readonly intervals?: Intervals | undefined;
    readonly bounds?: BoundsByMeasure | undefined;
    readonly average: AverageRule;
    readonly errors: string;
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
      ...(extras.average ? [average] : []),
      ...(extras.errors ? [errors] : []),
    ];
  });
}
