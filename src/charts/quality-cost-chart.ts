import { max, min } from 'd3-array';
import { scaleLinear } from 'd3-scale';

import { drawBottomAxis, drawLeftAxis, drawLine } from './axes.ts';
import type { Chart, ChartFrame } from './chart.ts';
import { element, hint, label, picture, shorten } from './svg.ts';

export interface QualityPoint {
  readonly name: string;
  readonly quality: number;
  /** In the unit of the axis. */
  readonly cost: number;
  /** Whether no other configuration is better without costing more. */
  readonly isBest: boolean;
}

export interface QualityCostInput {
  readonly title: string;
  readonly points: readonly QualityPoint[];
  readonly names: {
    readonly configuration: string;
    readonly quality: string;
    /** With its unit. */
    readonly cost: string;
    readonly best: string;
    readonly yes: string;
    readonly no: string;
  };
}

const left = 44;
const top = 16;
const plotHeight = 220;
const axisHeight = 40;

/** Configurations by quality and cost. Those that nothing beats are filled and joined; the others are hollow. */
export function drawQualityCost(input: QualityCostInput, frame: ChartFrame): Chart {
  const { points, names, title } = input;
  const right = frame.width - 12;
  const bottom = top + plotHeight;
  const x = scaleLinear([0, (max(points, ({ cost }) => cost) ?? 0) || 1], [left, right - 40]).nice(
    5,
  );
  const y = scaleLinear(findDomain(points), [bottom - 12, top]).nice(5);
  const format = new Intl.NumberFormat(frame.locale, {
    minimumFractionDigits: 3,
    maximumFractionDigits: 3,
  });
  const tickFormat = new Intl.NumberFormat(frame.locale, { maximumFractionDigits: 3 });
  const costFormat = new Intl.NumberFormat(frame.locale, { maximumSignificantDigits: 4 });
  const plot = { left, right, top, bottom };
  const front = points
    .filter(({ isBest }) => isBest)
    .toSorted((a, b) => a.cost - b.cost || a.quality - b.quality);
  const axis = { ticks: x.ticks(frame.width < 500 ? 3 : 6), format: costFormat, name: names.cost };
  return {
    title,
    svg: picture({ width: frame.width, height: bottom + axisHeight }, title, [
      ...drawLeftAxis(y, plot, tickFormat),
      ...drawBottomAxis(x, plot, axis),
      drawLine(
        'ideal',
        front.map(({ cost, quality }) => [x(cost), y(quality)] as const),
      ),
      ...points.map((point) => {
        const { name, quality, cost, isBest } = point;
        const at = { cx: x(cost), cy: y(quality) };
        const isLate = at.cx > (left + right) / 2;
        const place = { x: at.cx + (isLate ? -9 : 9), y: at.cy - 7 };
        const text = `${name}: ${format.format(quality)}, ${costFormat.format(cost)}`;
        return element(
          'g',
          {},
          [
            hint(text),
            element('circle', { class: isBest ? 'dot' : 'hollow', ...at, r: 5 }),
            label(
              { class: 'tick', ...place, 'text-anchor': isLate ? 'end' : 'start' },
              shorten(name, (right - left) / 2),
            ),
          ].join(''),
        );
      }),
    ]),
    table: {
      columns: [names.configuration, names.quality, names.cost, names.best],
      rows: points.map(({ name, quality, cost, isBest }) => [
        name,
        format.format(quality),
        costFormat.format(cost),
        isBest ? names.yes : names.no,
      ]),
    },
  };
}

/** Never narrower than a twentieth, so that small differences stay small. */
function findDomain(points: readonly QualityPoint[]): [number, number] {
  const low = min(points, ({ quality }) => quality) ?? 0;
  const high = max(points, ({ quality }) => quality) ?? 1;
  const missing = Math.max(0, 0.05 - (high - low)) / 2;
  return [low - missing, high + missing];
}
