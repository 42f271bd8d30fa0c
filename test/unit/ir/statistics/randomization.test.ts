import { describe, expect, it } from 'vitest';

import { comparePaired } from '../../../../src/ir/statistics/compare-paired.ts';
import { randomizationTest } from '../../../../src/ir/statistics/randomization.ts';
import { goldenPairs, nonZero } from './golden.ts';
import { absoluteError, maize } from './samples.ts';

const options = { permutations: 100_000, seed: 7 };

/** Five standard deviations of an estimate of p, and the shift that adding one to both counts makes. */
function tolerance(p: number): number {
  return 5 * Math.sqrt((p * (1 - p)) / options.permutations) + 1 / options.permutations;
}

describe('golden results of scipy', () => {
  const named = goldenPairs.map((pair) => [pair.name, pair] as const);

  it.each(named.filter(([, pair]) => nonZero(pair) <= 20))('%s: exact p', (_name, pair) => {
    const { tests } = comparePaired(pair.b, pair.a, { ...options, confidence: 0.95, resamples: 1 });
    expect(tests.randomization).toEqual({ p: pair.expected.randomization_exact.p, exact: true });
  });

  it.each(named.filter(([, pair]) => nonZero(pair) > 20))('%s: estimated p', (_name, pair) => {
    const { p } = pair.expected.randomization_exact;
    const { tests } = comparePaired(pair.b, pair.a, { ...options, confidence: 0.95, resamples: 1 });
    expect(tests.randomization).toMatchObject({ exact: false, permutations: 100_000 });
    expect(absoluteError(tests.randomization.p, p)).toBeLessThanOrEqual(tolerance(p));
  });
});

describe('randomizationTest', () => {
  // Fisher, The Design of Experiments (1935), § 21: 863 of 32768 totals reach 314, and as many −314.
  it('counts the 1726 totals that Fisher counted for the maize', () => {
    expect(randomizationTest(maize, options)).toEqual({ p: 1726 / 32_768, exact: true });
  });

  it.each([
    ['no difference', [], 1],
    ['only ties', [0, 0, 0], 1],
    ['one difference among ties', [0.125, 0, 0], 1],
    // Of 8 sums only ±(1 + 2 + 3) reach 6; and 8 of 8 reach 0, which 1 + 2 − 3 is.
    ['three wins', [1, 2, 3], 2 / 8],
    ['a sum of zero', [1, 2, -3], 1],
    // 0.1 + 0.2 differs from 0.3 in the last bit: ±0.6 and ±(0.1 + 0.2 + 0.3) must be one value.
    ['sums that rounding tells apart', [0.3, 0.1, 0.2], 2 / 8],
    ['equal sums in another order', [0.1, 0.2, -0.3, 0.3], 12 / 16],
  ])('is exact for %s', (_name, differences, p) => {
    expect(randomizationTest(differences, options)).toEqual({ p, exact: true });
  });

  it('tries all assignments up to 20 differences and samples from 21', () => {
    const wins = Array.from({ length: 20 }, () => 0.5);
    expect(randomizationTest(wins, options)).toEqual({ p: 2 / 2 ** 20, exact: true });
    expect(randomizationTest([...wins, 0.5], options)).toMatchObject({ exact: false });
  });

  it('is never 0, however strong the difference', () => {
    const wins = Array.from({ length: 1000 }, () => 0.5);
    expect(randomizationTest(wins, options).p).toBe(1 / 100_001);
  });

  // Of n signs, k losses: |n − 2k| ≥ |n − 2 · 12| is two binomial tails, 2 P(X ≤ 12), n = 33: scipy binomtest.
  it('agrees with the binomial where all differences have one size', () => {
    const differences = Array.from({ length: 33 }, (_, index) => (index < 12 ? -0.5 : 0.5));
    const { p } = randomizationTest(differences, options);
    expect(absoluteError(p, 0.16275565745308995)).toBeLessThanOrEqual(
      tolerance(0.16275565745308995),
    );
  });

  it('repeats itself for a seed and moves with another', () => {
    const differences = Array.from({ length: 40 }, (_, index) => Math.sin(index) + 0.2);
    const first = randomizationTest(differences, options);
    expect(randomizationTest(differences, options)).toEqual(first);
    expect(randomizationTest(differences, { ...options, seed: 8 }).p).not.toBe(first.p);
  });
});
