import { describe, expect, it } from 'vitest';

import {
  InlineSearchConfiguration,
  SearchConfigurationInput,
} from '../../../src/schemas/search-configuration.ts';

const notes = {
  id: 'notes',
  dataRepositoryType: 'vector',
  dataRepositories: ['*'],
  searchConfiguration: { maxChunkCount: 20, maxDocumentCount: null },
  documentMetadata: [{ key: 'plant', value: ['P1'], selectMode: ['ignoreIfKeyAbsent'] }],
};
const plain = {
  backend: 'orchestration',
  resourceGroup: 'default',
  model: 'gpt-4.1-mini',
  filters: [notes],
  documentId: { from: 'chunkMetadata', key: 'docId' },
};
const condition = { key: 'plant', value: ['P1'] };

describe('the orchestration search configuration', () => {
  it('takes the example of the HTTP contract', () => {
    const example = { ...plain, filters: [] };
    expect(SearchConfigurationInput.parse(example)).toEqual({ ...example, users: {}, depth: 100 });
    expect(InlineSearchConfiguration.parse({ name: 'o', ...example })).toMatchObject(example);
  });

  it('takes what the grounding module can be told', () => {
    expect(listFaults({})).toEqual([]);
    expect(listFaults({ users: { anna: { documentMetadata: [condition] } } })).toEqual([]);
    expect(listFaults({ filters: [{ dataRepositoryType: 'help.sap.com' }] })).toEqual([]);
    expect(listFaults({ filters: [{ scoringConfiguration: null }] })).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['post-processing', { postProcessing: [] }, ''],
    ['no model', { model: undefined }, 'model'],
    ['no document id', { documentId: undefined }, 'documentId'],
    ["SAP's ids", { documentId: { from: 'documentId' } }, 'documentId.from'],
    [
      "SAP's ids in a list",
      { documentId: [{ from: 'chunkMetadata', key: 'a' }, { from: 'chunkId' }] },
      'documentId.1.from',
    ],
    [
      'a boolean tree',
      { filters: [{ filter: { ...condition, scope: 'document' } }] },
      'filters.0.filter',
    ],
    [
      'a scoring configuration',
      { filters: [notes, { id: 'b', scoringConfiguration: { scoreThreshold: 0.3 } }] },
      'filters.1.scoringConfiguration',
    ],
    [
      'a further count',
      { filters: [{ searchConfiguration: { maxChunkCount: 1, minScore: 2 } }] },
      'filters.0.searchConfiguration.minScore',
    ],
    [
      'two counts',
      { filters: [{ searchConfiguration: { maxChunkCount: 1, maxDocumentCount: 2 } }] },
      'filters.0.searchConfiguration',
    ],
    [
      'documents to be counted in help.sap.com',
      {
        filters: [
          { dataRepositoryType: 'help.sap.com', searchConfiguration: { maxDocumentCount: 2 } },
        ],
      },
      'filters.0.searchConfiguration.maxDocumentCount',
    ],
    [
      'another type of repository',
      { filters: [{ dataRepositoryType: 'remote:dg' }] },
      'filters.0.dataRepositoryType',
    ],
    [
      'repositories that are no list',
      { filters: [{ dataRepositories: '*' }] },
      'filters.0.dataRepositories',
    ],
    [
      'a select mode of chunks',
      {
        filters: [
          { chunkMetadata: [condition, { ...condition, selectMode: ['ignoreIfKeyAbsent'] }] },
        ],
      },
      'filters.0.chunkMetadata.1.selectMode',
    ],
    [
      'a select mode of repositories',
      { filters: [{ dataRepositoryMetadata: [{ ...condition, selectMode: ['any'] }] }] },
      'filters.0.dataRepositoryMetadata.0.selectMode',
    ],
    [
      'another select mode of documents',
      { filters: [{ documentMetadata: [{ ...condition, selectMode: ['any'] }] }] },
      'filters.0.documentMetadata.0.selectMode',
    ],
    [
      'a further field of a condition',
      { filters: [{ documentMetadata: [{ ...condition, matchMode: 'ALL' }] }] },
      'filters.0.documentMetadata.0.matchMode',
    ],
    [
      "a further field of a user's condition",
      { users: { anna: { documentMetadata: [{ ...condition, matchMode: 'ALL' }] } } },
      'users.anna.documentMetadata.0.matchMode',
    ],
  ])('refuses %s', (_case, change, path) => {
    expect(listFaults(change)).toEqual([path]);
  });
});

function listFaults(change: object): readonly string[] {
  const { error } = SearchConfigurationInput.safeParse({ ...plain, ...change });
  return (error?.issues ?? []).map((issue) => issue.path.join('.'));
}
