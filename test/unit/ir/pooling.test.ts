import { describe, expect, it } from 'vitest';

import { poolQuestion } from '../../../src/ir/pooling.ts';

describe('poolQuestion', () => {
  const rankings = [
    { configuration: 'bm25', ranking: ['D1', 'D5', null, 'D6'] },
    { configuration: 'hybrid', ranking: ['D7', 'D5', 'D2', 'D6'] },
  ];
  const judgments = new Map([
    ['D1', 2],
    ['D2', 0],
  ]);

  it('lists the unjudged of every top, by first appearance, with who retrieved them', () => {
    expect(poolQuestion(rankings, judgments, 4)).toEqual([
      {
        documentId: 'D5',
        retrievedBy: [
          { configuration: 'bm25', rank: 2 },
          { configuration: 'hybrid', rank: 2 },
        ],
      },
      {
        documentId: 'D6',
        retrievedBy: [
          { configuration: 'bm25', rank: 4 },
          { configuration: 'hybrid', rank: 4 },
        ],
      },
      { documentId: 'D7', retrievedBy: [{ configuration: 'hybrid', rank: 1 }] },
    ]);
  });

  it('reads no deeper than the depth', () => {
    expect(poolQuestion(rankings, judgments, 1).map(({ documentId }) => documentId)).toEqual([
      'D7',
    ]);
  });

  it.each([
    ['no rankings', []],
    ['empty rankings', [{ configuration: 'bm25', ranking: [] }]],
    [
      'nothing but judged and unmapped entries',
      [{ configuration: 'a', ranking: ['D1', null, 'D2'] }],
    ],
  ])('is empty for %s', (_what, given) => {
    expect(poolQuestion(given, judgments, 10)).toEqual([]);
  });
});
