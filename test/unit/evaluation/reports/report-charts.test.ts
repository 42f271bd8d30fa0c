import { describe, expect, it } from 'vitest';

import { drawReport } from '../../../../src/evaluation/reports/report-charts.ts';
import { reportAsHtml } from '../../../../src/evaluation/reports/report-html.ts';
import type { ScorecardRow } from '../../../../src/model/scorecard.ts';

const rows = [
  { configuration: 'bm25', measures: { 'nDCG@10': 0.5 }, slices: {} },
  {
    configuration: '<b>hybrid',
    slices: {},
    measures: { 'nDCG@10': 0.7 },
    intervals: { 'nDCG@10': { confidence: 0.95, low: 0.6, high: 0.8 } },
  },
] as unknown as readonly ScorecardRow[];

describe('the picture of a report', () => {
  it('says in one sentence which configuration has the highest mean', () => {
    expect(drawReport(rows)?.summary).toBe(
      '<b>hybrid has the highest mean nDCG@10 of 2 configurations: 0.700 (95 % interval 0.600 to 0.800). Compare it with the next one before you decide: intervals that overlap do not tell.',
    );
    expect(drawReport(rows.slice(0, 1))?.summary).toBe('bm25: mean nDCG@10 0.500.');
    expect(drawReport([])).toBeUndefined();
  });

  it('stands below the title, for phones and for wide screens, and names stay text', () => {
    const html = reportAsHtml('# Evaluation x\n\n- one\n', drawReport(rows));

    expect(html).toMatch(/<\/h1>\s*<p class="summary">&lt;b&gt;hybrid has/);
    expect(html.match(/<svg class="chart" viewBox="0 0 (330|720) /g)).toHaveLength(2);
    expect(html).not.toContain('<b>');
    expect(html).not.toMatch(/(src|href)=|url\(|@import/);
  });
});
