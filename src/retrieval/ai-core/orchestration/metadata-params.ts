import type { OrchestrationConfiguration } from '../../../model/search-configuration.ts';

/**
 * The metadata keys that the grounding module is asked to return, so that document ids can be read. None
 * where a filter asks help.sap.com, which has no metadata to ask for: no chunk has an id then.
 */
export function listMetadataParams({
  filters,
  documentId,
}: Pick<OrchestrationConfiguration, 'filters' | 'documentId'>): readonly string[] {
  if (filters.some(({ dataRepositoryType }) => dataRepositoryType === 'help.sap.com')) return [];
  const keys = [documentId].flat().flatMap((rule) => ('key' in rule ? [rule.key] : []));
  return [...new Set(keys)];
}
