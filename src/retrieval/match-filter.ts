import type {
  FilterTree,
  MetadataCondition,
  MetadataScope,
  SearchFilter,
} from '../model/filters.ts';

/** The values of each metadata key, of a document or of a chunk. */
export type Metadata = Readonly<Record<string, readonly string[]>>;

/** The metadata a chunk is matched by, level by level. */
export type MetadataLevels = Readonly<Record<MetadataScope, Metadata>>;

/**
 * Whether a chunk passes a filter of SAP's Retrieval API: the three lists and the boolean tree must all
 * hold. `dataRepositories` and `dataRepositoryType` say where to look, not what passes, and are not read.
 */
export function matchesFilter(filter: SearchFilter, levels: MetadataLevels): boolean {
  return (
    holdAll(filter.dataRepositoryMetadata, levels.repository) &&
    holdAll(filter.documentMetadata, levels.document) &&
    holdAll(filter.chunkMetadata, levels.chunk) &&
    (!filter.filter || holdsTree(filter.filter, levels))
  );
}

function holdAll(
  conditions: readonly MetadataCondition[] | undefined,
  metadata: Metadata,
): boolean {
  return !conditions || conditions.every((condition) => holds(condition, metadata));
}

function holds(condition: MetadataCondition, metadata: Metadata): boolean {
  if (!Object.hasOwn(metadata, condition.key)) {
    return condition.selectMode?.includes('ignoreIfKeyAbsent') ?? false;
  }
  const values = metadata[condition.key] ?? [];
  return condition.value.some((value) => values.includes(value));
}

function holdsTree(tree: FilterTree, levels: MetadataLevels): boolean {
  if (!('operator' in tree)) return holds(tree, levels[tree.scope]);
  const left = holdsTree(tree.left, levels);
  if (tree.operator === 'and') return left && holdsTree(tree.right, levels);
  return left || holdsTree(tree.right, levels);
}
