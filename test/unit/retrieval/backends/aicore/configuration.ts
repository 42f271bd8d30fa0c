import type { AiCoreConfiguration } from '../../../../../src/model/search-configuration.ts';

/** A configuration with one filter, but for what a test is about. */
export function makeConfiguration(change: Partial<AiCoreConfiguration> = {}): AiCoreConfiguration {
  return {
    backend: 'aicore',
    resourceGroup: 'default',
    filters: [{ id: 'notes', dataRepositoryType: 'vector', dataRepositories: ['*'] }],
    postProcessing: [],
    documentId: { from: 'chunkMetadata', key: 'docId' },
    users: {},
    depth: 100,
    ...change,
  };
}
