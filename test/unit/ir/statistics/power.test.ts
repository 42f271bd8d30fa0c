import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  minimumDetectableEffect,
  neededQuestions,
  power,
} from '../../../../src/ir/statistics/power.ts';
import { goldenPower } from './golden.ts';
import { relativeError } from './samples.ts';

const design = { alpha: 0.05, alternative: 'two-sided' } as const;

describe('golden results of scipy', () => {
  it.each(goldenPower.power)('power of $n at $dz, $alpha $alternative', (row) => {
    expect(relativeError(power(row), row.power)).toBeLessThan(1e-7);
  });

  it.each(goldenPower.mde)('effect for $n at $power, $alpha $alternative', (row) => {
    expect(relativeError(minimumDetectableEffect(row), row.dz)).toBeLessThan(1e-8);
  });

  it.each(goldenPower.requiredN)('questions for $dz at $power, $alpha $alternative', (row) => {
    expect(neededQuestions(row)).toBe(row.n);
  });
});

describe('power', () => {
  // R, pwr.t.test(d = 0.2, n = 60, sig.level = 0.10, type = "one.sample"), after Cohen (1988), exercise 2.5.
  it('agrees with the example of R’s pwr', () => {
    expect(power({ n: 60, dz: 0.2, alpha: 0.1, alternative: 'two-sided' })).toBeCloseTo(
      0.4555818,
      7,
    );
  });

  it.each(['two-sided', 'one-sided'] as const)('is alpha without an effect, %s', (alternative) => {
    expect(power({ n: 12, dz: 0, alpha: 0.05, alternative })).toBeCloseTo(0.05, 12);
  });

  it('finds a decline only two-sided', () => {
    const decline = { n: 30, dz: -0.5, alpha: 0.05 };
    expect(power({ ...decline, alternative: 'one-sided' })).toBeLessThan(0.001);
    expect(power({ ...decline, alternative: 'two-sided' })).toBeCloseTo(
      power({ ...decline, dz: 0.5, alternative: 'two-sided' }),
      12,
    );
  });

  it.each([
    { n: 1, dz: 0.5, ...design },
    { n: Number.NaN, dz: 0.5, ...design },
    { n: 10, dz: 0.5, ...design, alpha: 0 },
    { n: 10, dz: 0.5, ...design, alpha: 1 },
  ])('refuses n $n at alpha $alpha', (wrong) => {
    expect(() => power(wrong)).toThrow(RangeError);
  });
});

describe('minimumDetectableEffect', () => {
  it('is what the power is reached at', () => {
    const questions = fc.integer({ min: 2, max: 500 });
    const target = fc.double({ min: 0.1, max: 0.95, noNaN: true });
    fc.assert(
      fc.property(questions, target, (n, wanted) => {
        const dz = minimumDetectableEffect({ n, power: wanted, ...design });
        expect(power({ n, dz, ...design })).toBeCloseTo(wanted, 9);
      }),
    );
  });

  it('is 0 where alpha alone is enough', () => {
    expect(minimumDetectableEffect({ n: 10, power: 0.05, ...design })).toBe(0);
  });

  it.each([
    { n: 1, power: 0.8, ...design },
    { n: 10, power: 1, ...design },
    { n: 10, power: 0.8, ...design, alpha: 1 },
  ])('refuses n $n, power $power, alpha $alpha', (wrong) => {
    expect(() => minimumDetectableEffect(wrong)).toThrow(RangeError);
  });
});

describe('neededQuestions', () => {
  // G*Power and R, pwr.t.test(d = 0.5, power = 0.8, type = "paired"): n = 33.37.
  it.each([0.5, -0.5])('is 34 for a medium effect of %d', (dz) => {
    expect(neededQuestions({ dz, power: 0.8, ...design })).toBe(34);
  });

  it.each([
    ['no effect', { dz: 0, ...design }],
    ['a decline looked for as an improvement', { dz: -0.5, ...design, alternative: 'one-sided' }],
    ['an effect that a billion questions miss', { dz: 1e-5, ...design }],
  ] as const)('is missing for %s', (_name, wanted) => {
    expect(neededQuestions({ power: 0.8, ...wanted })).toBeNull();
  });

  it('is 2 at the least', () => {
    expect(neededQuestions({ dz: 100, power: 0.8, ...design })).toBe(2);
  });

  it.each([
    { dz: 0.5, power: 0, ...design },
    { dz: 0.5, power: 0.8, ...design, alpha: -1 },
  ])('refuses power $power at alpha $alpha', (wrong) => {
    expect(() => neededQuestions(wrong)).toThrow(RangeError);
  });
});
