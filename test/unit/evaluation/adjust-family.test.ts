import { describe, expect, it } from 'vitest';

import type { RunComparison } from '../../../src/evaluation/comparison/compare-on.ts';
import { adjustFamily } from '../../../src/evaluation/comparison/compare-runs.ts';
import { comparePaired } from '../../../src/ir/statistics/compare-paired.ts';

const options = { confidence: 0.95, resamples: 1000, permutations: 1000, seed: 7 };
const noWarnings = { effectSizeInterval: null, warnings: [], perQuestion: [] };

/** `gains` questions gain 1, the rest of 20 ties. The randomization test has p = 2^(1 − gains). */
function compare(gains: number, measure = 'hit@3'): RunComparison {
  const candidate = Array.from({ length: 20 }, (_, index) => Number(index < gains));
  const isBounded = measure !== 'DCG@3';
  const compared = comparePaired(
    candidate.map(() => 0),
    candidate,
    { ...options, isBounded },
  );
  return {
    ...compared,
    ...noWarnings,
    measure,
    baseline: { evaluation: 'e', configuration: 'old' },
    candidate: { evaluation: 'e', configuration: 'new' },
    excluded: { unlabelled: 0, unanswerable: 0, failed: 2, onlyOneSide: 0 },
    explanation: 'of one comparison alone',
  };
}

describe('adjustFamily', () => {
  // p = 1/32 alone is below 0.05; Holm makes it 2/32 of two, and the verdict goes with it.
  it('decides by the adjusted p', () => {
    const one = compare(6);
    expect(one.verdict).toBe('better');
    const [adjusted] = adjustFamily([one, compare(6)], 0.95);
    expect(adjusted).toMatchObject({ pAdjusted: 2 / 32, verdict: 'inconclusive' });
    expect(adjusted?.notes).toEqual([
      expect.stringContaining('after correction for all comparisons'),
    ]);
    expect(adjusted?.explanation).toContain(
      'after correction for all comparisons, chance alone could explain',
    );
    expect(adjusted?.explanation).toContain('2 more questions are excluded');
  });

  it('leaves a verdict that the adjusted p confirms, in its words', () => {
    const [adjusted] = adjustFamily([compare(12), compare(12)], 0.95);
    expect(adjusted).toMatchObject({ pAdjusted: 2 / 2 ** 11, verdict: 'better', notes: [] });
    expect(adjusted?.explanation).toContain('chance alone is unlikely to explain this');
  });

  // 2^(1 − 6) = 0.03125 alone, 0.0625 of two.
  it('adjusts also what holds for every distribution, among those that have it', () => {
    const found = adjustFamily([compare(6), compare(12, 'DCG@3'), compare(6)], 0.95);
    expect(found.map(({ tests }) => tests.guaranteed.pAdjusted)).toEqual([
      expect.closeTo(0.0625, 12),
      null,
      expect.closeTo(0.0625, 12),
    ]);
  });
});
