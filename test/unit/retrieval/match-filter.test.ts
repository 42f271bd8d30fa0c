import { describe, expect, it } from 'vitest';

import type { FilterTree, SearchFilter } from '../../../src/model/filters.ts';
import { matchesFilter } from '../../../src/retrieval/match-filter.ts';

const levels = {
  repository: {},
  document: { company: ['1000', '2000'], region: ['north'], empty: [] },
  chunk: { page: ['3'] },
};
const isNorth: FilterTree = { key: 'region', value: ['north'], scope: 'document' };
const isSouth: FilterTree = { key: 'region', value: ['south'], scope: 'document' };
const isPage3: FilterTree = { key: 'page', value: ['3'], scope: 'chunk' };
const ignoreIfKeyAbsent = ['ignoreIfKeyAbsent'];

const cases: readonly (readonly [string, boolean, SearchFilter])[] = [
  ['a filter without conditions', true, { id: 'all', dataRepositories: ['other'] }],
  ['a value that the key has', true, { documentMetadata: [{ key: 'company', value: ['2000'] }] }],
  [
    'one value of several that the key has',
    true,
    { documentMetadata: [{ key: 'region', value: ['south', 'north'] }] },
  ],
  ['a value it lacks', false, { documentMetadata: [{ key: 'region', value: ['south'] }] }],
  ['a value in another case', false, { documentMetadata: [{ key: 'region', value: ['North'] }] }],
  ['no values', false, { documentMetadata: [{ key: 'region', value: [] }] }],
  ['a key without values', false, { documentMetadata: [{ key: 'empty', value: ['1'] }] }],
  [
    'all of several keys',
    true,
    {
      documentMetadata: [
        { key: 'company', value: ['1000'] },
        { key: 'region', value: ['north'] },
      ],
    },
  ],
  [
    'only one of several keys',
    false,
    {
      documentMetadata: [
        { key: 'company', value: ['1000'] },
        { key: 'region', value: ['south'] },
      ],
    },
  ],
  ['an absent key', false, { documentMetadata: [{ key: 'team', value: ['a'] }] }],
  [
    'an absent key that is to be ignored',
    true,
    { documentMetadata: [{ key: 'team', value: ['a'], selectMode: ignoreIfKeyAbsent }] },
  ],
  [
    'a present key in spite of ignoreIfKeyAbsent',
    false,
    { documentMetadata: [{ key: 'region', value: ['south'], selectMode: ignoreIfKeyAbsent }] },
  ],
  [
    'a key without values in spite of ignoreIfKeyAbsent',
    false,
    { documentMetadata: [{ key: 'empty', value: ['1'], selectMode: ignoreIfKeyAbsent }] },
  ],
  [
    'a key that only objects have',
    false,
    { documentMetadata: [{ key: 'constructor', value: [''] }] },
  ],
  ['a chunk key', true, { chunkMetadata: [{ key: 'page', value: ['3'] }] }],
  ['a key of the other level', false, { chunkMetadata: [{ key: 'region', value: ['north'] }] }],
  [
    'both levels, one failing',
    false,
    {
      documentMetadata: [{ key: 'region', value: ['north'] }],
      chunkMetadata: [{ key: 'page', value: ['4'] }],
    },
  ],
  ['a repository key', false, { dataRepositoryMetadata: [{ key: 'type', value: ['custom'] }] }],
  [
    'a repository key that is to be ignored',
    true,
    { dataRepositoryMetadata: [{ key: 'type', value: ['x'], selectMode: ignoreIfKeyAbsent }] },
  ],
  ['a tree of one leaf', true, { filter: isNorth }],
  ['and, both', true, { filter: { operator: 'and', left: isNorth, right: isPage3 } }],
  ['and, left only', false, { filter: { operator: 'and', left: isNorth, right: isSouth } }],
  ['and, right only', false, { filter: { operator: 'and', left: isSouth, right: isNorth } }],
  ['or, left only', true, { filter: { operator: 'or', left: isNorth, right: isSouth } }],
  ['or, right only', true, { filter: { operator: 'or', left: isSouth, right: isPage3 } }],
  ['or, neither', false, { filter: { operator: 'or', left: isSouth, right: isSouth } }],
  [
    'a tree within a tree',
    true,
    {
      filter: {
        operator: 'and',
        left: { operator: 'or', left: isSouth, right: isNorth },
        right: isPage3,
      },
    },
  ],
  ['a repository leaf', false, { filter: { key: 'type', value: ['custom'], scope: 'repository' } }],
  [
    'a tree that holds beside a list that does not',
    false,
    { filter: isNorth, documentMetadata: [{ key: 'region', value: ['south'] }] },
  ],
];

describe('matchesFilter', () => {
  it.each(cases)('%s: %j', (_case, expected, filter) => {
    expect(matchesFilter(filter, levels)).toBe(expected);
  });
});
