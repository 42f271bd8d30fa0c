import type { DocumentGroundingServiceFilter } from '@sap-ai-sdk/orchestration';

import type { MetadataCondition, SearchFilter } from '../../../model/filters.ts';

/**
 * Filters of the Retrieval API in the words of the grounding module. What `findConfigurationIssues` refuses
 * has no place in them and must not be there.
 */
export function toGroundingFilter(filter: SearchFilter): DocumentGroundingServiceFilter {
  const { id, searchConfiguration, dataRepositories, dataRepositoryType } = filter;
  const { dataRepositoryMetadata, documentMetadata, chunkMetadata } = filter;
  const { maxChunkCount, maxDocumentCount } = searchConfiguration ?? {};
  const counts = {
    ...(typeof maxChunkCount === 'number' && { max_chunk_count: maxChunkCount }),
    ...(typeof maxDocumentCount === 'number' && { max_document_count: maxDocumentCount }),
  };
  return {
    ...(id !== undefined && { id }),
    ...(Object.keys(counts).length > 0 && { search_config: counts }),
    ...(isTexts(dataRepositories) && { data_repositories: [...dataRepositories] }),
    data_repository_type: dataRepositoryType === 'help.sap.com' ? 'help.sap.com' : 'vector',
    ...(dataRepositoryMetadata && { data_repository_metadata: dataRepositoryMetadata.map(toPair) }),
    ...(documentMetadata && { document_metadata: documentMetadata.map(toDocumentPair) }),
    ...(chunkMetadata && { chunk_metadata: chunkMetadata.map(toPair) }),
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function toPair({ key, value }: MetadataCondition) {
  return { key, value: [...value] };
}

function toDocumentPair(condition: MetadataCondition) {
  const passesWithoutKey = condition.selectMode?.includes('ignoreIfKeyAbsent') ?? false;
  return {
    ...toPair(condition),
    ...(passesWithoutKey && { select_mode: ['ignoreIfKeyAbsent' as const] }),
  };
}
