import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { boundedMeanInterval, boundedMeanP } from '../../../../src/ir/statistics/bounded-mean.ts';

const share = { least: 0, most: 1 };
const hits = (count: number, of: number) => Array.from({ length: of }, (_, i) => Number(i < count));

describe('boundedMeanInterval', () => {
  // scipy 1.17.1: beta.ppf(0.025, k, n − k + 1) and beta.ppf(0.975, k + 1, n − k), Clopper and Pearson's.
  it.each([
    [19, 20, 0.7512672372279722, 0.9987349105020502],
    [5, 5, 0.025 ** (1 / 5), 1],
    [0, 5, 0, 1 - 0.025 ** (1 / 5)],
    [3000, 5000, 0.5862658094274491, 0.6136173249182293],
  ])('of %d hits in %d is that of Clopper and Pearson', (count, of, low, high) => {
    const found = boundedMeanInterval(hits(count, of), share, 0.95);
    expect(found.low).toBeCloseTo(low, 9);
    expect(found.high).toBeCloseTo(high, 9);
  });

  // numpy 2.4.6, 4 million draws of Dirichlet weights: quantiles to about 0.0003.
  it('is the quantile of a randomly weighted mean with the worst value among the values', () => {
    const found = boundedMeanInterval([1, 1 / 2, 1 / 3, 1], share, 0.95);
    expect(Math.abs(found.low - 0.2544)).toBeLessThan(0.001);
    expect(Math.abs(found.high - 0.961)).toBeLessThan(0.001);
  });

  it('moves with its range', () => {
    const found = boundedMeanInterval([-1, 1, 1, 1], { least: -1, most: 1 }, 0.9);
    const same = boundedMeanInterval([0, 1, 1, 1], share, 0.9);
    expect(found.low).toBeCloseTo(2 * same.low - 1, 9);
    expect(found.high).toBeCloseTo(2 * same.high - 1, 9);
  });

  it('holds the mean and stays in the range, whatever the values are', () => {
    const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(values, (scores) => {
        const { low, high } = boundedMeanInterval(scores, share, 0.95);
        const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(mean + 1e-9);
        expect(high).toBeGreaterThanOrEqual(mean - 1e-9);
        expect(high).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('rounds many values to the safe side, by less than the grid', () => {
    const many = Array.from({ length: 5001 }, (_, index) => (index % 5000) / 5000);
    const exact = boundedMeanInterval(many.slice(0, 5000), share, 0.95);
    const rounded = boundedMeanInterval(many, share, 0.95);
    expect(rounded.low).toBeLessThan(exact.low);
    expect(rounded.low).toBeGreaterThan(exact.low - 0.0003);
    expect(rounded.high).toBeLessThan(exact.high + 0.0003);
  });

  it('takes rounding of a measure for what it is, and refuses more', () => {
    expect(boundedMeanInterval([1 + 1e-12, 1], share, 0.95).high).toBe(1);
    expect(() => boundedMeanInterval([1.01, 1], share, 0.95)).toThrow('between 0 and 1, not 1.01');
    expect(() => boundedMeanInterval([Number.NaN], share, 0.95)).toThrow(RangeError);
  });
});

describe('boundedMeanP', () => {
  // n gains of 1: the bound is above 0 at 1 − 2^(1−n), as Σ eᵢ ≤ e₀ has the chance 2^(−n).
  it.each([1, 2, 6, 20])('of %d total gains is 2^(1 − n)', (count) => {
    expect(boundedMeanP(Array.from({ length: count }, () => 1))).toBeCloseTo(2 ** (1 - count), 12);
    expect(boundedMeanP(Array.from({ length: count }, () => -1))).toBeCloseTo(2 ** (1 - count), 12);
  });

  it.each([[[]], [[0, 0, 0]]])('of %j is 1', (differences) => {
    expect(boundedMeanP(differences)).toBe(1);
  });

  it('is small where the interval excludes zero, and only there', () => {
    const differences = [1, 1, 0.5, 0.5, 1, 0, 0, 1, 0.7, 0.2];
    const p = boundedMeanP(differences);
    const range = { least: -1, most: 1 };
    expect(boundedMeanInterval(differences, range, 1 - 1.01 * p).low).toBeGreaterThan(0);
    expect(boundedMeanInterval(differences, range, 1 - 0.99 * p).low).toBeLessThan(0);
  });
});
