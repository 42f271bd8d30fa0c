import { describe, expect, it } from 'vitest';

import {
  pairDifferences,
  summarizeDifferences,
} from '../../../../src/ir/statistics/differences.ts';
import { sleep } from './samples.ts';

describe('pairDifferences', () => {
  it('subtracts the baseline from the candidate', () => {
    expect(pairDifferences([1, 0.5, 0.25], [0.5, 0.5, 1])).toEqual([-0.5, 0, 0.75]);
  });

  it('takes rounding noise for a tie', () => {
    expect(pairDifferences([0.3], [0.1 + 0.2])).toEqual([0]);
  });

  it('keeps a small difference of small values', () => {
    expect(pairDifferences([2 ** -50], [3 * 2 ** -50])).toEqual([2 ** -49]);
  });

  it('gives differences of the same size the same size, whatever their sign', () => {
    const [first, second, third] = pairDifferences([0.4186, 0.8, 0.204], [0.5886, 0.63, 0.374]);
    expect([second, third]).toEqual([-first!, first]);
  });

  it('measures noise against the values subtracted', () => {
    const [first, second] = pairDifferences([1e6 + 0.1, 0.1], [1e6 + 0.4, 0.4]);
    expect(second).toBe(first);
    expect(pairDifferences([0, 0], [1e-13, 3e-13])).toEqual([1e-13, 3e-13]);
  });

  it('keeps a tie apart from a tiny difference elsewhere', () => {
    expect(pairDifferences([1, 0], [1, 1e-15])).toEqual([0, 1e-15]);
  });

  it('refuses lists of different length', () => {
    expect(() => pairDifferences([1, 2], [1])).toThrow(RangeError);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e101])('refuses the value %d', (value) => {
    expect(() => pairDifferences([0], [value])).toThrow('question 1 is not');
    expect(() => pairDifferences([value], [0])).toThrow(RangeError);
  });
});

describe('summarizeDifferences', () => {
  it('counts outcomes', () => {
    expect(summarizeDifferences([0.5, 0, -0.25, 1])).toMatchObject({
      questions: 4,
      wins: 2,
      losses: 1,
      ties: 1,
    });
  });

  it('has the mean and deviation of the sleep data (scipy 1.17.1)', () => {
    const summary = summarizeDifferences(pairDifferences(sleep.first, sleep.second));
    expect(summary.mean).toBeCloseTo(1.58, 13);
    expect(summary.deviation).toBeCloseTo(1.2299954832798732, 13);
  });

  it('finds no spread in a constant shift', () => {
    const shift = pairDifferences([0.4186, 0.204, 0.467], [0.5886, 0.374, 0.637]);
    expect(summarizeDifferences(shift).deviation).toBe(0);
  });

  it.each([
    ['no question', [], { mean: null, deviation: null }],
    ['one question', [0.25], { mean: 0.25, deviation: null }],
  ])('has no deviation for %s', (_name, differences, expected) => {
    expect(summarizeDifferences(differences)).toMatchObject(expected);
  });
});
