import type { ScaleLinear } from 'd3-scale';

import { element, label } from './svg.ts';

interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

type Scale = ScaleLinear<number, number>;

/** Lines across the plot with their values to the left. */
export function drawLeftAxis(
  y: Scale,
  { left, right }: Plot,
  format: Intl.NumberFormat,
): readonly string[] {
  return y
    .ticks(5)
    .flatMap((tick) => [
      element('line', { class: 'grid', x1: left, x2: right, y1: y(tick), y2: y(tick) }),
      label(
        { class: 'tick', x: left - 6, y: y(tick) + 4, 'text-anchor': 'end' },
        format.format(tick),
      ),
    ]);
}

/** The line below the plot, values below it and what they count. */
export function drawBottomAxis(
  x: Scale,
  { left, right, bottom }: Plot,
  {
    ticks,
    format,
    name,
  }: {
    readonly ticks: readonly number[];
    readonly format: Intl.NumberFormat;
    readonly name: string;
  },
): readonly string[] {
  return [
    element('line', { class: 'axis', x1: left, x2: right, y1: bottom, y2: bottom }),
    ...ticks.map((tick) =>
      label(
        { class: 'tick', x: x(tick), y: bottom + 16, 'text-anchor': 'middle' },
        format.format(tick),
      ),
    ),
    label({ class: 'unit', x: right, y: bottom + 32, 'text-anchor': 'end' }, name),
  ];
}

/** A line through points; null interrupts it. */
export function drawLine(
  kind: string,
  points: readonly (readonly [number, number] | null)[],
): string {
  let command = 'M';
  const parts = points.map((point) => {
    if (!point) {
      command = 'M';
      return '';
    }
    const [x, y] = point.map((each) => Math.round(each * 100) / 100);
    const part = `${command}${x} ${y}`;
    command = 'L';
    return part;
  });
  return element('path', { class: kind, d: parts.join('') });
}
