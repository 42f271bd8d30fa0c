import type { Chart, ChartFrame } from '../../charts/chart.ts';
import { drawHeatmap } from '../../charts/heatmap-chart.ts';
import { drawIntervals } from '../../charts/intervals-chart.ts';
import { findLeader, pickHeadline } from '../../charts/headline.ts';
import type { ScorecardRow } from '../../model/scorecard.ts';

/** What a report shows above its tables. */
export interface ReportPicture {
  /** The message in one sentence. */
  readonly summary: string;
  readonly charts: readonly ReportChart[];
}

/** Drawn twice, since text in a picture has one size: for phones, and for everything else. */
interface ReportChart {
  readonly narrow: Chart;
  readonly wide: Chart;
}

const widths = { narrow: 330, wide: 720 } as const;

/** The main measure: means with their intervals, and by kind of question; undefined before there is a scorecard. */
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
    charts: [drawTwice((frame) => drawIntervals(input, frame)), ...drawKinds(rows, measure)],
  };
}

function drawTwice(draw: (frame: ChartFrame) => Chart): ReportChart {
  return {
    narrow: draw({ width: widths.narrow, locale: 'en' }),
    wide: draw({ width: widths.wide, locale: 'en' }),
  };
}

/** As a report by kind has them; none where the evaluation is not sliced by kind. */
function drawKinds(rows: readonly ScorecardRow[], measure: string): readonly ReportChart[] {
  const kinds = Object.keys(rows[0]?.slices['kind'] ?? {});
  if (kinds.length < 2) return [];
  const input = {
    title: `${measure} by kind of question`,
    corner: 'kind',
    columns: rows.map(({ configuration }) => configuration),
    rows: kinds.map((name) => ({
      name,
      values: rows.map(({ slices }) => slices['kind']?.[name]?.measures[measure] ?? null),
    })),
  };
  return [drawTwice((frame) => drawHeatmap(input, frame))];
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
