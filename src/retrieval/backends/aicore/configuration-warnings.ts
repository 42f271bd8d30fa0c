import { listOperations } from '../../post-processing.ts';
import type { AiCoreConfiguration } from '../../search-configuration.ts';

export interface ConfigurationWarning {
  readonly code: string;
  readonly message: string;
}

/** SAP documents these; whether they are enforced may change, so they are no errors. */
const limits = { filters: 15, chunks: 100, documents: 10 } as const;

/** How many chunks an operation returns unless it says so. */
const defaultOperationChunks = 5;

/** What is allowed and will probably not do what was meant. */
export function listConfigurationWarnings(
  configuration: AiCoreConfiguration,
): readonly ConfigurationWarning[] {
  return [...warnOfLimits(configuration), ...warnOfVolatileIds(configuration)];
}

/** How many documents a ranking can hold at most; undefined: the configuration does not bound it. */
export function findReach(configuration: AiCoreConfiguration): number | undefined {
  const ranking = configuration.postProcessing.at(-1);
  if (ranking) return ranking.maxChunkCount ?? defaultOperationChunks;
  return countChunksAtMost(configuration);
}

/** How many chunks the filters of one search bring at most; undefined: one of them has no count. */
export function countChunksAtMost({
  filters,
}: Pick<AiCoreConfiguration, 'filters'>): number | undefined {
  const counts = filters.map(({ searchConfiguration }) => {
    return searchConfiguration?.maxChunkCount ?? searchConfiguration?.maxDocumentCount;
  });
  return counts.reduce<number | undefined>(
    (sum, count) => (typeof count === 'number' && sum !== undefined ? sum + count : undefined),
    0,
  );
}

function warnOfLimits({
  filters,
  postProcessing,
}: AiCoreConfiguration): readonly ConfigurationWarning[] {
  const searches = filters.map(({ searchConfiguration }) => searchConfiguration ?? {});
  const operations = listOperations(postProcessing).map(({ operation }) => operation);
  const chunks = highest([...searches, ...operations].map(({ maxChunkCount }) => maxChunkCount));
  const documents = highest(searches.map(({ maxDocumentCount }) => maxDocumentCount));
  return [
    ...warnAbove(limits.filters, filters.length, 'filters'),
    ...warnAbove(limits.chunks, chunks, 'chunks in one maxChunkCount'),
    ...warnAbove(limits.documents, documents, 'documents in one maxDocumentCount'),
  ];
}

function highest(counts: readonly (number | null | undefined)[]): number {
  return Math.max(0, ...counts.map((count) => count ?? 0));
}

function warnAbove(limit: number, count: number, what: string): readonly ConfigurationWarning[] {
  if (count <= limit) return [];
  const message = `${count} ${what}, and SAP documents a limit of ${limit}: AI Core may refuse the search or return less`;
  return [{ code: 'above-documented-limit', message }];
}

function warnOfVolatileIds({ documentId }: AiCoreConfiguration): readonly ConfigurationWarning[] {
  const sources = new Set([documentId].flat().map(({ from }) => from));
  const own = [...sources].filter((from) => from === 'documentId' || from === 'chunkId');
  if (own.length === 0) return [];
  const message = `Documents are named by SAP's own ids (${own.join(', ')}), which change when they are indexed again: judgments made today will then match nothing`;
  return [{ code: 'volatile-document-ids', message }];
}
