import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compareByCodePoint } from '../../../src/ir/compare-ids.ts';
import { fuseReciprocalRank, weighRank } from '../../../src/ir/fusion.ts';

describe('fuseReciprocalRank', () => {
  it('adds 1 / (k + rank) over the rankings that hold a document', () => {
    // B: 1/62 + 1/61. A: 1/61. C: 1/62.
    expect(
      fuseReciprocalRank(
        [
          ['A', 'B'],
          ['B', 'C'],
        ],
        60,
      ),
    ).toEqual([
      { documentId: 'B', score: 1 / 62 + 1 / 61 },
      { documentId: 'A', score: 1 / 61 },
      { documentId: 'C', score: 1 / 62 },
    ]);
  });

  it('orders ties by document id', () => {
    const fused = fuseReciprocalRank([['\u{1F6B2}'], ['\uFF5E'], ['a'], ['B']], 60);
    expect(fused.map((hit) => hit.documentId)).toEqual(['B', 'a', '\uFF5E', '\u{1F6B2}']);
  });

  it('counts a document that a ranking repeats once, at its first rank', () => {
    expect(fuseReciprocalRank([['A', 'B', 'A']], 1)).toEqual([
      { documentId: 'A', score: 1 / 2 },
      { documentId: 'B', score: 1 / 3 },
    ]);
  });

  it.each([[[]], [[[]]], [[[], []]]])('fuses %j into nothing', (rankings) => {
    expect(fuseReciprocalRank(rankings, 60)).toEqual([]);
  });

  it('leaves the order of a single ranking as it is', () => {
    const rankings = fc.uniqueArray(fc.string(), { maxLength: 20 });
    fc.assert(
      fc.property(rankings, fc.integer({ min: 0, max: 1000 }), (ranking, k) => {
        expect(fuseReciprocalRank([ranking], k).map((hit) => hit.documentId)).toEqual(ranking);
      }),
    );
  });
});

describe('weighRank', () => {
  it('falls with the rank', () => {
    expect([weighRank(1, 60), weighRank(2, 60)]).toEqual([1 / 61, 1 / 62]);
  });
});

describe('compareByCodePoint', () => {
  it.each([
    ['D1', 'D2', -1],
    ['D10', 'D2', -1],
    ['D1', 'D1', 0],
    ['D1', 'D', 1],
    ['Z', 'a', -1],
    ['z', 'ä', -1],
    ['\uFF5E', '\u{1F6B2}', -1],
    ['\u{1F6B2}', '\u{1F6B3}', -1],
    ['\uD83D', '\uD83D\uDEB2', -1],
    ['\uD83D', '\uFFFD', 0],
  ])('compares %j with %j as %i', (a, b, expected) => {
    expect(Math.sign(compareByCodePoint(a, b))).toBe(expected);
  });

  it('agrees with the order of the UTF-8 bytes', () => {
    const pairs = fc
      .tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), arbitraryUnits())
      .map(([start, a, b]) => [start + a, start + b] as const);
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        expect(Math.sign(compareByCodePoint(a, b))).toBe(
          Buffer.compare(Buffer.from(a), Buffer.from(b)),
        );
      }),
      { numRuns: 2000 },
    );
  });
});

/** Strings of the units at which orders differ, lone surrogates among them. */
function arbitraryUnits(): fc.Arbitrary<string> {
  const units = ['a', '\u00E4', '\uD7FF', '\uD83D', '\uDEB2', '\uDBFF', '\uE000', '\uFFFD'];
  return fc.array(fc.constantFrom(...units), { maxLength: 4 }).map((parts) => parts.join(''));
}
