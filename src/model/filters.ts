/** A metadata condition of SAP's Retrieval API: the key's values are alternatives. */
export interface MetadataCondition {
  readonly key: string;
  readonly value: readonly string[];
  /** `ignoreIfKeyAbsent`: what lacks the key passes. Without it, what lacks the key does not pass. */
  readonly selectMode?: readonly string[] | undefined;
}

/** Which level of metadata a condition of a boolean tree reads. */
export type MetadataScope = 'repository' | 'document' | 'chunk';

/** The boolean form of a filter: a condition with its scope, or two trees under one operator. */
export type FilterTree =
  | (MetadataCondition & { readonly scope: MetadataScope })
  | { readonly operator: 'and' | 'or'; readonly left: FilterTree; readonly right: FilterTree };

/** One filter of SAP's Retrieval API. Each is a search of its own; fields that are not named here are kept as they are. */
export interface SearchFilter {
  readonly id?: string | undefined;
  readonly searchConfiguration?:
    | {
        readonly maxChunkCount?: number | null | undefined;
        readonly maxDocumentCount?: number | null | undefined;
      }
    | undefined;
  readonly dataRepositoryMetadata?: readonly MetadataCondition[] | undefined;
  readonly documentMetadata?: readonly MetadataCondition[] | undefined;
  readonly chunkMetadata?: readonly MetadataCondition[] | undefined;
  readonly filter?: FilterTree | undefined;
  readonly [field: string]: unknown;
}

/** What a search configuration knows of one user: conditions that every search for that user must carry. */
export interface UserConditions {
  readonly documentMetadata: readonly MetadataCondition[];
}
