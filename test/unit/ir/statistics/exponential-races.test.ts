import { describe, expect, it } from 'vitest';

import { probabilityAtMostZero } from '../../../../src/ir/statistics/exponential-sum.ts';
import { relativeError } from './samples.ts';

const below = (...values: readonly number[]) =>
  probabilityAtMostZero({
    values: Float64Array.from(values),
    counts: Float64Array.from(values, () => 1),
  });

describe('the sum of exponential variables that race', () => {
  // P(a e₁ ≤ b e₀) = b / (a + b): two exponential variables race.
  it.each([
    [1, 1, 1 / 2],
    [3, 1, 1 / 4],
    [1e-9, 1, 1 / (1 + 1e-9)],
    [1, 1e-9, 1e-9 / (1 + 1e-9)],
    [1e6, 1e-6, 1e-6 / (1e6 + 1e-6)],
  ])('of one variable of %d against one of %d is %d', (a, b, expected) => {
    expect(relativeError(below(a, -b), expected)).toBeLessThan(1e-13);
  });

  // E exp(−S / b) of a sum S is the product of 1 / (1 + aⱼ / b).
  it('of several variables against one is a product', () => {
    const expected = (1 / 1.5) * (1 / 3) * (1 / 1.25);
    expect(relativeError(below(0.5, 2, 0.25, -1), expected)).toBeLessThan(1e-13);
  });

  // 1 − E exp(−R / a), R = c e₂ + b e₀.
  it('of one variable against two is one less such a product', () => {
    const expected = 1 - (1 / (1 + 0.3 / 2)) * (1 / (1 + 0.8 / 2));
    expect(relativeError(below(2, -0.3, -0.8), expected)).toBeLessThan(1e-13);
  });

  // By partial fractions P(S > r) = Σ Aᵢ exp(−r / aᵢ) with A₁ = a₁ / (a₁ − a₂), A₂ = a₂ / (a₂ − a₁).
  it('of two variables against two is worked by partial fractions', () => {
    const [a, b, c, d] = [0.7, 0.2, 0.4, 0.9];
    const beyond = (x: number) => 1 / ((1 + c / x) * (1 + d / x));
    const expected = 1 - (a / (a - b)) * beyond(a) - (b / (b - a)) * beyond(b);
    expect(relativeError(below(a, b, -c, -d), expected)).toBeLessThan(1e-12);
  });

  it('does not depend on how equal variables are counted', () => {
    const values = Float64Array.of(0.3, -0.5);
    const counts = Float64Array.of(40, 7);
    const single = [...Array<number>(40).fill(0.3), ...Array<number>(7).fill(-0.5)];
    expect(relativeError(below(...single), probabilityAtMostZero({ values, counts }))).toBeLessThan(
      1e-12,
    );
  });

  it.each([
    ['only negative weights', [-1, -2], 1],
    ['only positive weights', [1, 2], 0],
    ['weights of 0', [0, 0], 1],
    ['a weight of 0 beside others', [0, 1, -1], 1 / 2],
    ['a weight that is too small to matter', [5e-324, -1], 1],
    ['weights that are all tiny', [3e-310, -1e-310], 1 / 4],
  ] as const)('of %s is %s', (_name, weights, expected) => {
    expect(below(...weights)).toBeCloseTo(expected, 13);
  });
});
