import { describe, expect, it } from 'vitest';

import { drawCauses } from '../../../src/charts/causes-chart.ts';
import { drawDepthCurve } from '../../../src/charts/depth-chart.ts';
import { drawHeatmap } from '../../../src/charts/heatmap-chart.ts';
import { drawQualityCost } from '../../../src/charts/quality-cost-chart.ts';

describe('drawDepthCurve', () => {
  const input = {
    title: 'more than 2 documents bring nothing',
    kept: [0.2, 0.6, 0.6],
    oracle: [0.2, 0.8, 1],
    plateau: { n: 2, value: 0.6 },
    names: { depth: 'Documents', kept: 'as ranked', oracle: 'best order', plateau: 'enough' },
  };

  it('places both lines and the plateau on one scale', () => {
    // 256 px: depths 1 to 3 from 44 to 244; 0 to 1 from 212 up to 12.
    const { svg } = drawDepthCurve(input, { width: 256, locale: 'en' });

    expect(svg).toContain('<path class="line" d="M44 172L144 92L244 92"/>');
    expect(svg).toContain('<path class="ideal" d="M44 172L144 52L244 12"/>');
    expect(svg).toContain('<circle class="dot" cx="144" cy="92" r="5">');
    expect(svg).toContain('>enough: 2<');
  });

  it('has the figures of round depths and of the last one as a table', () => {
    const { table } = drawDepthCurve(input, { width: 256, locale: 'de' });

    expect(table).toEqual({
      columns: ['Documents', 'as ranked', 'best order'],
      rows: [
        ['1', '0,200', '0,200'],
        ['2', '0,600', '0,800'],
        ['3', '0,600', '1,000'],
      ],
    });
  });

  it('leaves out what does not exist', () => {
    const kept = [null, null];
    const { svg, table } = drawDepthCurve(
      { ...input, kept, oracle: null, plateau: null },
      { width: 256, locale: 'en' },
    );

    expect(svg).not.toMatch(/NaN|circle|ideal/);
    expect(table.rows).toEqual([
      ['1', '–'],
      ['2', '–'],
    ]);
  });
});

describe('drawQualityCost', () => {
  const names = {
    configuration: 'Configuration',
    quality: 'RR',
    cost: 'ms per question',
    best: 'not beaten',
    yes: 'yes',
    no: 'no',
  };
  const points = [
    { name: 'slow', quality: 0.9, cost: 100, isBest: true },
    { name: 'beaten', quality: 0.5, cost: 100, isBest: false },
    { name: 'fast', quality: 0.5, cost: 50, isBest: true },
  ];

  it('places configurations, joins those that nothing beats, and leaves the others hollow', () => {
    // 296 px: 0 to 100 from 44 to 244; 0.5 to 0.9 from 224 up to 16.
    const { svg } = drawQualityCost({ title: 'x', points, names }, { width: 296, locale: 'en' });

    expect(svg).toContain('<circle class="dot" cx="244" cy="16" r="5"/>');
    expect(svg).toContain('<circle class="dot" cx="144" cy="224" r="5"/>');
    expect(svg).toContain('<circle class="hollow" cx="244" cy="224" r="5"/>');
    expect(svg).toContain('<path class="ideal" d="M144 224L244 16"/>');
  });

  it('has the same figures as a table', () => {
    const { table } = drawQualityCost({ title: 'x', points, names }, { width: 296, locale: 'en' });

    expect(table.rows).toEqual([
      ['slow', '0.900', '100', 'yes'],
      ['beaten', '0.500', '100', 'no'],
      ['fast', '0.500', '50', 'yes'],
    ]);
  });

  it('draws configurations that cost nothing', () => {
    const free = [{ name: 'run', quality: 0.5, cost: 0, isBest: true }];
    const { svg } = drawQualityCost(
      { title: 'x', points: free, names },
      { width: 296, locale: 'en' },
    );

    expect(svg).toContain('cx="44"');
    expect(svg).not.toContain('NaN');
  });
});

describe('drawCauses', () => {
  it('draws a bar for each cause, as long as it has documents', () => {
    const causes = [
      { name: 'below k', documents: 4, share: 0.8 },
      { name: 'absent', documents: 1, share: 0.2 },
    ];
    const columns = { cause: 'Cause', documents: 'Documents', share: 'Share' };
    // 292 px: 92 are left for the number, so that 4 documents are 200 px.
    const { svg, table } = drawCauses(
      { title: 'x', causes, columns },
      { width: 292, locale: 'en' },
    );

    expect(svg).toContain('<rect class="bar" x="0" y="20" width="200" height="14"/>');
    expect(svg).toContain('<rect class="bar" x="0" y="62" width="50" height="14"/>');
    expect(svg).toContain('>4 (80%)</text>');
    expect(table.rows).toEqual([
      ['below k', '4', '80%'],
      ['absent', '1', '20%'],
    ]);
  });
});

describe('drawHeatmap', () => {
  const input = {
    title: 'paraphrases are hardest',
    corner: 'kind',
    columns: ['bm25', 'hybrid'],
    rows: [
      { name: 'exact', values: [0.5, 0.9] },
      { name: 'paraphrase', values: [0.1, null] },
    ],
  };

  it('makes higher values stronger, and leaves a cell without a value empty', () => {
    // 500 px: 150 for names, two cells of 175. 0.1 has 0.05, 0.9 has 0.45, 0.5 is in the middle.
    const { svg } = drawHeatmap(input, { width: 500, locale: 'en' });

    expect(svg).toContain(
      '<rect class="cell" x="151" y="25" width="173" height="32" fill-opacity="0.25"/>',
    );
    expect(svg).toContain('x="326" y="25" width="173" height="32" fill-opacity="0.45"');
    expect(svg).toContain('x="151" y="59" width="173" height="32" fill-opacity="0.05"');
    expect(svg.match(/<rect/g)).toHaveLength(3);
  });

  it('has the same figures as a table', () => {
    const { table } = drawHeatmap(input, { width: 200, locale: 'de' });

    expect(table).toEqual({
      columns: ['kind', 'bm25', 'hybrid'],
      rows: [
        ['exact', '0,500', '0,900'],
        ['paraphrase', '0,100', '–'],
      ],
    });
  });
});
