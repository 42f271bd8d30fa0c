import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { completeOrder, parsePermutation } from '../../../../src/ir/reranking/permutation.ts';
import { slideWindows } from '../../../../src/ir/reranking/sliding-windows.ts';

describe('slideWindows', () => {
  it.each([
    [0, []],
    [5, [[0, 5]]],
    [20, [[0, 20]]],
    // The rest that no whole step reaches is a window too, which the method's first code left out.
    [
      25,
      [
        [5, 25],
        [0, 20],
      ],
    ],
  ])('orders %i candidates by windows of 20', (candidates, windows) => {
    expect(slideWindows(candidates, { window: 20, step: 10 })).toEqual(windows);
  });

  it('reaches every candidate, and each window shares some with the next', () => {
    const sizes = fc.tuple(fc.nat(200), fc.integer({ min: 2, max: 30 })).chain(([n, window]) =>
      fc.record({
        candidates: fc.constant(n),
        window: fc.constant(window),
        step: fc.integer({ min: 1, max: window - 1 }),
      }),
    );
    fc.assert(
      fc.property(sizes, ({ candidates, window, step }) => {
        const windows = slideWindows(candidates, { window, step });
        const reached = new Set(
          windows.flatMap(([start, end]) =>
            Array.from({ length: end - start }, (_, i) => start + i),
          ),
        );
        const apart = windows
          .slice(1)
          .filter(([, end], index) => end <= (windows[index]?.[0] ?? 0));

        expect(reached.size).toBe(candidates);
        expect(windows.every(([start, end]) => end - start <= window)).toBe(true);
        expect(apart).toEqual([]);
      }),
    );
  });
});

describe('completeOrder', () => {
  it('is a permutation, whatever it is given', () => {
    const orders = fc.array(fc.oneof(fc.integer({ min: -5, max: 40 }), fc.double()));
    fc.assert(
      fc.property(orders, fc.nat(30), (order, candidates) => {
        const complete = completeOrder(order, candidates).toSorted((a, b) => a - b);

        expect(complete).toEqual(Array.from({ length: candidates }, (_, place) => place));
      }),
    );
  });
});

describe('parsePermutation', () => {
  it('names nothing where the reply has no number of a candidate', () => {
    expect(parsePermutation('I cannot rank [0], [7] or 1.', 3)).toEqual([]);
  });
});
