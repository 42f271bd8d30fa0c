import { describe, expect, it } from 'vitest';

import { suggestMeasure } from '../../../../src/ir/measures/suggest-measure.ts';

describe('suggestMeasure', () => {
  it.each([
    ['nDGC@10', 'nDCG@10'],
    ['ndg@5', 'nDCG@5'],
    ['MAAP', 'AP'],
    ['P', 'P@10'],
    ['P@0', 'P@10'],
    ['RBP', 'RBP(0.8)'],
    ['bprefs', 'bpref'],
    ['judgd@3', 'judged@3'],
    ['P(rel=x)@5', 'P@10'],
    ['ndcg10', 'nDCG@10'],
    ['recall 5', 'R@5'],
    ['P3', 'P@3'],
    ['mrr-10', 'RR@10'],
    ['hit1', 'hit@1'],
  ])('reads %s as %s', (name, expected) => {
    expect(suggestMeasure(name)).toBe(expected);
  });

  it.each(['', 'x', 'zz', '@10', 'fluency@10', 'quality', 'x'.repeat(64)])(
    'has no suggestion for %j',
    (name) => {
      expect(suggestMeasure(name)).toBeUndefined();
    },
  );
});
