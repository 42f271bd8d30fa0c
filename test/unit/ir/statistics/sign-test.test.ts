import { describe, expect, it } from 'vitest';

import { comparePaired } from '../../../../src/ir/statistics/compare-paired.ts';
import { signTest } from '../../../../src/ir/statistics/sign-test.ts';
import { goldenPairs } from './golden.ts';
import { relativeError } from './samples.ts';

describe('golden results of scipy', () => {
  const named = goldenPairs.map((pair) => [pair.name, pair] as const);
  const options = { confidence: 0.95, resamples: 1, permutations: 1, seed: 1 };

  it.each(named.filter(([, { expected }]) => expected.signTest !== null))('%s', (_name, pair) => {
    const { tests } = comparePaired(pair.b, pair.a, options);
    expect(relativeError(tests.sign.p, pair.expected.signTest!.p)).toBeLessThan(1e-12);
  });
});

describe('signTest', () => {
  // By hand: twice the sum of the binomial coefficients up to the rarer outcome, over 2^n.
  it.each([
    [8, 2, (2 * (1 + 10 + 45)) / 1024],
    [2, 8, (2 * (1 + 10 + 45)) / 1024],
    [15, 2, (2 * (1 + 17 + 136)) / 131_072],
    [8, 0, 2 / 256],
    [1, 0, 1],
    [5, 5, 1],
  ])('%d wins and %d losses', (wins, losses, p) => {
    expect(relativeError(signTest({ wins, losses }).p, p)).toBeLessThan(1e-12);
  });

  it('is undefined where all tie', () => {
    expect(signTest({ wins: 0, losses: 0 }).p).toBeNull();
  });

  it('never has a p of 0', () => {
    expect(signTest({ wins: 5000, losses: 0 }).p).toBe(2 ** -1022);
  });
});
