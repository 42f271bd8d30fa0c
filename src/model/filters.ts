import { z } from 'zod';

import type { Immutable } from './immutable.ts';

/** A metadata condition of SAP's Retrieval API: the key's values are alternatives. */
export const MetadataCondition = z.object({
  key: z.string(),
  value: z.array(z.string()),
  /** `ignoreIfKeyAbsent`: what lacks the key passes. Without it, what lacks the key does not pass. */
  selectMode: z.array(z.string()).optional(),
});
export type MetadataCondition = Immutable<z.infer<typeof MetadataCondition>>;

/** Which level of metadata a condition of a boolean tree reads. */
const MetadataScope = z.enum(['repository', 'document', 'chunk']);
export type MetadataScope = z.infer<typeof MetadataScope>;

/** The boolean form of a filter: a condition with its scope, or two trees under one operator. */
export type FilterTree =
  | (MetadataCondition & { readonly scope: MetadataScope })
  | { readonly operator: 'and' | 'or'; readonly left: FilterTree; readonly right: FilterTree };

const FilterTree: z.ZodType<FilterTree, FilterTree> = z.union([
  z.object({
    operator: z.enum(['and', 'or']),
    get left() {
      return FilterTree;
    },
    get right() {
      return FilterTree;
    },
  }),
  MetadataCondition.extend({ scope: MetadataScope }),
]);

/** How many chunks or documents a search may bring; null is no limit of its own. */
const Count = z.number().nullish();

/** One filter of SAP's Retrieval API. Each is a search of its own; fields that are not named here are kept as they are. */
export const SearchFilter = z.looseObject({
  id: z.string().optional(),
  searchConfiguration: z.object({ maxChunkCount: Count, maxDocumentCount: Count }).optional(),
  dataRepositoryMetadata: z.array(MetadataCondition).optional(),
  documentMetadata: z.array(MetadataCondition).optional(),
  chunkMetadata: z.array(MetadataCondition).optional(),
  filter: FilterTree.optional(),
});
export type SearchFilter = Immutable<z.infer<typeof SearchFilter>>;

/** What a search configuration knows of one user: conditions that every search for that user must carry. */
export const UserConditions = z.object({ documentMetadata: z.array(MetadataCondition) });
export type UserConditions = Immutable<z.infer<typeof UserConditions>>;
