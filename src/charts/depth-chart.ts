import { max } from 'd3-array';
import { scaleLinear } from 'd3-scale';

import { drawBottomAxis, drawLeftAxis, drawLine } from './axes.ts';
import type { Chart, ChartFrame } from './chart.ts';
import { element, hint, label, picture } from './svg.ts';

export interface DepthInput {
  readonly title: string;
  /** By depth: index 0 is the first document. null: no question counts. */
  readonly kept: readonly (number | null)[];
  /** What the best order of the same documents would reach; null: the measure has none. */
  readonly oracle: readonly (number | null)[] | null;
  /** From where on more documents bring nothing. */
  readonly plateau: { readonly n: number; readonly value: number } | null;
  readonly names: {
    readonly depth: string;
    readonly kept: string;
    readonly oracle: string;
    readonly plateau: string;
  };
}

const left = 44;
const top = 12;
const plotHeight = 200;
const axisHeight = 40;
const shownDepths = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000];

/** A measure by the depth at which rankings are cut, below the line of the best order. */
export function drawDepthCurve(input: DepthInput, frame: ChartFrame): Chart {
  const { kept, oracle, plateau, names, title } = input;
  const right = frame.width - 12;
  const bottom = top + plotHeight;
  const depth = Math.max(2, kept.length);
  const x = scaleLinear([1, depth], [left, right]);
  const highest = max([...kept, ...(oracle ?? [])], (value) => value ?? 0) ?? 0;
  const y = scaleLinear([0, Math.max(0.1, highest)], [bottom, top]).nice(5);
  const count = new Intl.NumberFormat(frame.locale);
  const format = new Intl.NumberFormat(frame.locale, {
    minimumFractionDigits: 3,
    maximumFractionDigits: 3,
  });
  const tickFormat = new Intl.NumberFormat(frame.locale, { maximumFractionDigits: 3 });
  const toPoints = (values: readonly (number | null)[]) =>
    values.map((value, index) => (value === null ? null : ([x(index + 1), y(value)] as const)));
  const plot = { left, right, top, bottom };
  const ticks = [1, ...x.ticks(frame.width < 500 ? 4 : 8).filter((tick) => tick > 1)];
  const toText = (value: number | null | undefined) =>
    value === null || value === undefined ? '–' : format.format(value);
  const shown = shownDepths.filter((n) => n <= kept.length);
  return {
    title,
    svg: picture({ width: frame.width, height: bottom + axisHeight }, title, [
      ...drawLeftAxis(y, plot, tickFormat),
      ...drawBottomAxis(x, plot, { ticks, format: count, name: names.depth }),
      ...(oracle
        ? [
            drawLine('ideal', toPoints(oracle)),
            nameLine(oracle, names.oracle, { y, right, dy: -6 }),
          ]
        : []),
      drawLine('line', toPoints(kept)),
      nameLine(kept, names.kept, { y, right, dy: 16 }),
      plateau
        ? element(
            'circle',
            { class: 'dot', cx: x(plateau.n), cy: y(plateau.value), r: 5 },
            hint(`${names.plateau}: ${count.format(plateau.n)}`),
          )
        : '',
    ]),
    table: {
      columns: [names.depth, names.kept, ...(oracle ? [names.oracle] : [])],
      rows: [...new Set([...shown, kept.length])]
        .filter((n) => n > 0)
        .map((n) => [
          count.format(n),
          toText(kept[n - 1]),
          ...(oracle ? [toText(oracle[n - 1])] : []),
        ]),
    },
  };
}

/** At the right end of a line, so that no legend is needed. */
function nameLine(
  values: readonly (number | null)[],
  name: string,
  {
    y,
    right,
    dy,
  }: { readonly y: (value: number) => number; readonly right: number; readonly dy: number },
): string {
  const end = values.at(-1);
  if (end === null || end === undefined) return '';
  return label({ class: 'tick', x: right, y: y(end) + dy, 'text-anchor': 'end' }, name);
}
