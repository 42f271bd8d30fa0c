import { max, min } from 'd3-array';
import { scaleLinear } from 'd3-scale';

import type { Chart, ChartFrame } from './chart.ts';
import { element, hint, label, picture, shorten } from './svg.ts';

export interface IntervalRow {
  readonly name: string;
  /** null: no question counts. */
  readonly value: number | null;
  /** Absent: no interval was computed. */
  readonly interval?: { readonly low: number; readonly high: number } | null | undefined;
}

export interface IntervalsInput {
  readonly title: string;
  readonly rows: readonly IntervalRow[];
  readonly columns: {
    readonly name: string;
    readonly value: string;
    readonly low: string;
    readonly high: string;
  };
  /** Where a line is drawn, as the value of a baseline or zero. */
  readonly reference?: { readonly value: number; readonly name: string } | undefined;
}

const rowHeight = 30;
const axisHeight = 26;
const valueWidth = 56;

/** Means as dots and their intervals as whiskers, one row below the other on one scale. */
export function drawIntervals(input: IntervalsInput, frame: ChartFrame): Chart {
  const { rows, reference, title } = input;
  const format = new Intl.NumberFormat(frame.locale, {
    minimumFractionDigits: 3,
    maximumFractionDigits: 3,
  });
  const left = Math.min(180, frame.width * 0.32);
  const right = frame.width - valueWidth;
  const bottom = rows.length * rowHeight + 8;
  const x = scaleLinear(findDomain(rows, reference?.value), [left + 8, right - 8]).nice(5);
  const ticks = x.ticks(frame.width < 500 ? 3 : 6);
  const tickFormat = new Intl.NumberFormat(frame.locale, { maximumFractionDigits: 3 });
  const axis = ticks.flatMap((tick) => [
    element('line', { class: 'grid', x1: x(tick), x2: x(tick), y1: 0, y2: bottom }),
    label(
      { class: 'tick', x: x(tick), y: bottom + 16, 'text-anchor': 'middle' },
      tickFormat.format(tick),
    ),
  ]);
  const line =
    reference &&
    element(
      'line',
      { class: 'reference', x1: x(reference.value), x2: x(reference.value), y1: 0, y2: bottom },
      hint(reference.name),
    );
  const marks = rows.map((row, index) => {
    const y = index * rowHeight + rowHeight / 2 + 4;
    return drawRow(row, { x, y, left, width: frame.width, format });
  });
  return {
    title,
    svg: picture({ width: frame.width, height: bottom + axisHeight }, title, [
      ...axis,
      line ?? '',
      ...marks,
    ]),
    table: {
      columns: [input.columns.name, input.columns.value, input.columns.low, input.columns.high],
      rows: rows.map(({ name, value, interval }) => [
        name,
        ...[value, interval?.low, interval?.high].map((each) =>
          each === null || each === undefined ? '–' : format.format(each),
        ),
      ]),
    },
  };
}

interface Place {
  readonly x: (value: number) => number;
  readonly y: number;
  readonly left: number;
  readonly width: number;
  readonly format: Intl.NumberFormat;
}

function drawRow({ name, value, interval }: IntervalRow, place: Place): string {
  const { x, y, left, width, format } = place;
  const text = value === null ? '–' : format.format(value);
  const range = interval
    ? ` (${format.format(interval.low)} – ${format.format(interval.high)})`
    : '';
  const whisker = interval
    ? [
        element('line', {
          class: 'whisker',
          x1: x(interval.low),
          x2: x(interval.high),
          y1: y,
          y2: y,
        }),
        ...[interval.low, interval.high].map((end) =>
          element('line', { class: 'whisker', x1: x(end), x2: x(end), y1: y - 5, y2: y + 5 }),
        ),
      ]
    : [];
  const dot = value === null ? '' : element('circle', { class: 'dot', cx: x(value), cy: y, r: 5 });
  return element(
    'g',
    {},
    [
      hint(`${name}: ${text}${range}`),
      label({ class: 'name', x: 0, y: y + 4 }, shorten(name, left)),
      ...whisker,
      dot,
      label({ class: 'value', x: width, y: y + 4, 'text-anchor': 'end' }, text),
    ].join(''),
  );
}

/** From the lowest to the highest end, never narrower than a twentieth, so that small differences stay small. */
function findDomain(rows: readonly IntervalRow[], reference: number | undefined): [number, number] {
  const values = rows.flatMap(({ value, interval }) => [
    ...(value === null ? [] : [value]),
    ...(interval ? [interval.low, interval.high] : []),
  ]);
  if (reference !== undefined) values.push(reference);
  const low = min(values) ?? 0;
  const high = max(values) ?? 1;
  const missing = Math.max(0, 0.05 - (high - low)) / 2;
  return [low - missing, high + missing];
}
