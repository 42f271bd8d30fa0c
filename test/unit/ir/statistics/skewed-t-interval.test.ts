import { describe, expect, it } from 'vitest';

import { summarizeDifferences } from '../../../../src/ir/statistics/differences.ts';
import { skewedTInterval } from '../../../../src/ir/statistics/skewed-t-interval.ts';
import { tInterval } from '../../../../src/ir/statistics/t-interval.ts';

const values = [0, 0, 0, 0, 0.1, 0.2, 0.2, 0.5, 0.9, 1];
const find = (list: readonly number[]) => skewedTInterval(list, summarizeDifferences(list), 0.95);

describe('skewedTInterval', () => {
  // The cubic solved by scipy 1.17.1's brentq for t.ppf(0.975, 9).
  it('has the ends at which the cubic of the statistic reaches Student’s quantiles', () => {
    expect(find(values)?.low).toBeCloseTo(0.06425699306918273, 10);
    expect(find(values)?.high).toBeCloseTo(0.6673836719498761, 10);
  });

  it('is mirrored with the values', () => {
    const there = find(values);
    const back = find(values.map((value) => 0 - value));
    expect(back?.low).toBeCloseTo(-there!.high, 12);
    expect(back?.high).toBeCloseTo(-there!.low, 12);
  });

  it('is Student’s where the values are symmetric', () => {
    const symmetric = [-2, -1, 0, 0, 1, 2];
    const student = tInterval(summarizeDifferences(symmetric), 0.95);
    expect(find(symmetric)?.low).toBeCloseTo(student!.low, 12);
    expect(find(symmetric)?.high).toBeCloseTo(student!.high, 12);
  });

  it('is one value where all are equal, and missing below two', () => {
    expect(find([0.25, 0.25])).toEqual({ low: 0.25, high: 0.25 });
    expect(find([0.25])).toBeNull();
    expect(find([])).toBeNull();
  });
});

describe('tInterval', () => {
  it('is one value where all are equal, and missing below two', () => {
    expect(tInterval(summarizeDifferences([1, 1, 1]), 0.95)).toEqual({ low: 1, high: 1 });
    expect(tInterval(summarizeDifferences([1]), 0.95)).toBeNull();
  });

  // scipy 1.17.1: mean ± t.ppf(0.975, 9) · std(ddof = 1) / √10.
  it('has the ends of scipy', () => {
    const found = tInterval(summarizeDifferences(values), 0.95);
    expect(found?.low).toBeCloseTo(0.017183054183420476, 12);
    expect(found?.high).toBeCloseTo(0.5628169458165795, 12);
  });
});
