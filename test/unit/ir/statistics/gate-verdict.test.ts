import { describe, expect, it } from 'vitest';

import { judgeDrop, worstVerdict } from '../../../../src/ir/statistics/gate-verdict.ts';
import type { NonInferiority } from '../../../../src/ir/statistics/non-inferiority.ts';

const test: NonInferiority = {
  questions: 50,
  means: { baseline: 0.5, candidate: 0.5 },
  meanDifference: 0,
  bounds: { t: null, bca: null },
  lowerBound: -0.02,
  upperBound: 0.02,
  pLarger: 0.5,
  isTooFew: false,
};
const rules = { maxDrop: 0.02, confidence: 0.95, pAdjusted: 0.01 };

describe('judgeDrop', () => {
  it.each([
    ['a bound that just reaches the margin', {}, {}, 'pass'],
    ['a bound below the margin', { lowerBound: -0.021 }, {}, 'inconclusive'],
    ['both bounds below the margin', { lowerBound: -0.1, upperBound: -0.03 }, {}, 'fail'],
    [
      'both below it, not confirmed after adjustment',
      { lowerBound: -0.1, upperBound: -0.03 },
      { pAdjusted: 0.06 },
      'inconclusive',
    ],
    [
      'a p that is the level itself',
      { lowerBound: -0.1, upperBound: -0.03 },
      { pAdjusted: 0.1, confidence: 0.9 },
      'fail',
    ],
    [
      'both below it, outside the family',
      { lowerBound: -0.1, upperBound: -0.03 },
      { pAdjusted: null },
      'inconclusive',
    ],
    ['too few questions, all equal', { lowerBound: 0, isTooFew: true }, {}, 'inconclusive'],
    ['no bounds', { lowerBound: null, upperBound: null }, {}, 'inconclusive'],
    ['no drop accepted and none there', { lowerBound: 0 }, { maxDrop: 0 }, 'pass'],
  ])('%s', (_name, found, changed, verdict) => {
    expect(judgeDrop({ ...test, ...found }, { ...rules, ...changed })).toBe(verdict);
  });
});

describe('worstVerdict', () => {
  it.each([
    [['pass', 'pass'], 'pass'],
    [['pass', 'inconclusive'], 'inconclusive'],
    [['fail', 'inconclusive', 'pass'], 'fail'],
    [[], 'inconclusive'],
  ] as const)('of %j is %s', (verdicts, worst) => {
    expect(worstVerdict(verdicts)).toBe(worst);
  });
});
