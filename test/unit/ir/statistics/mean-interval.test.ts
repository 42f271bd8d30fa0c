import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { meanInterval, meanIntervals } from '../../../../src/ir/statistics/mean-interval.ts';
import { goldenPairs } from './golden.ts';
import { absoluteError } from './samples.ts';

const options = { confidence: 0.95, resamples: 10_000, seed: 7 };
const share = { least: 0, most: 1 };

describe('golden results of scipy', () => {
  // scipy's interval of the mean of a list is the same whether the list holds differences or values.
  const cases = goldenPairs.filter(({ name }) => /moderate|small|mrr|strong/.test(name));

  it.each(cases)('$name: within five deviations', ({ a, b, expected }) => {
    const { ci95, tolerance } = expected.bootstrap_meanDiff.bca;
    const values = a.map((value, index) => value - b[index]!);
    const interval = meanInterval(values, null, options);
    const [low, high] = tolerance.at_1e4_resamples;
    expect(absoluteError(interval?.bca.low, ci95[0])).toBeLessThanOrEqual(low + 1e-12);
    expect(absoluteError(interval?.bca.high, ci95[1])).toBeLessThanOrEqual(high + 1e-12);
  });
});

describe('meanInterval', () => {
  // Resampled means of one hit in ten are Binomial(10, 0.1) / 10; the levels worked by hand in bootstrap.test.ts.
  it('has the ends worked by hand for one hit in ten', () => {
    const many = { ...options, resamples: 100_000 };
    const interval = meanInterval([1, 0, 0, 0, 0, 0, 0, 0, 0, 0], null, many);
    expect(interval).toMatchObject({ ...many, bca: { low: 0, high: 0.5 } });
  });

  // Side by side, a constant column among them, more than are summed at once: none changes another.
  it.each([0, 1, 2, 5, 7])('gives for each of %d columns what it gives for it alone', (count) => {
    const few = { ...options, resamples: 500 };
    const columns = Array.from({ length: count }, (_, column) =>
      Array.from({ length: 40 }, (_value, row) =>
        column === 1 ? 0.5 : Math.sin(row * column) ** 2,
      ),
    );
    const alone = columns.map((values) => meanInterval(values, share, few));
    const together = columns.map((values) => ({ values, range: share }));

    expect(meanIntervals(together, few)).toEqual(alone);
  });

  it('has BCa ends that never leave the values', () => {
    const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2 });
    fc.assert(
      fc.property(values, fc.integer(), (scores, seed) => {
        const { bca } = meanInterval(scores, share, { ...options, resamples: 200, seed })!;
        expect(bca.low).toBeGreaterThanOrEqual(Math.min(...scores) - 1e-12);
        expect(bca.high).toBeLessThanOrEqual(Math.max(...scores) + 1e-12);
        expect(bca.low).toBeLessThanOrEqual(bca.high);
      }),
    );
  });

  it('is one value where values differ by rounding noise only', () => {
    const interval = meanInterval([0.1 + 0.2, 0.3, 0.3], null, options);
    expect(interval?.low).toBe(interval?.high);
    expect(interval?.low).toBeCloseTo(0.3, 12);
  });

  // 20 hits of 20: 0.025^(1/20) (Clopper and Pearson). Where no hit was missed, BCa and t see no width at all.
  it('leaves room below a perfect hit rate', () => {
    const hits = Array.from({ length: 20 }, () => 1);
    const interval = meanInterval(hits, share, options);
    expect(interval).toMatchObject({ method: 'gaffke', high: 1, t: { low: 1, high: 1 } });
    expect(interval?.low).toBeCloseTo(0.025 ** (1 / 20), 9);
  });

  it('refuses a value outside the range', () => {
    expect(() => meanInterval([0, 1.5], share, options)).toThrow('between 0 and 1, not 1.5');
  });

  it.each([[[]], [[0.5]]])('is missing for %j', (values) => {
    expect(meanInterval(values, share, options)).toBeNull();
  });

  it('repeats itself for a seed', () => {
    const values = [0, 0.2, 0.5, 0.7, 1];
    expect(meanInterval(values, share, options)).toEqual(meanInterval(values, share, options));
  });

  it.each([
    { ...options, confidence: 1 },
    { ...options, resamples: 0 },
    { ...options, seed: 0.5 },
  ])('refuses %j', (wrong) => {
    expect(() => meanInterval([0, 1], share, wrong)).toThrow(RangeError);
  });

  it('refuses values that are not finite', () => {
    expect(() => meanInterval([0, Number.NaN], share, options)).toThrow('question 2');
  });
});
