import { escape, table } from './markdown.ts';
import type { Intervals, Means, ScorecardRow } from '../../model/scorecard.ts';

/** The sections of a report that hold means: of all questions, what the labels leave open, and by slice. */
export function reportScorecard(rows: readonly ScorecardRow[]): readonly string[][] {
  const [first] = rows;
  if (!first) return [];
  const note = noteIntervals(rows);
  return [
    ['## Scorecard', '', ...scorecardTable(rows), ...note],
    reportBounds(rows),
    ...Object.keys(first.slices).map((dimension) => [
      `## By ${dimension}`,
      '',
      ...sliceTable(rows, dimension),
    ]),
  ];
}

function scorecardTable(rows: readonly ScorecardRow[]): string[] {
  const measures = Object.keys(rows[0]?.measures ?? {});
  return table(
    ['configuration', ...measures],
    rows.map((row) => [
      escape(row.configuration),
      ...measures.map((name) => toText(row.measures, name, row.intervals)),
    ]),
  );
}

function noteIntervals(rows: readonly ScorecardRow[]): string[] {
  const made = rows.flatMap(({ intervals = {} }) => Object.values(intervals));
  const interval = made.find((each) => each !== null);
  if (!interval) return [];
  const { confidence } = interval;
  const methods = [...new Set(made.flatMap((each) => (each ? methodNames[each.method] : [])))];
  const percent = Number((100 * confidence).toPrecision(6));
  return [
    '',
    `In parentheses: the ${percent} % confidence interval of the mean over all such questions (${methods.join('; ')}).`,
  ];
}

const methodNames = {
  gaffke: "Gaffke's bounds, for hits those of Clopper and Pearson",
  't-and-hall': "for DCG the wider of Student's t and its correction for skewness",
  'bca-bootstrap': 'BCa bootstrap',
} as const;

function reportBounds(rows: readonly ScorecardRow[]): string[] {
  const measures = Object.keys(rows[0]?.bounds ?? {});
  if (measures.length === 0) return [];
  const lines = rows.map(({ configuration, bounds = {} }) => [
    escape(configuration),
    ...measures.map((name) => toRange(bounds[name])),
  ]);
  return [
    '## Effect of unjudged documents',
    '',
    ...table(['configuration', ...measures], lines),
    '',
    'The smallest and largest possible value of each mean, over all possible grades of the unjudged documents in the rankings.',
  ];
}

function sliceTable(rows: readonly ScorecardRow[], dimension: string): string[] {
  const measures = Object.keys(rows[0]?.measures ?? {});
  const lines = rows.flatMap((row) =>
    Object.entries(row.slices[dimension] ?? {}).map(([value, slice]) => [
      escape(value),
      escape(row.configuration),
      String(slice.questions),
      ...measures.map((name) => toText(slice.measures, name, slice.intervals)),
    ]),
  );
  const byValue = lines.toSorted(([a = ''], [b = '']) => (a === b ? 0 : a < b ? -1 : 1));
  return table([dimension, 'configuration', 'questions', ...measures], byValue);
}

function toText(means: Means, name: string, intervals: Intervals | undefined): string {
  const value = means[name];
  if (value === null || value === undefined) return '–';
  const interval = intervals?.[name];
  return interval ? `${value.toFixed(4)} (${toRange(interval)})` : value.toFixed(4);
}

function toRange(ends: { readonly low: number; readonly high: number } | undefined): string {
  return ends ? `${ends.low.toFixed(4)} to ${ends.high.toFixed(4)}` : '–';
}
