import { drawIntervals } from '../../../src/charts/intervals-chart.ts';
import type { Chart } from '../../../src/charts/chart.ts';
import { findLeader } from '../../../src/charts/headline.ts';
import type { Schemas } from '../api/client.ts';
import { language, t } from '../texts/texts.ts';

type Row = Schemas['ScorecardRow'];

interface MeanRow {
  readonly configuration: string;
  readonly measures: Row['measures'];
  readonly intervals?: Row['intervals'] | undefined;
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

/** What the picture of means says. */
export function tellMeans(rows: readonly MeanRow[], measure: string): string {
  const leader = findLeader(rows, measure)?.configuration;
  return leader === undefined
    ? t('meansTitle', { measure })
    : t('meansLeader', { measure, leader });
}
