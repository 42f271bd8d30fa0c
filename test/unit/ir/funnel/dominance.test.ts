import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { findFront, type Tradeoff } from '../../../../src/ir/funnel/dominance.ts';

const standingsOf = (...tradeoffs: Tradeoff[]) =>
  Object.fromEntries(
    findFront(tradeoffs).map(({ name, dominatedBy, possiblyDominatedBy, isOnFront }) => [
      name,
      [isOnFront, dominatedBy, possiblyDominatedBy],
    ]),
  );
const make = (name: string, quality: number | null, ...costs: (number | null)[]): Tradeoff => ({
  name,
  quality,
  costs,
});

describe('findFront', () => {
  it('keeps what buys quality with cost, and names what dominates the rest', () => {
    const front = standingsOf(
      make('cheap', 0.5, 10, 1),
      make('dear', 0.7, 90, 3),
      make('slow', 0.5, 20, 1),
      make('bad', 0.4, 95, 3),
    );
    expect(front).toEqual({
      cheap: [true, [], []],
      dear: [true, [], []],
      slow: [false, ['cheap'], []],
      bad: [false, ['cheap', 'dear', 'slow'], []],
    });
  });

  it('lets equals stand beside each other', () => {
    const front = standingsOf(make('a', 0.5, 10), make('b', 0.5, 10), make('c', 0.1 + 0.2, 10));
    expect(front).toEqual({ a: [true, [], []], b: [true, [], []], c: [false, ['a', 'b'], []] });
  });

  it('takes what differs by rounding for equal', () => {
    const front = standingsOf(make('a', 0.1 + 0.2, 1), make('b', 0.3, 1));
    expect(front).toEqual({ a: [true, [], []], b: [true, [], []] });
  });

  it('decides nothing by an unknown axis', () => {
    const front = standingsOf(make('better', 0.6, null, 1), make('other', 0.5, 10, 1));
    expect(front).toEqual({ better: [true, [], []], other: [null, [], ['better']] });
  });

  it('lets an unknown axis hide nothing that a known one shows', () => {
    const front = standingsOf(make('a', 0.6, null, 2), make('b', 0.5, null, 1));
    expect(front).toEqual({ a: [true, [], []], b: [true, [], []] });
  });

  it('says of equals with an unknown axis that either may be better', () => {
    const front = standingsOf(make('a', 0.5, null), make('b', 0.5, 1));
    expect(front).toEqual({ a: [null, [], ['b']], b: [null, [], ['a']] });
  });

  it('takes costs within a tolerance for equal, and those outside it for different', () => {
    const latency = [{ share: 0.05, amount: 1 }];
    const frontOf = (a: number, b: number) =>
      findFront([make('a', 0.5, a), make('b', 0.5, b)], latency).map(({ isOnFront }) => isOnFront);

    // 1 ms for short times, 5 % of the longer one for long times.
    expect(frontOf(0.401, 0.402)).toEqual([true, true]);
    expect(frontOf(0.4, 1.4)).toEqual([true, true]);
    expect(frontOf(0.4, 1.41)).toEqual([true, false]);
    expect(frontOf(95, 100)).toEqual([true, true]);
    expect(frontOf(94.9, 100)).toEqual([true, false]);
  });

  it('lets the one with fewer failures dominate its equal, and buys nothing with failures', () => {
    const failing = { ...make('failing', 0.5, 10), failures: 5 };
    const reliable = { ...make('reliable', 0.5, 10), failures: 0 };
    const cheaper = { ...make('cheaper', 0.5, 8), failures: 5 };

    expect(standingsOf(failing, reliable)).toEqual({
      failing: [false, ['reliable'], []],
      reliable: [true, [], []],
    });
    expect(standingsOf(reliable, cheaper)).toEqual({
      reliable: [true, [], []],
      cheaper: [true, [], []],
    });
  });

  it('never leaves the front empty where tolerances would lead in a circle', () => {
    const tolerances = Array.from({ length: 3 }, () => ({ share: 0, amount: 1 }));
    // Each is 1.2 better than the next on one axis, and 0.6 worse on the two others.
    const circle = [
      make('a', 1, 2, 3.2, 2.6),
      make('b', 1, 3.2, 2.6, 2),
      make('c', 1, 2.6, 2, 3.2),
    ];
    const found = findFront(circle, tolerances);
    expect(found.some(({ isOnFront }) => isOnFront)).toBe(true);

    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 8 }), (points) => {
        const near = points.map(([q, ...costs], index) => {
          return { ...make(`${index}`, q > 1 ? 1 : 0, ...costs, q), failures: index % 2 };
        });
        const front = findFront(near, tolerances);
        expect(front.some(({ dominatedBy }) => dominatedBy.length === 0)).toBe(true);
      }),
    );
  });

  it('dominates at most one way, and never leaves the front empty', () => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 8 }), (points) => {
        const front = findFront(
          points.map(([q, ...costs], index) => make(`${index}`, q, ...costs)),
        );
        const pairs = front.flatMap(({ name, dominatedBy }) => dominatedBy.map((by) => [name, by]));
        const mutual = pairs.filter(([a, b]) => pairs.some(([c, d]) => a === d && b === c));
        expect(mutual).toEqual([]);
        expect(front.some(({ dominatedBy }) => dominatedBy.length === 0)).toBe(true);
      }),
    );
  });
});

const value = fc.constantFrom(0, 1, 2, 3);
const values = fc.tuple(value, value, value);
