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
    method: 't-and-hall',
    confidence: 0.95,
    bca: { low: 0.08, high: 0.36 },
    t: { low: 0.065, high: 0.335 },
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
    guaranteed: { p: 0.03 },
  },
  blindTo: 0.139,
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
      'rerank beats hybrid on nDCG@3 by 0.200 on average over 20 questions (95 % interval 0.070 to 0.350), better on 8, worse on 0, equal on 12: chance alone is unlikely to explain this, although with these 20 questions, a total loss on up to 14 % of questions would go unseen.',
    ],
    [
      'worse',
      worse,
      'rerank falls behind hybrid on nDCG@3 by 0.200 on average over 20 questions (95 % interval -0.350 to -0.070), better on 0, worse on 8, equal on 12: chance alone is unlikely to explain this, although with these 20 questions, a total gain on up to 14 % of questions would go unseen.',
    ],
    [
      'better, but only if no rare large loss was missed',
      { ...better, tests: { ...better.tests, guaranteed: { p: 0.051 } } },
      'rerank beats hybrid on nDCG@3 by 0.200 on average over 20 questions (95 % interval 0.070 to 0.350), better on 8, worse on 0, equal on 12: chance alone is unlikely to explain this unless a rare large loss was missed, but with these 20 questions, a total loss on up to 14 % of questions would go unseen.',
    ],
    [
      'better, of a measure without an upper bound',
      { ...better, tests: { ...better.tests, guaranteed: { p: null } }, blindTo: 0.00149 },
      'rerank beats hybrid on nDCG@3 by 0.200 on average over 20 questions (95 % interval 0.070 to 0.350), better on 8, worse on 0, equal on 12: chance alone is unlikely to explain this unless a rare large loss was missed, but with these 20 questions, a total loss on up to 0.1 % of questions would go unseen.',
    ],
    [
      'better, but not shown for every distribution in a family',
      { ...better, tests: { ...better.tests, guaranteed: { p: 0.03, pAdjusted: 0.06 } } },
      'rerank beats hybrid on nDCG@3 by 0.200 on average over 20 questions (95 % interval 0.070 to 0.350), better on 8, worse on 0, equal on 12: chance alone is unlikely to explain this unless a rare large loss was missed, but with these 20 questions, a total loss on up to 14 % of questions would go unseen.',
    ],
    [
      'inconclusive in a family alone',
      { ...better, verdict: 'inconclusive', pAdjusted: 0.08, minimumDetectableDifference: null },
      'rerank and hybrid cannot be told apart on nDCG@3: rerank is 0.200 higher on average over 20 questions (95 % interval 0.070 to 0.350), better on 8, worse on 0, equal on 12; after correction for all comparisons, chance alone could explain this.',
    ],
    [
      'inconclusive',
      open,
      'rerank and hybrid cannot be told apart on nDCG@3: rerank is 0.010 higher on average over 20 questions (99.9 % interval -0.050 to 0.00010), better on 8, worse on 7, equal on 5; chance alone could explain this, and this many questions reliably detect only a difference of about 0.110 or more.',
    ],
    [
      'inconclusive and lower',
      { ...open, meanDifference: -0.01, minimumDetectableDifference: null },
      'rerank and hybrid cannot be told apart on nDCG@3: rerank is 0.010 lower on average over 20 questions (99.9 % interval -0.050 to 0.00010), better on 8, worse on 7, equal on 5; chance alone could explain this.',
    ],
    [
      'inconclusive and equal on average',
      { ...open, meanDifference: 0 },
      'rerank and hybrid cannot be told apart on nDCG@3: rerank is neither higher nor lower on average over 20 questions (99.9 % interval -0.050 to 0.00010), better on 8, worse on 7, equal on 5; chance alone could explain this, and this many questions reliably detect only a difference of about 0.110 or more.',
    ],
  ] as const)('%s', (_name, comparison, sentence) => {
    expect(explainComparison(comparison, names)).toBe(sentence);
  });

  it.each([
    ['no question', [], [], 'There are no questions to compare rerank with hybrid on nDCG@3.'],
    [
      'one question',
      [0],
      [0.5],
      'One question is too few to compare rerank with hybrid on nDCG@3: there the difference is 0.500.',
    ],
    [
      'one tie',
      [1],
      [1],
      'rerank and hybrid score the same on nDCG@3 on the only question; with this one question, a total change on up to 95 % of questions would go unseen.',
    ],
    // 1 − 0.05^(1/2) = 0.776.
    [
      'all ties',
      [1, 0],
      [1, 0],
      'rerank and hybrid score the same on nDCG@3 on all 2 questions; with these 2 questions, a total change on up to 78 % of questions would go unseen.',
    ],
  ])('%s', (_name, baseline, candidate, sentence) => {
    expect(explainComparison(comparePaired(baseline, candidate, options), names)).toBe(sentence);
  });
});
