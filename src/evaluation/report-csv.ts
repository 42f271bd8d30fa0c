import { stringify } from 'csv-stringify/sync';

import type { Means, ScorecardRow } from './scorecard.ts';

const columns = ['configuration', 'slice', 'value', 'questions', 'measure', 'mean'];

/**
 * One line for each mean of a scorecard, in full precision; `slice` and `value` are empty for all
 * questions. Text that a spreadsheet would take for a formula is quoted with an apostrophe.
 */
export function reportAsCsv(scorecard: readonly ScorecardRow[]): string {
  const lines = scorecard.flatMap((row) => [
    ...toLines([row.configuration, '', '', row.questions.scored], row.measures),
    ...Object.entries(row.slices).flatMap(([dimension, values]) =>
      Object.entries(values).flatMap(([value, { questions, measures }]) =>
        toLines([row.configuration, dimension, value, questions], measures),
      ),
    ),
  ]);
  return stringify(lines, { header: true, columns, escape_formulas: true });
}

function toLines(place: readonly (string | number)[], means: Means): (string | number | null)[][] {
  return Object.entries(means).map(([measure, mean]) => [...place, measure, mean]);
}
