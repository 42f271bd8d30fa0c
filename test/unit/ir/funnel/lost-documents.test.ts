import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  findLostDocuments,
  lossCauses,
  type FunnelLists,
} from '../../../../src/ir/funnel/lost-documents.ts';

const list = (ids: string) => ids.split('').map((id) => (id === '-' ? null : id));
const plain = (ids: string): FunnelLists => ({
  versions: [list(ids)],
  fused: list(ids),
  candidates: null,
  final: list(ids),
  unfiltered: null,
});
const causesOf = (lists: FunnelLists, relevant: string, k: number) =>
  Object.fromEntries(
    findLostDocuments(lists, relevant.split(''), k).map(({ documentId, cause }) => [
      documentId,
      cause,
    ]),
  );

describe('findLostDocuments', () => {
  it('passes over what the top k holds', () => {
    expect(findLostDocuments(plain('abc'), ['a', 'c'], 3)).toEqual([]);
  });

  it('tells what is too low from what is not there', () => {
    expect(causesOf(plain('a-cd'), 'cdx', 2)).toEqual({ c: 'below-k', d: 'below-k', x: 'absent' });
  });

  it('says filtered only of what the search without the user found', () => {
    const lists = { ...plain('ab'), unfiltered: new Set(['x', 'b']) };
    expect(causesOf(lists, 'bxy', 1)).toEqual({ b: 'below-k', x: 'filtered', y: 'absent' });
  });

  // Two versions, k = 2, the re-ranker sees the first 4 of the fused list.
  const lists: FunnelLists = {
    versions: [list('abcdefg'), list('hgacij')],
    fused: list('acbdhgefij'),
    candidates: 4,
    final: list('dbcahgef'),
    unfiltered: null,
  };

  it.each([
    ['d', undefined],
    ['a', 'lost-in-rerank'],
    ['c', 'lost-in-rerank'],
    ['h', 'lost-in-fusion'],
    ['g', 'lost-in-fusion'],
    ['e', 'below-depth'],
    ['i', 'below-depth'],
    ['z', 'absent'],
  ])('says of %s: %s', (documentId, cause) => {
    expect(causesOf(lists, documentId, 2)[documentId]).toBe(cause);
  });

  it('says below-k of what the re-ranker saw and left low', () => {
    const low = { ...lists, final: list('dabchgef') };
    expect(causesOf(low, 'bc', 1)).toEqual({ b: 'below-k', c: 'below-k' });
  });

  it('says lost-in-fusion without a re-ranker when one version alone would have shown it', () => {
    const fusedOnly = { ...lists, candidates: null, final: lists.fused };
    expect(causesOf(fusedOnly, 'bhj', 2)).toEqual({
      b: 'lost-in-fusion',
      h: 'lost-in-fusion',
      j: 'below-k',
    });
  });

  it('says below-depth of what was found and cut off at the depth of the ranking', () => {
    const cut = { ...lists, candidates: null, final: list('acbdhg') };
    expect(causesOf(cut, 'ej', 2)).toEqual({ e: 'below-depth', j: 'below-depth' });
  });

  it('tells where it stood', () => {
    expect(findLostDocuments(lists, ['g'], 2)).toEqual([
      { documentId: 'g', cause: 'lost-in-fusion', ranks: { version: 2, fused: 6, final: 6 } },
    ]);
  });

  it('names every lost document once, whatever the lists', () => {
    fc.assert(
      fc.property(anyLists, fc.integer({ min: 1, max: 6 }), (some, k) => {
        const lost = findLostDocuments(some, alphabet, k);
        const inTop = new Set(some.final.slice(0, k));
        expect(lost.map(({ documentId }) => documentId)).toEqual(
          alphabet.filter((id) => !inTop.has(id)),
        );
        expect(lossCauses).toEqual(expect.arrayContaining(lost.map(({ cause }) => cause)));
      }),
    );
  });
});

const alphabet = 'abcdefghij'.split('');
const ranking = fc.uniqueArray(fc.constantFrom(...alphabet));
const anyLists = fc.record({
  versions: fc.array(ranking, { minLength: 1, maxLength: 3 }),
  fused: ranking,
  candidates: fc.option(fc.integer({ min: 1, max: 8 })),
  final: ranking,
  unfiltered: fc.option(ranking.map((ids) => new Set(ids))),
});
