import { drawCauses } from '../../../src/charts/causes-chart.ts';
import type { Chart } from '../../../src/charts/chart.ts';
import { drawDepthCurve } from '../../../src/charts/depth-chart.ts';
import { drawQualityCost } from '../../../src/charts/quality-cost-chart.ts';
import type { Schemas } from '../api/client.ts';
import { language, t, type TextKey } from '../texts/texts.ts';

export const costAxes = [
  ['latency', 'axisLatency'],
  ['calls', 'axisCalls'],
  ['cost', 'axisCost'],
] as const satisfies readonly (readonly [string, TextKey])[];
export type CostAxis = (typeof costAxes)[number][0];

type Configuration = Schemas['Pareto']['configurations'][number];

const costOf: Readonly<Record<CostAxis, (configuration: Configuration) => number | null>> = {
  latency: ({ latencyP95Ms }) => latencyP95Ms,
  calls: ({ callsPerQuestion }) => callsPerQuestion,
  cost: ({ costPerQuestion }) => costPerQuestion,
};

/** The axis that the address asks for, else the first on which anything is known. */
export function axisOf(asked: string | null, { configurations }: Schemas['Pareto']): CostAxis {
  const names = costAxes.map(([name]) => name);
  const known = names.find((name) => configurations.some((one) => costOf[name](one) !== null));
  return names.find((name) => name === asked) ?? known ?? 'latency';
}

/** Configurations without a figure on the axis are left out, and named in the title. */
export function drawFront(
  { measure, configurations, prices }: Schemas['Pareto'],
  axis: CostAxis,
  width: number,
): Chart {
  const points = configurations.flatMap((one) => {
    const cost = costOf[axis](one);
    if (one.quality === null || cost === null) return [];
    return [
      { name: one.configuration, quality: one.quality, cost, isBest: one.isOnFront === true },
    ];
  });
  const missing = configurations
    .map(({ configuration }) => configuration)
    .filter((name) => !points.some((point) => point.name === name));
  const best = points.filter(({ isBest }) => isBest).map(({ name }) => name);
  const title =
    best.length > 0 ? t('frontTitle', { names: best.join(', ') }) : t('frontUnknown', { measure });
  const left = missing.length > 0 ? ` ${t('frontMissing', { names: missing.join(', ') })}` : '';
  const unit = t(costAxes.find(([name]) => name === axis)?.[1] ?? 'axisLatency');
  return drawQualityCost(
    {
      title: title + left,
      points,
      names: {
        configuration: t('configuration'),
        quality: measure,
        cost: axis === 'cost' && prices ? `${unit} (${prices.currency})` : unit,
        best: t('notBeaten'),
        yes: t('yes'),
        no: t('no'),
      },
    },
    { width, locale: language },
  );
}

export function drawCurve({ curves, depth }: Schemas['DepthCurves'], width: number): Chart {
  const [curve] = curves;
  const measure = curve?.measure ?? '';
  const plateau = curve?.kept.plateau ?? null;
  return drawDepthCurve(
    {
      title: plateau
        ? t('depthTitle', { measure, n: plateau.n })
        : t('depthPlain', { measure, depth }),
      kept: curve?.kept.values ?? [],
      oracle: curve?.oracle?.values ?? null,
      plateau,
      names: {
        depth: t('documentsKept'),
        kept: t('asRanked'),
        oracle: t('bestOrder'),
        plateau: t('depth'),
      },
    },
    { width, locale: language },
  );
}

const causeTexts = {
  filtered: 'causeFiltered',
  absent: 'causeAbsent',
  'below-depth': 'causeBelowDepth',
  'lost-in-fusion': 'causeFusion',
  'lost-in-rerank': 'causeRerank',
  'below-k': 'causeBelowK',
} as const satisfies Readonly<Record<keyof Schemas['Diagnosis']['causes'], TextKey>>;

export function drawLosses(
  { causes, lost, relevant, k }: Schemas['Diagnosis'],
  width: number,
): Chart {
  return drawCauses(
    {
      title: t('lossTitle', { lost, relevant, k }),
      causes: Object.entries(causeTexts)
        .map(([cause, key]) => {
          const { documents, share } = causes[cause as keyof typeof causeTexts];
          return { name: t(key, { k }), documents, share: share ?? 0 };
        })
        .filter(({ documents }) => documents > 0)
        .toSorted((a, b) => b.documents - a.documents),
      columns: { cause: t('cause'), documents: t('documents'), share: t('share') },
    },
    { width, locale: language },
  );
}
