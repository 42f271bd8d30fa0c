import type { DocumentIdRule } from './document-id-rule.ts';
import type { SearchFilter, UserConditions } from './filters.ts';
import type { PostProcessing } from './post-processing.ts';

/** One way to search: the system under evaluation, as stored. */
export type SearchConfiguration = LocalConfiguration | RunConfiguration | AiCoreConfiguration;

export type LocalMethod = 'bm25' | 'vector' | 'hybrid' | 'rerank';

export type Chunking =
  | { readonly strategy: 'whole' | 'sections' }
  | { readonly strategy: 'fixed'; readonly size: number };

/** Searches a corpus in this process. */
export interface LocalConfiguration {
  readonly backend: 'local';
  readonly corpus: string;
  readonly method: LocalMethod;
  readonly chunking: Chunking;
  /** How many of the fused documents the re-ranker sees. */
  readonly candidates: number;
  readonly rrfK: number;
  readonly depth: number;
  readonly filters: readonly SearchFilter[];
  readonly users: Readonly<Record<string, UserConditions>>;
}

/** Takes the rankings from an imported run. */
export interface RunConfiguration {
  readonly backend: 'run';
  readonly run: string;
  readonly depth: number;
}

/** Searches with the grounding Retrieval API of SAP AI Core. */
export interface AiCoreConfiguration {
  readonly backend: 'aicore';
  readonly resourceGroup: string;
  /** The name of a destination that leads to AI Core; absent: the bound service or the service key. */
  readonly destination?: string | undefined;
  readonly filters: readonly SearchFilter[];
  readonly postProcessing: readonly PostProcessing[];
  readonly documentId: DocumentIdRule | readonly DocumentIdRule[];
  readonly users: Readonly<Record<string, UserConditions>>;
  readonly depth: number;
}
