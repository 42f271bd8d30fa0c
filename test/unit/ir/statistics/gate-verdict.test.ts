import { describe, expect, it } from 'vitest';

import {
  judgeDrop,
  worstVerdict,
  type DropEvidence,
} from '../../../../src/ir/statistics/gate-verdict.ts';

const test: DropEvidence = {
  questions: 50,
  questionsNeeded: 50,
  lowerBound: -0.02,
  upperBound: 0.02,
  isTooFew: false,
  guarantee: null,
  isIdentical: false,
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
    [
      'a bound above the margin of 49 questions',
      { questions: 49, lowerBound: 0 },
      {},
      'inconclusive',
    ],
    [
      'as many as a margin of 0.1 needs',
      { questions: 29, questionsNeeded: 29 },
      { maxDrop: 0.1 },
      'pass',
    ],
    ['one less', { questions: 28, questionsNeeded: 29 }, { maxDrop: 0.1 }, 'inconclusive'],
    [
      'identical rankings, however few',
      { questions: 1, lowerBound: null, isTooFew: true, isIdentical: true },
      {},
      'pass',
    ],
    [
      'a guarantee at the level',
      { questions: 149, lowerBound: -0.5, guarantee: { p: 0.05 } },
      {},
      'pass',
    ],
    [
      'no guarantee, though the bound reaches the margin',
      { guarantee: { p: 0.051 } },
      {},
      'inconclusive',
    ],
    [
      'no guarantee, though rankings are identical',
      { isIdentical: true, guarantee: { p: 0.3 } },
      {},
      'inconclusive',
    ],
    [
      'a drop where a guarantee is asked for',
      { lowerBound: -0.1, upperBound: -0.03, guarantee: { p: 1 } },
      {},
      'fail',
    ],
    ['a drop on few questions', { questions: 10, lowerBound: -0.1, upperBound: -0.03 }, {}, 'fail'],
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
