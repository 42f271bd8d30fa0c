import { describe, expect, it } from 'vitest';

import { SearchConfigurationInput } from '../../../src/schemas/search-configuration.ts';
import { readShape } from '../../helpers/published-shapes.ts';

const notes = {
  id: 'notes',
  dataRepositoryType: 'vector',
  dataRepositories: ['*'],
  searchConfiguration: { maxChunkCount: 20, maxDocumentCount: null },
};
const leaf = { key: 'a', value: ['1'], scope: 'document' };
const rerank = {
  id: 'rerank',
  maxChunkCount: 10,
  strategy: { type: 'reranker', model: 'cohere-3.5' },
  inputs: [{ id: 'notes' }],
};
const plain = {
  backend: 'aicore',
  resourceGroup: 'default',
  filters: [notes],
  documentId: { from: 'chunkMetadata', key: 'docId' },
};

/** A tree with so many operators above its deepest condition. */
function nest(depth: number): object {
  return depth === 0 ? leaf : { operator: 'and', left: nest(depth - 1), right: leaf };
}

describe('the aicore search configuration', () => {
  it('needs no more than resource group, filters and document id', () => {
    expect(SearchConfigurationInput.parse(plain)).toEqual({
      ...plain,
      postProcessing: [],
      users: {},
      depth: 100,
    });
  });

  it('keeps fields of the Retrieval API that it does not know', () => {
    const given = {
      ...plain,
      filters: [{ ...notes, scoringConfiguration: { scoreThreshold: 0.3 }, futureField: [1] }],
      postProcessing: [
        { ...rerank, strategy: { ...rerank.strategy, boosting: [] }, futureField: { a: 1 } },
      ],
    };
    expect(SearchConfigurationInput.parse(given)).toMatchObject(given);
  });

  it.each([
    ['one rule', { from: 'documentId' }],
    ['a pattern', { from: 'documentMetadata', key: 'url', pattern: '/([^/]+)$' }],
    ['a list of rules', [{ from: 'chunkMetadata', key: 'docId' }, { from: 'chunkId' }]],
  ])('reads document ids by %s', (_case, documentId) => {
    expect(listFaults({ documentId })).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['no resource group', { resourceGroup: undefined }, '/resourceGroup'],
    ['a short resource group', { resourceGroup: 'ab' }, '/resourceGroup'],
    ['a resource group with a blank', { resourceGroup: 'my group' }, '/resourceGroup'],
    ['a long resource group', { resourceGroup: 'a'.repeat(254) }, '/resourceGroup'],
    ['no document id', { documentId: undefined }, '/documentId'],
    ['no rule for the document id', { documentId: [] }, '/documentId'],
    ['a metadata rule without a key', { documentId: { from: 'chunkMetadata' } }, '/documentId'],
    [
      'a pattern without a group',
      { documentId: { from: 'documentId', pattern: 'abc' } },
      '/documentId/pattern',
    ],
    [
      'a pattern with two groups',
      { documentId: [{ from: 'documentId', pattern: '(a)(b)' }] },
      '/documentId/0/pattern',
    ],
    [
      'an operation whose inputs are null, as an input',
      {
        postProcessing: [
          { ...rerank, inputs: [{ id: 'x', strategy: { type: 'reranker' }, inputs: null }] },
        ],
      },
      '/postProcessing/0/inputs/0',
    ],
    ['no filter', { filters: [] }, '/filters'],
    ['an unknown field', { filter: [] }, ''],
    ['two filters with one id', { filters: [notes, notes] }, '/filters/1/id'],
    [
      'both counts',
      { filters: [{ ...notes, searchConfiguration: { maxChunkCount: 5, maxDocumentCount: 5 } }] },
      '/filters/0/searchConfiguration',
    ],
    [
      'a count below 1',
      { filters: [{ ...notes, searchConfiguration: { maxChunkCount: 0 } }] },
      '/filters/0/searchConfiguration/maxChunkCount',
    ],
    [
      'a tree beside document metadata',
      { filters: [{ ...notes, filter: leaf, documentMetadata: [] }] },
      '/filters/0/filter',
    ],
    ['a tree of six levels', { filters: [{ ...notes, filter: nest(6) }] }, '/filters/0/filter'],
    [
      "a tree that a user's conditions make six levels deep",
      {
        filters: [{ ...notes, filter: nest(5) }],
        users: { anna: { documentMetadata: [{ key: 'a', value: ['1'] }] } },
      },
      '/users/anna/documentMetadata',
    ],
    [
      'an operation named like a filter',
      { postProcessing: [{ ...rerank, id: 'notes' }] },
      '/postProcessing/0/id',
    ],
    ['two operations with one id', { postProcessing: [rerank, rerank] }, '/postProcessing/1/id'],
    [
      'a nested operation with the id of its root',
      { postProcessing: [{ ...rerank, inputs: [rerank] }] },
      '/postProcessing/0/id',
    ],
    [
      'an input that names nothing',
      { postProcessing: [{ ...rerank, inputs: [{ id: 'notes' }, { id: 'gone' }] }] },
      '/postProcessing/0/inputs/1/id',
    ],
    [
      'a nested input that names nothing',
      {
        postProcessing: [
          { ...rerank, inputs: [{ ...rerank, id: 'inner', inputs: [{ id: 'gone' }] }] },
        ],
      },
      '/postProcessing/0/inputs/0/inputs/0/id',
    ],
    [
      'an operation that takes itself',
      { postProcessing: [{ ...rerank, inputs: [{ id: 'rerank' }] }] },
      '/postProcessing/0/inputs/0/id',
    ],
    [
      'an operation with a count below 1',
      { postProcessing: [{ ...rerank, maxChunkCount: 0 }] },
      '/postProcessing/0/maxChunkCount',
    ],
  ])('is refused with %s', (_case, change, pointer) => {
    expect(listFaults(change)).toContain(pointer);
  });
});

describe('the published requests', () => {
  it.each(['vector', 'boolean-filter-reranker', 'nested-post-processing'])(
    'are taken as they are: %s',
    (file) => {
      const request = readShape<object>(`request-retrieval-${file}`);
      const { query: _query, ...searched } = request as { query: string };
      expect(SearchConfigurationInput.parse({ ...plain, ...searched })).toMatchObject(searched);
    },
  );
});

function listFaults(change: object): readonly string[] {
  const parsed = SearchConfigurationInput.safeParse({ ...plain, ...change });
  return (parsed.error?.issues ?? []).map(({ path }) =>
    path.map((key) => `/${String(key)}`).join(''),
  );
}
