import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { testNonInferiority } from '../../../../src/ir/statistics/non-inferiority.ts';
import { maize } from './samples.ts';

const options = { maxDrop: 0.1, confidence: 0.95, resamples: 10_000, seed: 1 };
const zeros = (count: number) => Array.from({ length: count }, () => 0);

describe('testNonInferiority', () => {
  // By hand: mean 0, deviation √(0.10 / 4), so a standard error of √0.005 = 0.0707107; t(0.95, 4) is 2.1318468
  // (Fisher and Yates, table III). Against −0.1 t = √2; for four degrees of freedom the distribution function
  // is ½ + ⅜ · t / √(1 + t²/4) · (1 − t² / (12 (1 + t²/4))) = 0.8849002.
  it('has the t bounds and the p worked by hand', () => {
    const found = testNonInferiority(zeros(5), [-0.2, -0.1, 0, 0.1, 0.2], options);

    expect(found).toMatchObject({ questions: 5, meanDifference: 0, isTooFew: false });
    expect(found.bounds.t?.low).toBeCloseTo(-2.131_846_8 * Math.sqrt(0.005), 7);
    expect(found.bounds.t?.high).toBeCloseTo(2.131_846_8 * Math.sqrt(0.005), 7);
    expect(found.pLarger).toBeCloseTo(0.884_900_2, 7);
  });

  // scipy 1.17.1: maize.mean() − t.ppf(0.95, 14) · sem = 3.7683857536552985.
  it('has the one-sided bound of Darwin’s maize', () => {
    const { bounds, means } = testNonInferiority(zeros(15), maize, options);

    expect(means).toEqual({ baseline: 0, candidate: 314 / 15 });
    expect(bounds.t?.low).toBeCloseTo(3.768_385_753_655, 10);
  });

  it('takes the less favourable of the two bounds on each side', () => {
    const { bounds, lowerBound, upperBound } = testNonInferiority(zeros(15), maize, options);

    expect(lowerBound).toBe(Math.min(bounds.t!.low, bounds.bca!.low));
    expect(upperBound).toBe(Math.max(bounds.t!.high, bounds.bca!.high));
    expect(bounds.bca?.low).not.toBe(bounds.t?.low);
  });

  // The sign test of six of six: 2^-6.
  it.each([
    ['a larger drop', 0.2, 2 ** -6],
    ['no larger drop', 0.3, 1],
  ])('has a p where all differences are equal: %s', (_name, maxDrop, p) => {
    const found = testNonInferiority(
      [1, 1, 1, 1, 1, 1],
      Array.from({ length: 6 }, () => 0.75),
      {
        ...options,
        maxDrop,
      },
    );

    expect(found).toMatchObject({ lowerBound: -0.25, upperBound: -0.25, pLarger: p });
  });

  // 300 questions of which all but one lose everything: t is about −300 on 299 degrees, whose tail no number holds.
  it.each([
    ['differences that differ', [-0.4, ...Array.from({ length: 299 }, () => -1)]],
    ['equal differences', Array.from({ length: 2000 }, () => -1)],
  ])('has no p of 0: %s', (_name, differences) => {
    const { pLarger } = testNonInferiority(zeros(differences.length), differences, options);

    expect(pLarger).toBe(2 ** -1022);
  });

  // One minus the confidence is 1/20: 2^-4 is above it, 2^-5 below.
  it.each([
    [0, true],
    [1, true],
    [4, true],
    [5, false],
  ])('%d questions are too few: %s', (count, isTooFew) => {
    expect(testNonInferiority(zeros(count), zeros(count), options).isTooFew).toBe(isTooFew);
  });

  it('has no bounds below two questions', () => {
    expect(testNonInferiority([0], [1], options)).toMatchObject({
      lowerBound: null,
      upperBound: null,
      pLarger: null,
      bounds: { t: null, bca: null },
    });
  });

  it('leaves the bootstrap out beyond 5,000 questions', () => {
    const many = Array.from({ length: 5001 }, (_, index) => (index % 2) / 10);
    const found = testNonInferiority(zeros(5001), many, options);

    expect(found.bounds.bca).toBeNull();
    expect(found.lowerBound).toBe(found.bounds.t?.low);
  });

  it('never has a lower bound above the upper one, and widens with the confidence', () => {
    const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
      minLength: 2,
      maxLength: 30,
    });
    fc.assert(
      fc.property(values, (candidate) => {
        const few = { ...options, resamples: 200 };
        const usual = testNonInferiority(zeros(candidate.length), candidate, few);
        const sure = testNonInferiority(zeros(candidate.length), candidate, {
          ...few,
          confidence: 0.99,
        });
        expect(usual.lowerBound).toBeLessThanOrEqual(usual.upperBound!);
        expect(sure.lowerBound).toBeLessThanOrEqual(usual.lowerBound!);
      }),
    );
  });
});
