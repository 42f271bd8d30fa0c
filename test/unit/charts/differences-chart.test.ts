import { describe, expect, it } from 'vitest';

import { drawDifferences } from '../../../src/charts/differences-chart.ts';

const texts = {
  worse: 'worse',
  equal: 'equal',
  better: 'better',
  difference: 'Difference',
  questions: 'Questions',
};

describe('drawDifferences', () => {
  const differences = [-0.2, -0.1, -0.1, 0, 0, 0, 0, 0.15, 0.2, 0.05];
  const input = { title: '3 better, 3 worse', differences, texts };

  it('counts by how much questions lost and won', () => {
    const { table } = drawDifferences(input, { width: 434, locale: 'en' });

    // Steps of 0.02 reach 0.2 with ten bins.
    expect(table.rows).toHaveLength(21);
    expect(table.rows.filter(([, count]) => count !== '0')).toEqual([
      ['-0.2 … -0.18', '1'],
      ['-0.1 … -0.08', '2'],
      ['0', '4'],
      ['+0.04 … +0.06', '1'],
      ['+0.14 … +0.16', '1'],
      ['+0.18 … +0.2', '1'],
    ]);
  });

  it('places bars left and right of a gap for the questions without a difference', () => {
    // 434 px: 200 on each side of 34; ten bins of 20 px. Two questions are 150 px high.
    // The plot ends 36 + 150 px from the top.
    const { svg } = drawDifferences(input, { width: 434, locale: 'en' });

    expect(svg).toContain('<rect class="loss" x="1" y="111" width="18" height="75">');
    expect(svg).toContain('<rect class="loss" x="101" y="36" width="18" height="150">');
    expect(svg).toContain('<rect class="win" x="415" y="111" width="18" height="75">');
  });

  it('draws questions that are all equal', () => {
    const { svg, table } = drawDifferences(
      { ...input, differences: [0, 0] },
      { width: 300, locale: 'de' },
    );

    expect(svg).not.toContain('<rect');
    expect(table.rows).toContainEqual(['0', '2']);
  });
});
