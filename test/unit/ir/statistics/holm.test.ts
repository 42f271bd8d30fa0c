import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { adjustHolm } from '../../../../src/ir/statistics/holm.ts';
import { goldenFamilies } from './golden.ts';
import { absoluteError } from './samples.ts';

describe('golden results of statsmodels', () => {
  it.each(Object.entries(goldenFamilies.sets))('%s', (_name, { p, expected }) => {
    const errors = adjustHolm(p).map((value, i) =>
      absoluteError(value, expected.holm.adjusted[i]!),
    );
    expect(errors).toHaveLength(expected.holm.adjusted.length);
    expect(Math.max(...errors)).toBeLessThan(1e-15);
  });
});

describe('adjustHolm', () => {
  it.each([
    ['nothing', [], []],
    ['one', [0.25], [0.25]],
    // By hand: 3 · 0.125, then 2 · 0.25, then 1 · 0.375, which must not fall below the 0.5 before it.
    ['three', [0.25, 0.375, 0.125], [0.5, 0.5, 0.375]],
    ['at most 1', [0.75, 0.5], [1, 1]],
  ])('adjusts %s', (_name, pValues, expected) => {
    expect(adjustHolm(pValues)).toEqual(expected);
  });

  it('never lowers a p, keeps their order and stays within 1', () => {
    const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(pValues, (p) => {
        const adjusted = adjustHolm(p);
        const inOrder = [...p.keys()].toSorted((a, b) => p[a]! - p[b]!).map((i) => adjusted[i]!);
        expect(adjusted.every((value, index) => value >= p[index]! && value <= 1)).toBe(true);
        expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
      }),
    );
  });
});
