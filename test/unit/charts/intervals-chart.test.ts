import { describe, expect, it } from 'vitest';

import { drawIntervals } from '../../../src/charts/intervals-chart.ts';

const columns = { name: 'Configuration', value: 'nDCG@10', low: 'from', high: 'to' };
const input = {
  title: 'hybrid finds most',
  columns,
  rows: [
    { name: 'bm25', value: 0.5, interval: { low: 0.4, high: 0.6 } },
    { name: 'hybrid', value: 0.7, interval: { low: 0.6, high: 0.8 } },
  ],
};

describe('drawIntervals', () => {
  it('places dots and whiskers on one scale', () => {
    // 400 px: names take 128, values 56, with 8 on both sides: 0.4 is at 136 and 0.8 at 336, 500 px a unit.
    const { svg } = drawIntervals(input, { width: 400, locale: 'en' });

    expect(svg).toContain('<circle class="dot" cx="186" cy="19" r="5"/>');
    expect(svg).toContain('<circle class="dot" cx="286" cy="49" r="5"/>');
    expect(svg).toContain('<line class="whisker" x1="136" x2="236" y1="19" y2="19"/>');
    expect(svg).toContain('<line class="whisker" x1="236" x2="336" y1="49" y2="49"/>');
  });

  it('has the title as accessible name and the same figures as a table', () => {
    const { svg, table } = drawIntervals(input, { width: 400, locale: 'de' });

    expect(svg).toMatch(/^<svg [^>]*role="img" aria-label="hybrid finds most"/);
    expect(table).toEqual({
      columns: ['Configuration', 'nDCG@10', 'from', 'to'],
      rows: [
        ['bm25', '0,500', '0,400', '0,600'],
        ['hybrid', '0,700', '0,600', '0,800'],
      ],
    });
  });

  it('shows a dash for a configuration without a mean, and no mark', () => {
    const rows = [{ name: 'empty', value: null }];
    const { svg, table } = drawIntervals({ ...input, rows }, { width: 400, locale: 'en' });

    expect(svg).not.toContain('circle');
    expect(table.rows).toEqual([['empty', '–', '–', '–']]);
  });

  it('keeps names from being markup', () => {
    const rows = [{ name: '<b>"&', value: 0.5 }];
    const { svg } = drawIntervals({ ...input, title: '"<i>', rows }, { width: 700, locale: 'en' });

    expect(svg).toContain('&lt;b&gt;&quot;&amp;');
    expect(svg).toContain('aria-label="&quot;&lt;i&gt;"');
    expect(svg).not.toMatch(/<b>|<i>/);
  });
});
