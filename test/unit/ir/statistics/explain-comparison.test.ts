import { describe, expect, it } from 'vitest';

import { comparePaired } from '../../../../src/ir/statistics/compare-paired.ts';
import { explainComparison } from '../../../../src/ir/statistics/explain-comparison.ts';
import type { PairedComparison } from '../../../../src/ir/statistics/paired-comparison.ts';

const names = { baseline: 'hybrid', candidate: 'rerank', measure: 'nDCG@3' };
const options = { confidence: 0.95, resamples: 1000, permutations: 1000, seed: 7 };

const better: PairedComparison = {
  questions: 20,
  wins: 8,
  losses: 0,
  ties: 12,
  means: { baseline: 0.731, candidate: 0.931 },
  meanDifference: 0.2,
  interval: {
    method: 'bca-bootstrap',
    confidence: 0.95,
    percentile: { low: 0.06, high: 0.34 },
    low: 0.07,
    high: 0.35,
    resamples: 10_000,
    seed: 7,
  },
  tests: {
    randomization: { p: 0.008, exact: true },
    t: { statistic: 2.7, p: 0.013 },
    wilcoxon: { p: 0.01, exact: true, winRankSum: 132, lossRankSum: 0 },
    sign: { p: 0.008 },
  },
  effectSize: 0.61,
  minimumDetectableDifference: 0.21,
  verdict: 'better',
  notes: [],
};

const worse: PairedComparison = {
  ...better,
  wins: 0,
  losses: 8,
  meanDifference: -0.2,
  interval: { ...better.interval!, low: -0.35, high: -0.07 },
  verdict: 'worse',
};

const open: PairedComparison = {
  ...better,
  wins: 8,
  losses: 7,
  ties: 5,
  meanDifference: 0.01,
  interval: { ...better.interval!, confidence: 0.999, low: -0.05, high: 0.0001 },
  minimumDetectableDifference: 0.11,
  verdict: 'inconclusive',
};

describe('explainComparison', () => {
  it.each([
    [
      'better',
      better,
      'rerank beats hybrid on nDCG@3 by 0.200 on average over 20 questions (95 % interval 0.070 to 0.350), better on 8, worse on 0, equal on 12: this is more than luck explains.',
    ],
    [
      'worse',
      worse,
      'rerank falls behind hybrid on nDCG@3 by 0.200 on average over 20 questions (95 % interval -0.350 to -0.070), better on 0, worse on 8, equal on 12: this is more than luck explains.',
    ],
    [
      'better, but not by the randomization test',
      { ...better, tests: { ...better.tests, randomization: { p: 0.0625, exact: true } } },
      'rerank beats hybrid on nDCG@3 by 0.200 on average over 20 questions (95 % interval 0.070 to 0.350), better on 8, worse on 0, equal on 12: a hint only, because by the randomization test it could still be luck.',
    ],
    [
      'inconclusive',
      open,
      'rerank and hybrid cannot be told apart on nDCG@3: rerank is 0.010 higher on average over 20 questions (99.9 % interval -0.050 to 0.00010), better on 8, worse on 7, equal on 5; luck alone could explain this, and this many questions reliably show only a difference of about 0.110 or more.',
    ],
    [
      'inconclusive and lower',
      { ...open, meanDifference: -0.01, minimumDetectableDifference: null },
      'rerank and hybrid cannot be told apart on nDCG@3: rerank is 0.010 lower on average over 20 questions (99.9 % interval -0.050 to 0.00010), better on 8, worse on 7, equal on 5; luck alone could explain this.',
    ],
    [
      'inconclusive and equal on average',
      { ...open, meanDifference: 0 },
      'rerank and hybrid cannot be told apart on nDCG@3: rerank is neither higher nor lower on average over 20 questions (99.9 % interval -0.050 to 0.00010), better on 8, worse on 7, equal on 5; luck alone could explain this, and this many questions reliably show only a difference of about 0.110 or more.',
    ],
  ] as const)('%s', (_name, comparison, sentence) => {
    expect(explainComparison(comparison, names)).toBe(sentence);
  });

  it.each([
    ['no question', [], [], 'There is no question to compare rerank with hybrid on nDCG@3.'],
    [
      'one question',
      [0],
      [0.5],
      'One question is too few to compare rerank with hybrid on nDCG@3: there the difference is 0.500.',
    ],
    ['one tie', [1], [1], 'rerank and hybrid score the same on nDCG@3 on the only question.'],
    ['all ties', [1, 0], [1, 0], 'rerank and hybrid score the same on nDCG@3 on all 2 questions.'],
  ])('%s', (_name, baseline, candidate, sentence) => {
    expect(explainComparison(comparePaired(baseline, candidate, options), names)).toBe(sentence);
  });

  it('calls two questions a hint', () => {
    expect(explainComparison(comparePaired([0, 0], [0.25, 0.5], options), names)).toContain(
      'a hint only',
    );
  });
});
