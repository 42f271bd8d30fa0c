import { max } from 'd3-array';
import { scaleLinear } from 'd3-scale';

import type { Chart, ChartFrame } from './chart.ts';
import { element, hint, label, picture } from './svg.ts';

export interface DifferencesInput {
  readonly title: string;
  /** One a question: candidate minus baseline. */
  readonly differences: readonly number[];
  readonly texts: {
    readonly worse: string;
    readonly equal: string;
    readonly better: string;
    readonly difference: string;
    readonly questions: string;
  };
}

interface Bin {
  readonly kind: 'loss' | 'tie' | 'win';
  /** How far from zero it begins and ends, in steps. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

const plotHeight = 150;
const headHeight = 36;
const axisHeight = 26;
/** Questions without a difference are named in the middle: a bar of them would dwarf all others. */
const tieWidth = 34;
const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const mostBins = 10;

/** How many questions lost and won how much. Those without a difference have no bar, and a line in the table. */
export function drawDifferences(input: DifferencesInput, frame: ChartFrame): Chart {
  const { differences, texts, title } = input;
  const reach = max(differences, Math.abs) ?? 0;
  const step = steps.find((each) => reach <= each * mostBins + 1e-9) ?? Math.ceil(reach / mostBins);
  const bins = countBins(differences, step);
  const binsPerSide = Math.max(1, ...bins.map(({ to }) => to));
  const sideWidth = (frame.width - tieWidth) / 2;
  const binWidth = sideWidth / binsPerSide;
  const moved = bins.filter(({ kind }) => kind !== 'tie');
  const y = scaleLinear([0, Math.max(1, max(moved, (bin) => bin.count) ?? 0)], [0, plotHeight]);
  const count = new Intl.NumberFormat(frame.locale);
  const number = new Intl.NumberFormat(frame.locale, {
    maximumFractionDigits: 3,
    signDisplay: 'exceptZero',
  });
  const bottom = headHeight + plotHeight;

  const nameBin = (bin: Bin) => toName(bin, { step, number });
  const bars = moved
    .filter((bin) => bin.count > 0)
    .flatMap((bin) => {
      const { kind, from, to } = bin;
      const x =
        kind === 'loss' ? sideWidth - to * binWidth : frame.width - sideWidth + from * binWidth;
      const place = { x, width: binWidth, height: y(bin.count), bottom };
      return drawBin(kind, place, { name: nameBin(bin), count: count.format(bin.count) });
    });
  const ends = [
    [0, 'start', number.format(-binsPerSide * step)],
    [sideWidth + tieWidth / 2, 'middle', number.format(0)],
    [frame.width, 'end', number.format(binsPerSide * step)],
  ] as const;
  const heads = [
    [0, 'start', texts.worse],
    [sideWidth + tieWidth / 2, 'middle', texts.equal],
    [frame.width, 'end', texts.better],
  ] as const;
  return {
    title,
    svg: picture({ width: frame.width, height: bottom + axisHeight }, title, [
      ...heads.map(([x, anchor, text]) =>
        label({ class: 'name', x, y: 12, 'text-anchor': anchor }, text),
      ),
      element('line', { class: 'axis', x1: 0, x2: frame.width, y1: bottom, y2: bottom }),
      ...bars,
      ...ends.map(([x, anchor, text]) =>
        label({ class: 'tick', x, y: bottom + 16, 'text-anchor': anchor }, text),
      ),
    ]),
    table: {
      columns: [texts.difference, texts.questions],
      rows: bins.map((bin) => [nameBin(bin), count.format(bin.count)]),
    },
  };
}

function toName(
  { kind, from, to }: Bin,
  { step, number }: { readonly step: number; readonly number: Intl.NumberFormat },
): string {
  if (kind === 'tie') return number.format(0);
  const sign = kind === 'loss' ? -1 : 1;
  const ends = [sign * from * step, sign * to * step].toSorted((a, b) => a - b);
  return ends.map((end) => number.format(end)).join(' … ');
}

interface Place {
  readonly x: number;
  readonly width: number;
  readonly height: number;
  readonly bottom: number;
}

function drawBin(
  kind: Bin['kind'],
  { x, width, height, bottom }: Place,
  { name, count }: { readonly name: string; readonly count: string },
): readonly string[] {
  const bar = { class: kind, x: x + 1, y: bottom - height, width: width - 2, height };
  const above = {
    class: 'tick',
    x: x + width / 2,
    y: bottom - height - 4,
    'text-anchor': 'middle',
  };
  return [element('rect', bar, hint(`${name}: ${count}`)), label(above, count)];
}

/** From the largest loss to the largest win. A bin has its end that is farther from zero. */
function countBins(differences: readonly number[], step: number): readonly Bin[] {
  const losses = new Map<number, number>();
  const wins = new Map<number, number>();
  let ties = 0;
  for (const difference of differences) {
    if (difference === 0) ties += 1;
    else {
      const side = difference < 0 ? losses : wins;
      const to = Math.max(1, Math.ceil(Math.abs(difference) / step - 1e-9));
      side.set(to, (side.get(to) ?? 0) + 1);
    }
  }
  const last = Math.max(1, ...losses.keys(), ...wins.keys());
  const places = Array.from({ length: last }, (_, index) => index + 1);
  return [
    ...places.toReversed().map((to) => toBin('loss', to, losses.get(to) ?? 0)),
    { kind: 'tie', from: 0, to: 0, count: ties },
    ...places.map((to) => toBin('win', to, wins.get(to) ?? 0)),
  ];
}

function toBin(kind: 'loss' | 'win', to: number, count: number): Bin {
  return { kind, from: to - 1, to, count };
}
