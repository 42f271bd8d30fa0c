import { drawIntervals } from '../../../src/charts/intervals-chart.ts';
import type { Chart } from '../../../src/charts/chart.ts';
import type { Schemas } from '../api/client.ts';
import { language, t } from '../texts/texts.ts';

type Row = Schemas['ScorecardRow'];

interface MeanRow {
  readonly configuration: string;
  readonly measures: Row['measures'];
  readonly intervals?: Row['intervals'] | undefined;
}

/** The measure that a glance needs: nDCG@10 where there is one, else the first that is no share of judged documents. */
export function pickHeadline(measures: readonly string[]): string {
  const real = measures.filter((name) => !name.startsWith('judged@'));
  return real.find((name) => name === 'nDCG@10') ?? real[0] ?? measures[0] ?? '';
}

/** The means of one measure with their intervals, a row a configuration, in the order given. */
export function drawMeans(
  rows: readonly MeanRow[],
  {
    measure,
    width,
    title,
  }: { readonly measure: string; readonly width: number; readonly title: string },
): Chart {
  return drawIntervals(
    {
      title,
      columns: { name: t('configuration'), value: measure, low: t('low'), high: t('high') },
      rows: rows.map(({ configuration, measures, intervals }) => ({
        name: configuration,
        value: measures[measure] ?? null,
        interval: intervals?.[measure] ?? null,
      })),
    },
    { width, locale: language },
  );
}

/** The configuration with the highest mean; undefined when there is none, or only one. */
function findLeader(rows: readonly MeanRow[], measure: string): string | undefined {
  const ranked = rows
    .filter((row) => typeof row.measures[measure] === 'number')
    .toSorted((a, b) => (b.measures[measure] ?? 0) - (a.measures[measure] ?? 0));
  return ranked.length > 1 ? ranked[0]?.configuration : undefined;
}

/** What the picture of means says. */
export function tellMeans(rows: readonly MeanRow[], measure: string): string {
  const leader = findLeader(rows, measure);
  return leader === undefined
    ? t('meansTitle', { measure })
    : t('meansLeader', { measure, leader });
}
