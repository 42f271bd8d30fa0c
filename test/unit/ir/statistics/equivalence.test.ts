import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  pairDifferences,
  summarizeDifferences,
} from '../../../../src/ir/statistics/differences.ts';
import { equivalenceTest } from '../../../../src/ir/statistics/equivalence.ts';
import { maize, relativeError, sleep } from './samples.ts';

const alpha = 0.05;
const sleepGain = summarizeDifferences(pairDifferences(sleep.first, sleep.second));

describe('equivalenceTest', () => {
  it('is worked by hand for four differences', () => {
    // Mean 1, deviation √(8 / 3), so error √(2 / 3). Against ±5, t = −4 / error = −2√6 and 6 / error. With 3 degrees of freedom
    // P(T ≤ −t) = ½ − (x / (1 + x²) + atan x) / π, x = t / √3 = 2√2.
    const summary = summarizeDifferences([-1, 1, 3, 1]);
    const x = 2 * Math.SQRT2;
    const expected = 0.5 - (x / 9 + Math.atan(x)) / Math.PI;
    const result = equivalenceTest(summary, { margin: 5, alpha });
    expect(relativeError(result.p, expected)).toBeLessThan(1e-12);
    expect(result.equivalent).toBe(true);
    // t table: 2.353 at 0.95.
    expect(result.interval?.low).toBeCloseTo(1 - 2.353 * Math.sqrt(2 / 3), 3);
    expect(result.interval?.high).toBeCloseTo(1 + 2.353 * Math.sqrt(2 / 3), 3);
    expect(result.interval?.confidence).toBe(0.9);
  });

  // scipy 1.17.1: the larger p of ttest_1samp(d, -margin, 'greater') and ttest_1samp(d, margin, 'less').
  it.each([
    ['sleep', sleepGain, 1, 0.9149441145512885],
    ['sleep', sleepGain, 2, 0.1541572356690974],
    ['sleep', sleepGain, 3, 0.002655570292658671],
    ['maize', summarizeDifferences(maize), 20, 0.537469749595485],
    ['maize', summarizeDifferences(maize), 40, 0.03533171151936539],
  ])('agrees with scipy on %s', (_name, summary, margin, expected) => {
    const { p, equivalent } = equivalenceTest(summary, { margin, alpha });
    expect(relativeError(p, expected)).toBeLessThan(1e-10);
    expect(equivalent).toBe(expected < alpha);
  });

  it('agrees with scipy on the interval', () => {
    // scipy 1.17.1: mean ± t.ppf(0.95, 9) · error.
    const { interval } = equivalenceTest(sleepGain, { margin: 3, alpha });
    expect(interval?.low).toBeCloseTo(0.8669947329707164, 12);
    expect(interval?.high).toBeCloseTo(2.293005267029284, 12);
  });

  it('does not depend on which system is the baseline', () => {
    const differences = fc.array(fc.integer({ min: -50, max: 50 }), {
      minLength: 2,
      maxLength: 30,
    });
    fc.assert(
      fc.property(differences, fc.integer({ min: 1, max: 40 }), (values, margin) => {
        const there = equivalenceTest(summarizeDifferences(values), { margin, alpha });
        const negated = values.map((value) => 0 - value);
        const back = equivalenceTest(summarizeDifferences(negated), { margin, alpha });
        expect(back.p).toBe(there.p);
        expect(back.equivalent).toBe(there.equivalent);
      }),
    );
  });

  it.each([
    [[0, 0, 0], true],
    [[0.01, 0.01], true],
    [[0.1, 0.1], false],
  ])('goes by the one value of the differences %j', (differences, equivalent) => {
    const result = equivalenceTest(summarizeDifferences(differences), { margin: 0.1, alpha });
    expect(result).toMatchObject({ p: null, equivalent });
    expect(result.interval?.low).toBe(differences[0]);
    expect(result.interval?.high).toBe(differences[0]);
  });

  it.each([[[]], [[0.01]]])('shows nothing for the differences %j', (differences) => {
    const result = equivalenceTest(summarizeDifferences(differences), { margin: 0.1, alpha });
    expect(result).toEqual({ margin: 0.1, alpha, p: null, interval: null, equivalent: false });
  });

  it('never has a p of 0', () => {
    const differences = Array.from({ length: 1_000 }, (_, index) => (index % 2) * 1e-9);
    const { p } = equivalenceTest(summarizeDifferences(differences), { margin: 1e9, alpha });
    expect(p).toBeGreaterThan(0);
  });

  it.each([
    { margin: 0, alpha },
    { margin: -1, alpha },
    { margin: Infinity, alpha },
    { margin: Number.NaN, alpha },
    { margin: 1, alpha: 0 },
    { margin: 1, alpha: 0.5 },
  ])('refuses margin $margin, alpha $alpha', (options) => {
    expect(() => equivalenceTest(sleepGain, options)).toThrow(RangeError);
  });
});
