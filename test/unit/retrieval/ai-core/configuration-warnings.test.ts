import { describe, expect, it } from 'vitest';

import {
  findReach,
  listConfigurationWarnings,
} from '../../../../src/retrieval/ai-core/configuration-warnings.ts';
import { makeConfiguration } from '../backends/aicore/configuration.ts';

const operation = { strategy: { type: 'reranker' }, inputs: [{ id: 'notes' }] };
const limit = (maxChunkCount: number) => ({ searchConfiguration: { maxChunkCount } });

describe('listConfigurationWarnings', () => {
  it.each([
    ['what SAP documents', { filters: Array.from({ length: 15 }, () => limit(100)) }],
    ['counts that are null', { filters: [{ searchConfiguration: { maxChunkCount: null } }] }],
  ])('has nothing against %s', (_case, change) => {
    expect(listConfigurationWarnings(makeConfiguration(change))).toEqual([]);
  });

  it.each([
    ['16 filters', { filters: Array.from({ length: 16 }, () => ({})) }],
    ['101 chunks of a filter', { filters: [limit(101)] }],
    ['11 documents of a filter', { filters: [{ searchConfiguration: { maxDocumentCount: 11 } }] }],
    ['101 chunks of an operation', { postProcessing: [{ ...operation, maxChunkCount: 101 }] }],
  ])('warns of %s', (_case, change) => {
    const warnings = listConfigurationWarnings(makeConfiguration(change));
    expect(warnings.map(({ code }) => code)).toEqual(['above-documented-limit']);
  });

  it.each([
    [{ from: 'documentId' } as const, ['volatile-document-ids']],
    [
      [{ from: 'chunkMetadata', key: 'docId' } as const, { from: 'chunkId' } as const],
      ['volatile-document-ids'],
    ],
    [{ from: 'documentMetadata', key: 'id' } as const, []],
  ])('warns of ids that change with the next indexing: %j', (documentId, expected) => {
    const warnings = listConfigurationWarnings(makeConfiguration({ documentId }));
    expect(warnings.map(({ code }) => code)).toEqual(expected);
  });
});

describe('findReach', () => {
  it.each([
    ['the counts of all filters', { filters: [limit(20), limit(10)] }, 30],
    ['documents counts too', { filters: [{ searchConfiguration: { maxDocumentCount: 4 } }] }, 4],
    ['no bound without a count', { filters: [limit(20), {}] }, undefined],
    [
      'the count of the last operation',
      { postProcessing: [{ ...operation, maxChunkCount: 8 }] },
      8,
    ],
    ['5 for an operation without a count', { postProcessing: [operation] }, 5],
  ])('is %s', (_case, change, expected) => {
    expect(findReach(makeConfiguration(change))).toBe(expected);
  });
});
