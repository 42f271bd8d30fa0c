import type { OrchestrationConfiguration } from '../../../../../src/model/search-configuration.ts';

/** A configuration with one filter, but for what a test is about. */
export function makeConfiguration(
  change: Partial<OrchestrationConfiguration> = {},
): OrchestrationConfiguration {
  return {
    backend: 'orchestration',
    resourceGroup: 'default',
    model: 'gpt-4.1-mini',
    filters: [{ id: 'notes', dataRepositoryType: 'vector', dataRepositories: ['*'] }],
    documentId: { from: 'chunkMetadata', key: 'docId' },
    users: {},
    depth: 100,
    ...change,
  };
}
