import binomialCdf from '@stdlib/stats-base-dists-binomial-cdf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { gaffkeBound, questionsForGuarantee } from '../../../../src/ir/statistics/gaffke.ts';
import { nextBelow, randomStream } from '../../../../src/ir/statistics/random-stream.ts';
import { relativeError } from './samples.ts';

const options = { margin: 0.02, confidence: 0.95 };
const repeat = (value: number, count: number) => Array.from({ length: count }, () => value);
const losses = (count: number, of: number) => [...repeat(-1, count), ...repeat(0, of - count)];

describe('gaffkeBound', () => {
  // P(e₁ (d + m) ≤ e₀ (1 − m)) = (1 − m) / (1 + d).
  it.each([
    [0, 0.98],
    [0.4, 0.98 / 1.4],
    [1, 0.49],
    [-0.02, 1],
    [-0.5, 1],
  ])('of one difference of %d has the p of %d', (difference, p) => {
    expect(relativeError(gaffkeBound([difference], options).p, p)).toBeLessThan(1e-13);
  });

  // Two gains: the product of both. A gain and a loss: 1 − a² / ((a + c)(a + b)), a = 0.52, c = 0.28, b = 0.98.
  it.each([
    [[0.5, 0.25], (0.98 / 1.5) * (0.98 / 1.25)],
    [[0.5, -0.3], 1 - 0.52 ** 2 / (0.8 * 1.5)],
    [[-0.3, -0.3], 1],
  ])('of %j has the p of %d', (differences, p) => {
    expect(relativeError(gaffkeBound(differences, options).p, p)).toBeLessThan(1e-13);
  });

  // Clopper and Pearson (Biometrika 26, 1934): P(at most so many losses of n) where each is lost with probability m.
  it.each([
    [0, 20, 0.02],
    [1, 20, 0.02],
    [3, 50, 0.1],
    [0, 150, 0.02],
    [2, 300, 0.02],
    [40, 1000, 0.05],
    [180, 5000, 0.04],
    [7, 10, 0.5],
  ])(
    'of %d total losses in %d at a margin of %d is that of Clopper and Pearson',
    (count, of, margin) => {
      const { p } = gaffkeBound(losses(count, of), { margin, confidence: 0.95 });
      expect(relativeError(p, binomialCdf(count, of, margin))).toBeLessThan(1e-12);
    },
  );

  // The bound of no loss in n: 1 − 0.05^(1/n), 0.45 for 5.
  it.each([
    [5, 0.450_719_5],
    [20, 0.139_108_3],
    [149, 0.019_904_9],
  ])('of %d equal values leaves room for a drop of %d', (count, drop) => {
    expect(gaffkeBound(repeat(0, count), options).lowerBound).toBeCloseTo(-drop, 6);
  });

  it.each([
    ['no difference', [], { p: 1, lowerBound: -1 }],
    ['total losses only', [-1, -1, -1], { p: 1, lowerBound: -1 }],
  ])('knows nothing from %s', (_name, differences, expected) => {
    const found = gaffkeBound(differences, options);
    expect(found.p).toBe(expected.p);
    expect(found.lowerBound).toBeCloseTo(expected.lowerBound, 8);
  });

  it('rules out every drop beyond a margin of 1, and none of 0 without gains', () => {
    expect(gaffkeBound([0, 0], { margin: 1, confidence: 0.95 }).p).toBe(2 ** -1022);
    expect(gaffkeBound(repeat(0, 1000), { margin: 0, confidence: 0.95 }).p).toBe(1);
  });

  it('has a lower bound at the margin where p is the level', () => {
    const differences = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(
        differences,
        fc.double({ min: 0.6, max: 0.999, noNaN: true }),
        (values, confidence) => {
          const { lowerBound } = gaffkeBound(values, { margin: 0, confidence });
          fc.pre(lowerBound < -1e-6 && lowerBound > -1 + 1e-6);
          const { p } = gaffkeBound(values, { margin: -lowerBound, confidence });
          expect(relativeError(p, 1 - confidence)).toBeLessThan(1e-4);
          expect(lowerBound).toBeLessThan(
            values.reduce((sum, value) => sum + value, 0) / values.length,
          );
        },
      ),
    );
  });

  it('takes a fraction of a second for 5,000 different values', () => {
    const random = randomStream(1, 'bootstrap');
    const values = Array.from({ length: 5000 }, () => nextBelow(random, 1e6) / 1e6 - 0.5);
    const start = performance.now();
    gaffkeBound(values, options);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it.each([1.01, -1.5, Number.NaN])('refuses a difference of %d', (difference) => {
    expect(() => gaffkeBound([difference], options)).toThrow(RangeError);
  });
});

describe('questionsForGuarantee', () => {
  // ln 0.05 / ln 0.98 = 148.3, ln 0.05 / ln 0.95 = 58.4, ln 0.5 / ln 0.5 = 1.
  it.each([
    [0.02, 0.95, 149],
    [0.05, 0.95, 59],
    [0.5, 0.75, 2],
    [1, 0.95, 1],
    [0, 0.95, null],
  ])('for a margin of %d at %d is %s', (margin, confidence, questions) => {
    expect(questionsForGuarantee({ margin, confidence })).toBe(questions);
  });

  it.each([0.01, 0.02, 0.05, 0.3])('is where equal rankings first pass, at %d', (margin) => {
    const needed = questionsForGuarantee({ margin, confidence: 0.95 }) ?? 0;
    const p = (count: number) => gaffkeBound(repeat(0, count), { margin, confidence: 0.95 }).p;
    expect(p(needed)).toBeLessThanOrEqual(0.05);
    expect(p(needed - 1)).toBeGreaterThan(0.05);
  });
});
