import { max, min } from 'd3-array';
import { scaleLinear } from 'd3-scale';

import { drawLeftAxis, drawLine } from './axes.ts';
import type { Chart, ChartFrame } from './chart.ts';
import { element, hint, label, picture } from './svg.ts';

export interface TrendRun {
  /** When it ended, as readers write it. */
  readonly name: string;
  /** null: nothing was scored. */
  readonly value: number | null;
  readonly interval?: { readonly low: number; readonly high: number } | null | undefined;
  /** Why it does not count; absent: it does. */
  readonly issue?: string | undefined;
}

export interface TrendInput {
  readonly title: string;
  /** The oldest first. */
  readonly runs: readonly TrendRun[];
  /** What the runs are held against, and how far below it they may lie. */
  readonly baseline: { readonly value: number; readonly low: number } | null;
  readonly columns: {
    readonly run: string;
    readonly value: string;
    readonly low: string;
    readonly high: string;
    readonly note: string;
  };
  /** The name of the line of the baseline. */
  readonly baselineName: string;
}

const left = 44;
const top = 12;
const plotHeight = 200;
const axisHeight = 26;

/** Runs from left to right with their intervals, in front of the band of the baseline. Runs that do not count are hollow. */
export function drawTrend(input: TrendInput, frame: ChartFrame): Chart {
  const { runs, baseline, title, columns } = input;
  const right = frame.width - 12;
  const bottom = top + plotHeight;
  const y = scaleLinear(findDomain(runs, baseline), [bottom, top]).nice(5);
  const x = scaleLinear([0, Math.max(1, runs.length - 1)], [left + 14, right - 14]);
  const tickFormat = new Intl.NumberFormat(frame.locale, { maximumFractionDigits: 3 });
  const format = new Intl.NumberFormat(frame.locale, {
    minimumFractionDigits: 3,
    maximumFractionDigits: 3,
  });
  const places = runs.map((run, index) => ({ run, x: x(index) }));
  const counted = places.map(({ run, x: at }) =>
    run.issue === undefined && run.value !== null ? ([at, y(run.value)] as const) : null,
  );
  const toText = (value: number | null | undefined) =>
    value === null || value === undefined ? '–' : format.format(value);
  return {
    title,
    svg: picture({ width: frame.width, height: bottom + axisHeight }, title, [
      ...(baseline ? drawBaseline(baseline, { y, right, name: input.baselineName }) : []),
      ...drawLeftAxis(y, { left, right, top, bottom }, tickFormat),
      drawLine(
        'line',
        counted.filter((point) => point !== null),
      ),
      ...places.map((place) => drawRun(place, { y, bottom, toText })),
      ...nameEnds(places, bottom),
    ]),
    table: {
      columns: [columns.run, columns.value, columns.low, columns.high, columns.note],
      rows: runs.map(({ name, value, interval, issue }) => [
        name,
        toText(value),
        toText(interval?.low),
        toText(interval?.high),
        issue ?? '',
      ]),
    },
  };
}

type Scale = (value: number) => number;

function drawBaseline(
  { value, low }: NonNullable<TrendInput['baseline']>,
  { y, right, name }: { readonly y: Scale; readonly right: number; readonly name: string },
): readonly string[] {
  const height = y(low) - y(value);
  return [
    element('rect', { class: 'band', x: left, y: y(value), width: right - left, height }),
    element(
      'line',
      { class: 'reference', x1: left, x2: right, y1: y(value), y2: y(value) },
      hint(name),
    ),
  ];
}

function drawRun(
  { run, x }: { readonly run: TrendRun; readonly x: number },
  {
    y,
    bottom,
    toText,
  }: {
    readonly y: Scale;
    readonly bottom: number;
    readonly toText: (value: number | null) => string;
  },
): string {
  const { name, value, interval, issue } = run;
  const whisker = interval
    ? element('line', { class: 'whisker', x1: x, x2: x, y1: y(interval.low), y2: y(interval.high) })
    : '';
  const cy = value === null ? bottom : y(value);
  const mark = element('circle', {
    class: issue === undefined ? 'dot' : 'hollow',
    cx: x,
    cy,
    r: 5,
  });
  const note = issue === undefined ? '' : ` (${issue})`;
  return element('g', {}, [hint(`${name}: ${toText(value)}${note}`), whisker, mark].join(''));
}

/** The first and the last run have their names below; those between are named by the pointer and in the table. */
function nameEnds(
  places: readonly { readonly run: TrendRun; readonly x: number }[],
  bottom: number,
): readonly string[] {
  const [first] = places;
  const last = places.length > 1 ? places.at(-1) : undefined;
  return [
    ...(first
      ? [label({ class: 'tick', x: left, y: bottom + 18, 'text-anchor': 'start' }, first.run.name)]
      : []),
    ...(last
      ? [
          label(
            { class: 'tick', x: last.x + 14, y: bottom + 18, 'text-anchor': 'end' },
            last.run.name,
          ),
        ]
      : []),
  ];
}

/** Never narrower than a twentieth, so that small differences stay small. */
function findDomain(runs: readonly TrendRun[], baseline: TrendInput['baseline']): [number, number] {
  const values = runs.flatMap(({ value, interval }) => [
    ...(value === null ? [] : [value]),
    ...(interval ? [interval.low, interval.high] : []),
  ]);
  if (baseline) values.push(baseline.value, baseline.low);
  const low = min(values) ?? 0;
  const high = max(values) ?? 1;
  const missing = Math.max(0, 0.05 - (high - low)) / 2;
  return [low - missing, high + missing];
}
