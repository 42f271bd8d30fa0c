import { max } from 'd3-array';
import { scaleLinear } from 'd3-scale';

import type { Chart, ChartFrame } from './chart.ts';
import { element, hint, label, picture } from './svg.ts';

export interface Cause {
  readonly name: string;
  readonly documents: number;
  /** Of all lost documents. */
  readonly share: number;
}

export interface CausesInput {
  readonly title: string;
  readonly causes: readonly Cause[];
  readonly columns: { readonly cause: string; readonly documents: string; readonly share: string };
}

const rowHeight = 42;
const valueWidth = 92;

/** Where relevant documents are lost: a bar for each cause, with its name above. */
export function drawCauses({ title, causes, columns }: CausesInput, frame: ChartFrame): Chart {
  const count = new Intl.NumberFormat(frame.locale);
  const percent = new Intl.NumberFormat(frame.locale, { style: 'percent' });
  const most = Math.max(1, max(causes, ({ documents }) => documents) ?? 0);
  const x = scaleLinear([0, most], [0, Math.max(0, frame.width - valueWidth)]);
  const rows = causes.map(({ name, documents, share }, index) => {
    const y = index * rowHeight;
    const text = `${count.format(documents)} (${percent.format(share)})`;
    return element(
      'g',
      {},
      [
        hint(`${name}: ${text}`),
        label({ class: 'name', x: 0, y: y + 14 }, name),
        element('rect', { class: 'bar', x: 0, y: y + 20, width: x(documents), height: 14 }),
        label({ class: 'value', x: x(documents) + 6, y: y + 32 }, text),
      ].join(''),
    );
  });
  return {
    title,
    svg: picture(
      { width: frame.width, height: Math.max(1, causes.length) * rowHeight },
      title,
      rows,
    ),
    table: {
      columns: [columns.cause, columns.documents, columns.share],
      rows: causes.map(({ name, documents, share }) => [
        name,
        count.format(documents),
        percent.format(share),
      ]),
    },
  };
}
