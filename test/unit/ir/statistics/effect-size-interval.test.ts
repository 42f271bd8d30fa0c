import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  pairDifferences,
  summarizeDifferences,
  type DifferenceSummary,
} from '../../../../src/ir/statistics/differences.ts';
import { effectSizeInterval } from '../../../../src/ir/statistics/effect-size-interval.ts';
import { noncentralTCdf } from '../../../../src/ir/statistics/noncentral-t.ts';
import { maize, sleep } from './samples.ts';

const sleepGain = summarizeDifferences(pairDifferences(sleep.first, sleep.second));
const maizeGain = summarizeDifferences(maize);

/** A sample of n differences with the effect size dz. */
function sampleWith(questions: number, dz: number): DifferenceSummary {
  return { questions, wins: 0, losses: 0, ties: 0, mean: dz, deviation: 1 };
}

describe('effectSizeInterval', () => {
  // scipy 1.17.1: brentq over nct.cdf(t, n - 1, delta), divided by sqrt(n).
  it.each([
    ['sleep', sleepGain, 0.9, 0.5446397659235159, 1.9746153451170114],
    ['sleep', sleepGain, 0.95, 0.41462775638045923, 2.1180165139816007],
    ['sleep', sleepGain, 0.99, 0.16406705588640413, 2.4010723893320165],
    ['maize', maizeGain, 0.9, 0.0878568620687893, 1.0033704239688022],
    ['maize', maizeGain, 0.95, 0.000704248701791785, 1.0916029278021393],
    ['maize', maizeGain, 0.99, -0.1693597355474686, 1.2643145073826156],
    ['200 questions', sampleWith(200, 0.2), 0.95, 0.059779014068592554, 0.3397281814938241],
    ['5 questions', sampleWith(5, 3), 0.8, 1.4250518567894244, 4.294270928658967],
  ])('agrees with scipy on %s at %d', (_name, summary, confidence, low, high) => {
    const interval = effectSizeInterval(summary, confidence);
    expect(interval?.low).toBeCloseTo(low, 8);
    expect(interval?.high).toBeCloseTo(high, 8);
  });

  it('is normal for no effect', () => {
    // P(T ≤ 0) = Φ(−δ), so the ends are ∓ 1.959963984540054 / √n.
    const interval = effectSizeInterval(sampleWith(10, 0), 0.95);
    expect(interval?.low).toBeCloseTo(-1.959963984540054 / Math.sqrt(10), 9);
    expect(interval?.high).toBeCloseTo(1.959963984540054 / Math.sqrt(10), 9);
  });

  it('has ends under which the effect is as unlikely as stated', () => {
    const questions = fc.integer({ min: 2, max: 300 });
    const effect = fc.double({ min: -3, max: 3, noNaN: true });
    fc.assert(
      fc.property(questions, effect, (n, dz) => {
        const interval = effectSizeInterval(sampleWith(n, dz), 0.9)!;
        const root = Math.sqrt(n);
        const probability = (end: number) => noncentralTCdf(dz * root, n - 1, end * root);
        expect(probability(interval.low)).toBeCloseTo(0.95, 7);
        expect(probability(interval.high)).toBeCloseTo(0.05, 7);
      }),
      { numRuns: 50 },
    );
  });

  it('is mirrored for the other direction', () => {
    const there = effectSizeInterval(sampleWith(30, 0.4), 0.95)!;
    const back = effectSizeInterval(sampleWith(30, -0.4), 0.95)!;
    expect(back.low).toBeCloseTo(-there.high, 9);
    expect(back.high).toBeCloseTo(-there.low, 9);
  });

  it.each([
    ['no question', summarizeDifferences([])],
    ['one question', summarizeDifferences([1])],
    ['no spread', summarizeDifferences([1, 1, 1])],
    ['next to no spread', sampleWith(10, 1e9)],
  ])('is missing for %s', (_name, summary) => {
    expect(effectSizeInterval(summary, 0.95)).toBeNull();
  });

  it.each([0, 1, Number.NaN])('refuses the confidence %d', (confidence) => {
    expect(() => effectSizeInterval(sleepGain, confidence)).toThrow(RangeError);
  });
});
