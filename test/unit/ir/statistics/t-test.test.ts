import { describe, expect, it } from 'vitest';

import { comparePaired } from '../../../../src/ir/statistics/compare-paired.ts';
import {
  pairDifferences,
  summarizeDifferences,
} from '../../../../src/ir/statistics/differences.ts';
import { pairedTTest } from '../../../../src/ir/statistics/t-test.ts';
import { goldenPairs } from './golden.ts';
import { maize, relativeError, sleep } from './samples.ts';

const options = { confidence: 0.95, resamples: 1, permutations: 1, seed: 1 };
const withoutSpread = new Set(['n20-allties', 'n10-constant-shift']);

describe('golden results of scipy', () => {
  const named = goldenPairs.map((pair) => [pair.name, pair] as const);

  it.each(named.filter(([name]) => !withoutSpread.has(name)))('%s: t, p and dz', (_name, pair) => {
    const { tests, effectSize } = comparePaired(pair.b, pair.a, options);
    expect(relativeError(tests.t.statistic, pair.expected.ttest_rel.t)).toBeLessThan(1e-12);
    expect(relativeError(tests.t.p, pair.expected.ttest_rel.p)).toBeLessThan(1e-10);
    expect(relativeError(effectSize, pair.expected.cohenDz)).toBeLessThan(1e-12);
  });

  it.each(named.filter(([name]) => withoutSpread.has(name)))('%s: undefined', (_name, pair) => {
    const { tests, effectSize } = comparePaired(pair.b, pair.a, options);
    expect([tests.t.statistic, tests.t.p, effectSize]).toEqual([null, null, null]);
  });
});

describe('pairedTTest', () => {
  it.each([
    [
      'sleep (scipy 1.17.1)',
      pairDifferences(sleep.first, sleep.second),
      4.062127683382037,
      0.002832890197384273,
    ],
    ['maize (scipy 1.17.1; Fisher 1935: 2.148)', maize, 2.1479874613311205, 0.049702944021800866],
  ])('agrees on %s', (_name, differences, statistic, p) => {
    const found = pairedTTest(summarizeDifferences(differences));
    expect(relativeError(found.statistic, statistic)).toBeLessThan(1e-12);
    expect(relativeError(found.p, p)).toBeLessThan(1e-12);
  });

  it('finds nothing where wins and losses cancel', () => {
    const found = pairedTTest(summarizeDifferences([1, -1, 2, -2]));
    expect(found).toEqual({ statistic: 0, p: 1 });
  });

  it('never has a p of 0', () => {
    const differences = Array.from({ length: 2000 }, (_, index) => 1 + (index % 2) * 1e-6);
    expect(pairedTTest(summarizeDifferences(differences)).p).toBe(2 ** -1022);
  });

  it.each([
    ['no question', []],
    ['one question', [0.5]],
    ['equal differences', [0.5, 0.5, 0.5]],
  ])('is undefined for %s', (_name, differences) => {
    expect(pairedTTest(summarizeDifferences(differences))).toEqual({ statistic: null, p: null });
  });
});
