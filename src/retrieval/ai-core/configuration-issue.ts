import type { SearchFilter } from '../../model/filters.ts';

/** Something that SAP would refuse, with the keys that lead to it in the configuration. */
export interface ConfigurationIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export function findTwoCounts(filters: readonly SearchFilter[]): readonly ConfigurationIssue[] {
  return filters.flatMap(({ searchConfiguration }, index) => {
    const { maxChunkCount, maxDocumentCount } = searchConfiguration ?? {};
    if (typeof maxChunkCount !== 'number' || typeof maxDocumentCount !== 'number') return [];
    const message = 'has either "maxChunkCount" or "maxDocumentCount"; the other is absent or null';
    return [{ path: ['filters', index, 'searchConfiguration'], message }];
  });
}
