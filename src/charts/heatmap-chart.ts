import { max, min } from 'd3-array';
import { scaleLinear } from 'd3-scale';

import type { Chart, ChartFrame } from './chart.ts';
import { element, hint, label, picture, shorten } from './svg.ts';

export interface HeatmapInput {
  readonly title: string;
  /** The name of the column of row names. */
  readonly corner: string;
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly name: string;
    /** By column; null: no question counts. */
    readonly values: readonly (number | null)[];
  }[];
}

const rowHeight = 34;
const headHeight = 24;
/** Light enough for the text on it in every theme. */
const strongest = 0.45;

/** Values of rows and columns as cells: the higher, the stronger. Each cell has its number. */
export function drawHeatmap(
  { title, corner, columns, rows }: HeatmapInput,
  frame: ChartFrame,
): Chart {
  const left = Math.min(160, frame.width * 0.3);
  const cellWidth = (frame.width - left) / Math.max(1, columns.length);
  const values = rows.flatMap(({ values: cells }) => cells.filter((value) => value !== null));
  const low = min(values) ?? 0;
  const high = max(values) ?? 1;
  const strength = scaleLinear([low, high === low ? low + 1 : high], [0.05, strongest]);
  const short = createFormat(frame.locale, cellWidth < 48 ? 2 : 3);
  const long = createFormat(frame.locale, 3);
  const heads = columns.map((name, index) =>
    element(
      'g',
      {},
      hint(name) +
        label(
          { class: 'tick', x: left + (index + 0.5) * cellWidth, y: 14, 'text-anchor': 'middle' },
          shorten(name, cellWidth - 6),
        ),
    ),
  );
  const cells = rows.flatMap((row, line) => {
    const y = headHeight + line * rowHeight;
    const drawn = columns.map((column, index) =>
      drawCell(row.values[index] ?? null, {
        name: `${row.name}, ${column}`,
        x: left + index * cellWidth,
        y,
        width: cellWidth,
        strength,
        format: short,
      }),
    );
    return [label({ class: 'name', x: 0, y: y + 21 }, shorten(row.name, left - 8)), ...drawn];
  });
  return {
    title,
    svg: picture({ width: frame.width, height: headHeight + rows.length * rowHeight }, title, [
      ...heads,
      ...cells,
    ]),
    table: {
      columns: [corner, ...columns],
      rows: rows.map((row) => [
        row.name,
        ...columns.map((_column, index) => {
          const value = row.values[index] ?? null;
          return value === null ? '–' : long.format(value);
        }),
      ]),
    },
  };
}

function createFormat(locale: string, digits: number): Intl.NumberFormat {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(locale, options);
}

function drawCell(
  value: number | null,
  {
    name,
    x,
    y,
    width,
    strength,
    format,
  }: {
    readonly name: string;
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly strength: (value: number) => number;
    readonly format: Intl.NumberFormat;
  },
): string {
  const text = value === null ? '–' : format.format(value);
  const box = { class: 'cell', x: x + 1, y: y + 1, width: width - 2, height: rowHeight - 2 };
  const middle = { class: 'number', x: x + width / 2, y: y + 21, 'text-anchor': 'middle' };
  return element(
    'g',
    {},
    [
      hint(`${name}: ${text}`),
      value === null ? '' : element('rect', { ...box, 'fill-opacity': strength(value) }),
      label(middle, text),
    ].join(''),
  );
}
