import { describe, expect, it } from 'vitest';

import { comparePaired } from '../../../../src/ir/statistics/compare-paired.ts';
import { pairDifferences } from '../../../../src/ir/statistics/differences.ts';
import { wilcoxonTest } from '../../../../src/ir/statistics/wilcoxon.ts';
import { goldenPairs, nonZero } from './golden.ts';
import { maize, relativeError } from './samples.ts';

describe('golden results of scipy', () => {
  const named = goldenPairs
    .filter((pair) => nonZero(pair) > 0)
    .map((pair) => [pair.name, pair] as const);
  const options = { confidence: 0.95, resamples: 1, permutations: 1, seed: 1 };

  it.each(named.filter(([, pair]) => nonZero(pair) <= 25))('%s: exact', (_name, pair) => {
    const { wilcoxon } = comparePaired(pair.b, pair.a, options).tests;
    const expected = pair.expected.wilcoxon.pratt.exact_with_ties!;
    expect(relativeError(wilcoxon.p, expected.p)).toBeLessThan(1e-12);
    expect(wilcoxon).toMatchObject({
      exact: true,
      winRankSum: expected.rPlus,
      lossRankSum: expected.rMinus,
    });
  });

  it.each(named.filter(([, pair]) => nonZero(pair) > 25))('%s: normal', (_name, pair) => {
    const { wilcoxon } = comparePaired(pair.b, pair.a, options).tests;
    const { p } = pair.expected.wilcoxon.pratt.approx_continuity;
    expect(wilcoxon.exact).toBe(false);
    expect(relativeError(wilcoxon.p, p)).toBeLessThan(1e-12);
  });
});

describe('wilcoxonTest', () => {
  // Hollander and Wolfe (1973), p. 29: V = 40; R's wilcox.test gives p = 0.01953 one-sided.
  it('agrees on the depression scores', () => {
    const before = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3];
    const after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
    expect(wilcoxonTest(pairDifferences(after, before))).toEqual({
      p: 0.0390625,
      exact: true,
      winRankSum: 40,
      lossRankSum: 5,
    });
  });

  it('agrees on the maize (scipy 1.17.1)', () => {
    expect(wilcoxonTest(maize)).toMatchObject({ p: 0.041259765625, lossRankSum: 24 });
  });

  it.each([
    // Ranks 1 (the zero), 2, 3, 4, of which the zero's is left out: 4 and 5 of 9 are lost, 2 of 8 sums at most 2.
    ['zeros take the lowest ranks', [0, -1, 2, 3], { p: 0.5, winRankSum: 7, lossRankSum: 2 }],
    // Sizes 1, 1, 2 have ranks 1.5, 1.5, 3; sums up to 1.5: 0, 1.5, 1.5 of 8.
    ['ties share a rank', [-1, 1, 2], { p: 0.75, winRankSum: 4.5, lossRankSum: 1.5 }],
    ['equal rank sums', [1, 2, -3], { p: 1, winRankSum: 3, lossRankSum: 3 }],
    ['one difference', [5], { p: 1, winRankSum: 1, lossRankSum: 0 }],
    ['only ties', [0, 0], { p: null, winRankSum: 0, lossRankSum: 0 }],
    ['no question', [], { p: null, winRankSum: 0, lossRankSum: 0 }],
  ])('%s', (_name, differences, expected) => {
    expect(wilcoxonTest(differences)).toEqual({ exact: true, ...expected });
  });

  it('counts 25 differences out and approximates 26', () => {
    const wins = Array.from({ length: 25 }, (_, index) => index + 1);
    expect(wilcoxonTest(wins)).toMatchObject({ exact: true, p: 2 / 2 ** 25 });
    // All 26 won: R− = 0, mean 175.5, variance 1550.25, z = −175 / 39.3732: p = 2 Φ(−4.44465) (scipy 1.17.1).
    const found = wilcoxonTest([...wins, 26]);
    expect(found.exact).toBe(false);
    expect(relativeError(found.p, 8.803669768907941e-6)).toBeLessThan(1e-9);
  });

  it('has p 1 where the rank sums are as near as they can be', () => {
    const even = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? 1 : -1));
    expect(wilcoxonTest(even).p).toBe(1);
  });

  it('never has a p of 0', () => {
    const wins = Array.from({ length: 5000 }, (_, index) => index + 1);
    expect(wilcoxonTest(wins).p).toBe(2 ** -1022);
  });
});
