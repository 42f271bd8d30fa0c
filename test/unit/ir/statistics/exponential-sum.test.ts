import binomialCdf from '@stdlib/stats-base-dists-binomial-cdf';
import { describe, expect, it } from 'vitest';

import { probabilityAtMostZero } from '../../../../src/ir/statistics/exponential-sum.ts';
import { relativeError } from './samples.ts';

/** [value, count] of each term. */
function chance(...terms: readonly (readonly [number, number])[]): number {
  return probabilityAtMostZero({
    values: Float64Array.from(terms, ([value]) => value),
    counts: Float64Array.from(terms, ([, count]) => count),
  });
}

describe('probabilityAtMostZero', () => {
  // The loser e₀ outlasts every winner, one after the other: Π 1 / (1 + xⱼ) for xⱼ > 0 and one term of −1.
  it.each([
    [[1], 1 / 2],
    [[2, 3], 1 / 12],
    [[0.5, 0.25, 4], 1 / (1.5 * 1.25 * 5)],
  ])('of %j against one term of -1 is the product of each', (values, expected) => {
    const terms = values.map((value) => [value, 1] as const);
    expect(relativeError(chance(...terms, [-1, 1]), expected)).toBeLessThan(1e-13);
  });

  // Gammas of whole shapes a and b: P(x Ga ≤ y Gb) is the chance of a or more of the first a + b − 1 events (binomial).
  it.each([
    [3, 0.2, 5, 1],
    [40, 0.5, 10, 2],
    [1, 9, 300, 0.01],
    [500, 1, 400, 1],
  ])('of %d times %d against %d times -%d is binomial', (a, x, b, y) => {
    const first = y / (x + y);
    const expected = 1 - binomialCdf(a - 1, a + b - 1, first);
    expect(relativeError(chance([x, a], [-y, b]), expected)).toBeLessThan(1e-9);
  });

  it('keeps the relative precision of a small tail', () => {
    expect(relativeError(chance([1, 200], [-1, 1]), 2 ** -200)).toBeLessThan(1e-12);
  });

  it('multiplies single terms as it does counted ones', () => {
    const single = Array.from({ length: 400 }, () => [0.3, 1] as const);
    const losses = Array.from({ length: 90 }, () => [-1, 1] as const);
    const expected = chance([0.3, 400], [-1, 90]);
    expect(relativeError(chance(...single, ...losses), expected)).toBeLessThan(1e-11);
  });

  it.each([
    [[[0, 3]], 1],
    [[[-0.1, 2]], 1],
    [[[0.1, 2]], 0],
    [
      [
        [0.1, 2],
        [0, 5],
      ],
      0,
    ],
  ] as const)('of %j is certain', (terms, expected) => {
    expect(chance(...terms)).toBe(expected);
  });
});
