import { describe, expect, it } from 'vitest';

import { expandCutoffs, withJudged } from '../../../../src/ir/measures/expand-cutoffs.ts';
import { parseMeasure } from '../../../../src/ir/measures/parse-measure.ts';

describe('expandCutoffs', () => {
  it('names the five measures of each cut-off, RR once', () => {
    expect(expandCutoffs([3, 10]).map(({ name }) => name)).toEqual([
      'hit@3',
      'P@3',
      'R@3',
      'RR',
      'nDCG@3',
      'hit@10',
      'P@10',
      'R@10',
      'nDCG@10',
    ]);
  });

  it('names each measure once when a cut-off is given twice', () => {
    expect(expandCutoffs([3, 3])).toHaveLength(5);
  });

  it.each([0, -1, 1.5, 10_001, Number.NaN])('refuses the cut-off %s', (k) => {
    expect(() => expandCutoffs([k])).toThrow(RangeError);
  });
});

describe('withJudged', () => {
  it.each([
    [
      ['hit@3', 'P@3', 'RR', 'nDCG@10'],
      ['judged@3', 'judged@10'],
    ],
    [['judged@3', 'P@3', 'RR@5'], ['judged@5']],
    [['P(rel=2)@3', 'AP'], ['judged@3']],
    [['RR', 'AP', 'RBP(0.8)'], []],
    [[], []],
  ])('adds to %j the measures %j', (names, added) => {
    const measures = withJudged(names.map((name) => parseMeasure(name)!));
    expect(measures.map(({ name }) => name)).toEqual([...names, ...added]);
  });
});
