import { listOperations, type PostProcessing } from '../../model/post-processing.ts';
import type {
  AiCoreConfiguration,
  OrchestrationConfiguration,
} from '../../model/search-configuration.ts';
import { listMetadataParams } from './orchestration/metadata-params.ts';
import type { WarningText } from '../../model/warnings.ts';

/** SAP documents these; whether they are enforced may change, so they are no errors. */
const limits = { filters: 15, chunks: 100, documents: 10 } as const;

/** How many chunks an operation returns unless it says so. */
const defaultOperationChunks = 5;

type GroundingConfiguration = AiCoreConfiguration | OrchestrationConfiguration;

/** What is allowed and will probably not do what was meant. */
export function listConfigurationWarnings(
  configuration: GroundingConfiguration,
): readonly WarningText[] {
  return [
    ...warnOfLimits(configuration),
    ...warnOfVolatileIds(configuration),
    ...warnOfMissingIds(configuration),
  ];
}

/** How many documents a ranking can hold at most; undefined: the configuration does not bound it. */
export function findReach(configuration: GroundingConfiguration): number | undefined {
  const ranking = listRoots(configuration).at(-1);
  if (ranking) return ranking.maxChunkCount ?? defaultOperationChunks;
  return countChunksAtMost(configuration);
}

/** Operations that are in no other one. */
function listRoots(configuration: GroundingConfiguration): readonly PostProcessing[] {
  return configuration.backend === 'aicore' ? configuration.postProcessing : [];
}

/** How many chunks the filters of one search bring at most; undefined: nothing, or one of them, has no count. */
export function countChunksAtMost({
  filters,
}: Pick<AiCoreConfiguration, 'filters'>): number | undefined {
  if (filters.length === 0) return undefined;
  const counts = filters.map(({ searchConfiguration }) => {
    return searchConfiguration?.maxChunkCount ?? searchConfiguration?.maxDocumentCount;
  });
  return counts.reduce<number | undefined>(
    (sum, count) => (typeof count === 'number' && sum !== undefined ? sum + count : undefined),
    0,
  );
}

function warnOfLimits(configuration: GroundingConfiguration): readonly WarningText[] {
  const { filters } = configuration;
  const searches = filters.map(({ searchConfiguration }) => searchConfiguration ?? {});
  const operations = listOperations(listRoots(configuration)).map(({ operation }) => operation);
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

function warnAbove(limit: number, count: number, what: string): readonly WarningText[] {
  if (count <= limit) return [];
  const message = `${count} ${what}, but SAP documents a limit of ${limit}: AI Core may refuse the search or return less`;
  return [{ code: 'above-documented-limit', message }];
}

function warnOfVolatileIds({ documentId }: GroundingConfiguration): readonly WarningText[] {
  const sources = new Set([documentId].flat().map(({ from }) => from));
  const own = [...sources].filter((from) => from === 'documentId' || from === 'chunkId');
  if (own.length === 0) return [];
  const message = `Documents are identified by ids that SAP assigns (${own.join(', ')}), which change when documents are indexed again: existing judgments will then match nothing`;
  return [{ code: 'volatile-document-ids', message }];
}

function warnOfMissingIds(configuration: GroundingConfiguration): readonly WarningText[] {
  if (configuration.backend !== 'orchestration') return [];
  if (listMetadataParams(configuration).length > 0) return [];
  const message =
    'A filter searches help.sap.com, for which no metadata can be requested, so no chunk of the search has a readable document id and nothing can be found relevant. Move the other filters to their own configuration, and evaluate help.sap.com with the backend "aicore"';
  return [{ code: 'no-document-ids', message }];
}
