import { Buffer } from 'node:buffer';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { orderAsTrec } from '../../../../src/ir/trec/order-as-trec.ts';

describe('orderAsTrec', () => {
  // What trec_eval 10.0 did with these: tie-order*, float32-tie and rank-column of the golden cases.
  it.each([
    [
      [
        ['a', 1],
        ['b', 1],
        ['c', 1],
      ],
      ['c', 'b', 'a'],
    ],
    [
      [
        ['doc10', 1],
        ['doc9', 1],
      ],
      ['doc9', 'doc10'],
    ],
    [
      [
        ['Z', 1],
        ['a', 1],
      ],
      ['a', 'Z'],
    ],
    [
      [
        ['Ａ', 1],
        ['😀', 1],
      ],
      ['😀', 'Ａ'],
    ],
    [
      [
        ['b', 0.100000001],
        ['a', 0.100000002],
      ],
      ['a', 'b'],
    ],
    [
      [
        ['a', 1],
        ['b', 2],
      ],
      ['b', 'a'],
    ],
    [
      [
        ['a', -2],
        ['b', -1],
      ],
      ['b', 'a'],
    ],
    [[], []],
  ] as [[string, number][], string[]][])('orders %j as %j', (hits, expected) => {
    const ordered = orderAsTrec(hits.map(([documentId, score]) => ({ documentId, score })));
    expect(ordered.map(({ documentId }) => documentId)).toEqual(expected);
  });

  it('keeps what else a hit carries, and the list it was given', () => {
    const hits = [
      { documentId: 'a', score: 1, tag: 'x' },
      { documentId: 'b', score: 2, tag: 'y' },
    ];
    expect(orderAsTrec(hits)).toEqual([hits[1], hits[0]]);
    expect(hits[0]!.documentId).toBe('a');
  });

  it('breaks ties by falling UTF-8 bytes', () => {
    const ids = fc.uniqueArray(fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(ids, (documentIds) => {
        const ordered = orderAsTrec(documentIds.map((documentId) => ({ documentId, score: 1 })));
        const expected = documentIds.toSorted((a, b) =>
          Buffer.compare(Buffer.from(b), Buffer.from(a)),
        );
        expect(ordered.map(({ documentId }) => documentId)).toEqual(expected);
      }),
    );
  });
});
