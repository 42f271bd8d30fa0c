import { describe, expect, it } from 'vitest';

import { logBets, stakes } from '../../../../src/ir/statistics/betting.ts';

/** Every sequence of three differences, each −1 or 1. */
const coins = [-1, 1].flatMap((a) => [-1, 1].flatMap((b) => [-1, 1].map((c) => [a, b, c])));

/** The expectation of each bet over sequences of the given probabilities. */
function expected(
  sequences: readonly (readonly number[])[],
  probability: (sequence: readonly number[]) => number,
  margin: number,
): number[] {
  return stakes.map((_stake, index) =>
    sequences.reduce(
      (sum, sequence) => sum + probability(sequence) * Math.exp(logBets(sequence, margin)[index]!),
      0,
    ),
  );
}

describe('logBets', () => {
  // By hand: the largest stake is 0.99; with a margin of 0.1 the bet is 0.9, and (1 + 0.9 · 0.4)(1 − 0.9 · 0.1).
  it('is the product worked by hand', () => {
    const [largest] = logBets([-0.5, 0], 0.1);

    expect(Math.exp(largest!)).toBeCloseTo(1.36 * 0.91, 12);
  });

  it('expects 1 of fair coins', () => {
    const expectations = expected(coins, () => 1 / 8, 0);

    expect(Math.max(...expectations.map((value) => Math.abs(value - 1)))).toBeLessThan(1e-12);
  });

  // Means −0.8, 0.2 and 0.6 make 0 together: no drop, though one question fell. By hand for a stake of s:
  // (1 + 0.8 s)(1 − 0.2 s)(1 − 0.6 s), which is below 1 for every s above 0.
  it('expects less than 1 where questions differ and their mean has not fallen', () => {
    const means = [-0.8, 0.2, 0.6];
    const probability = (sequence: readonly number[]) =>
      sequence.reduce((product, value, i) => (product * (1 + value * means[i]!)) / 2, 1);
    const expectations = expected(coins, probability, 0);

    expect(Math.max(...expectations)).toBeLessThan(1);
    expect(expectations[0]).toBeCloseTo((1 + 0.8 * 0.99) * (1 - 0.2 * 0.99) * (1 - 0.6 * 0.99), 12);
  });

  it.each([1.01, -2, Number.NaN])('refuses a difference of %d', (difference) => {
    expect(() => logBets([0, difference], 0)).toThrow(RangeError);
  });
});
