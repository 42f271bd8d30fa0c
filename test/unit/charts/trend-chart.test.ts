import { describe, expect, it } from 'vitest';

import { drawTrend } from '../../../src/charts/trend-chart.ts';

const columns = { run: 'Run', value: 'RR', low: 'from', high: 'to', note: 'note' };
const input = {
  title: 'RR fell below the band',
  columns,
  baselineName: 'baseline 0.7',
  baseline: { value: 0.7, low: 0.6 },
  runs: [
    { name: '1 May', value: 0.8, interval: { low: 0.7, high: 0.9 } },
    { name: '2 May', value: 0.4, issue: 'half of the searches failed' },
    { name: '3 May', value: 0.5, interval: { low: 0.4, high: 0.6 } },
  ],
};

describe('drawTrend', () => {
  // 184 px: three runs from 44 + 14 to 184 - 12 - 14, so at 58, 108 and 158. 0.4 to 0.9 on 200 px from 212 up to 12.
  const frame = { width: 184, locale: 'en' };

  it('places runs with whiskers from left to right, and joins those that count', () => {
    const { svg } = drawTrend(input, frame);

    expect(svg).toContain('<circle class="dot" cx="58" cy="52" r="5"/>');
    expect(svg).toContain('<line class="whisker" x1="58" x2="58" y1="92" y2="12"/>');
    expect(svg).toContain('<circle class="hollow" cx="108" cy="212" r="5"/>');
    expect(svg).toContain('<circle class="dot" cx="158" cy="172" r="5"/>');
    expect(svg).toContain('<path class="line" d="M58 52L158 172"/>');
  });

  it('draws the band from the baseline down to what is allowed', () => {
    const { svg } = drawTrend(input, frame);

    expect(svg).toContain('<rect class="band" x="44" y="92" width="128" height="40"/>');
    expect(svg).toContain('<line class="reference" x1="44" x2="172" y1="92" y2="92">');
  });

  it('has the same figures as a table, with the reason of a run that does not count', () => {
    const { table } = drawTrend(input, { ...frame, locale: 'de' });

    expect(table.columns).toEqual(['Run', 'RR', 'from', 'to', 'note']);
    expect(table.rows[1]).toEqual(['2 May', '0,400', '–', '–', 'half of the searches failed']);
    expect(table.rows[2]).toEqual(['3 May', '0,500', '0,400', '0,600', '']);
  });

  it('draws one run, a run without a value, and none', () => {
    const [first] = input.runs;
    const empty = { name: 'x', value: null, issue: 'failed' };

    expect(drawTrend({ ...input, runs: first ? [first] : [] }, frame).svg).toContain('cx="58"');
    expect(drawTrend({ ...input, runs: [empty] }, frame).svg).toContain('class="hollow"');
    expect(drawTrend({ ...input, runs: [], baseline: null }, frame).svg).not.toContain('NaN');
  });
});
