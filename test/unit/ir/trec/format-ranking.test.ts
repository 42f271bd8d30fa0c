import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formatRanking, type RankedHit } from '../../../../src/ir/trec/format-ranking.ts';
import { orderAsTrec } from '../../../../src/ir/trec/order-as-trec.ts';
import { parseRunLine } from '../../../../src/ir/trec/run-line.ts';

describe('formatRanking', () => {
  it('writes the scores as they are when they give the order', () => {
    const hits = [
      { documentId: 'D2', score: 3.5 },
      { documentId: 'D9', score: 1 },
      { documentId: 'D1', score: 1 },
      { documentId: 'D3', score: -2 },
    ];
    expect(formatRanking('q1', hits, 'hybrid')).toEqual([
      'q1 Q0 D2 1 3.5 hybrid',
      'q1 Q0 D9 2 1 hybrid',
      'q1 Q0 D1 3 1 hybrid',
      'q1 Q0 D3 4 -2 hybrid',
    ]);
  });

  it.each([
    ['a tie would be read the other way round', 1, 1],
    ['they rise', 1, 2],
    ['one is missing', 1, null],
    ['one is absent', undefined, 1],
    ['one is not a number', 1, Number.NaN],
    ['one is infinite', Infinity, 1],
  ])('makes the scores 1 / rank when %s', (_reason, first, second) => {
    const hits = [
      { documentId: 'D1', score: first },
      { documentId: 'D2', score: second },
    ];
    expect(formatRanking('q1', hits, 't')).toEqual(['q1 Q0 D1 1 1 t', 'q1 Q0 D2 2 0.5 t']);
  });

  it('writes an unmapped entry under its rank, so that those below keep theirs', () => {
    const hits = [
      { documentId: null, score: 3 },
      { documentId: 'D1', score: 2 },
      { documentId: null, score: 1 },
    ];
    expect(formatRanking('q1', hits, 't')).toEqual([
      'q1 Q0 __unmapped-1 1 3 t',
      'q1 Q0 D1 2 2 t',
      'q1 Q0 __unmapped-3 3 1 t',
    ]);
  });

  it('has no lines for an empty ranking', () => {
    expect(formatRanking('q1', [], 't')).toEqual([]);
  });

  it.each([
    ["duplicate document 'D1' in question 'q1'", ['D1', 'D1']],
    ["duplicate document '__unmapped-2' in question 'q1'", ['__unmapped-2', null]],
    ["the document id 'D 1' contains white space", ['D 1']],
  ])('refuses: %s', (message, documentIds) => {
    const hits = documentIds.map((documentId) => ({ documentId }));
    expect(() => formatRanking('q1', hits, 't')).toThrow(message);
  });

  it('is read back by trec_eval’s rule in exactly this order', () => {
    const score = fc.option(fc.oneof(fc.integer({ min: -2, max: 2 }), fc.double()), {
      nil: undefined,
    });
    const hits: fc.Arbitrary<RankedHit[]> = fc.uniqueArray(
      fc.record({ documentId: fc.stringMatching(/^[a-zA-Z0-9é😀Ａ]{1,4}$/u), score }),
      { selector: (hit) => hit.documentId, maxLength: 30 },
    );
    fc.assert(
      fc.property(hits, (ranked) => {
        const entries = formatRanking('q1', ranked, 't').map((line) => parseRunLine(line)!);
        expect(orderAsTrec(entries)).toEqual(entries);
        expect(entries.map(({ documentId }) => documentId)).toEqual(
          ranked.map(({ documentId }) => documentId),
        );
      }),
    );
  });
});
