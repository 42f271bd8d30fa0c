import type { Chart } from '../../charts/chart.ts';
import { drawIntervals } from '../../charts/intervals-chart.ts';
import { findLeader, pickHeadline } from '../../charts/headline.ts';
import type { ScorecardRow } from '../../model/scorecard.ts';

/** What a report shows above its tables. */
export interface ReportPicture {
  /** The message in one sentence. */
  readonly summary: string;
  /** Drawn twice, since text in a picture has one size: for phones, and for everything else. */
  readonly narrow: Chart;
  readonly wide: Chart;
}

const widths = { narrow: 330, wide: 720 } as const;

/** The means of the main measure with their intervals; undefined before there is a scorecard. */
export function drawReport(rows: readonly ScorecardRow[]): ReportPicture | undefined {
  const [first] = rows;
  if (!first) return undefined;
  const measure = pickHeadline(Object.keys(first.measures));
  const leader = findLeader(rows, measure);
  const input = {
    title: leader
      ? `${leader.configuration} has the highest mean ${measure}`
      : `Mean ${measure} with its interval`,
    columns: { name: 'Configuration', value: measure, low: 'from', high: 'to' },
    rows: rows.map(({ configuration, measures, intervals }) => ({
      name: configuration,
      value: measures[measure] ?? null,
      interval: intervals?.[measure] ?? null,
    })),
  };
  return {
    summary: summarize(rows, { measure, leader }),
    narrow: drawIntervals(input, { width: widths.narrow, locale: 'en' }),
    wide: drawIntervals(input, { width: widths.wide, locale: 'en' }),
  };
}

function summarize(
  rows: readonly ScorecardRow[],
  { measure, leader }: { readonly measure: string; readonly leader: ScorecardRow | undefined },
): string {
  const row = leader ?? rows[0];
  const value = row?.measures[measure];
  if (!row || typeof value !== 'number') return `No question counts towards ${measure}.`;
  const interval = row.intervals?.[measure];
  const range = interval
    ? ` (${100 * interval.confidence} % interval ${interval.low.toFixed(3)} to ${interval.high.toFixed(3)})`
    : '';
  const mean = `${value.toFixed(3)}${range}`;
  if (!leader) return `${row.configuration}: mean ${measure} ${mean}.`;
  const advice =
    'Compare it with the next one before you decide: intervals that overlap do not tell.';
  return `${leader.configuration} has the highest mean ${measure} of ${rows.length} configurations: ${mean}. ${advice}`;
}
