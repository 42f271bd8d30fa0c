import { describe, expect, it } from 'vitest';

import { listIgnoredFilterFields } from '../../../../../src/retrieval/backends/local/ignored-filter-fields.ts';
import type { SearchFilter } from '../../../../../src/model/filters.ts';

const cases: readonly (readonly [string, readonly SearchFilter[], readonly string[]])[] = [
  ['no filters', [], []],
  [
    'what the local search acts on',
    [
      {
        id: 'notes',
        searchConfiguration: { maxChunkCount: 3, maxDocumentCount: null },
        dataRepositoryMetadata: [],
        documentMetadata: [],
        chunkMetadata: [],
        filter: { key: 'a', value: ['b'], scope: 'chunk' },
        dataRepositories: ['*'],
        dataRepositoryType: 'vector',
      },
    ],
    [],
  ],
  [
    'unknown fields of several filters, each once',
    [
      { scoringConfiguration: {} },
      { scoringConfiguration: { denseRetrieval: {} }, remoteGroundingName: 'x' },
    ],
    ['remoteGroundingName', 'scoringConfiguration'],
  ],
  ['fields without value', [{ scoringConfiguration: undefined, other: null }], []],
  [
    'repositories of their own',
    [{ dataRepositories: ['b6a1'], dataRepositoryType: 'help.sap.com' }],
    ['dataRepositories', 'dataRepositoryType'],
  ],
  [
    'unknown search settings',
    [
      {
        searchConfiguration: {
          maxChunkCount: 1,
          threshold: 2,
        } as SearchFilter['searchConfiguration'],
      },
    ],
    ['searchConfiguration.threshold'],
  ],
];

describe('listIgnoredFilterFields', () => {
  it.each(cases)('lists %s', (_case, filters, expected) => {
    expect(listIgnoredFilterFields(filters)).toEqual(expected);
  });
});
