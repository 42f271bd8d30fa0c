import type { SearchFilter, UserConditions } from './filters.ts';

/** One way to search: the system under evaluation, as stored. */
export type SearchConfiguration = LocalConfiguration | RunConfiguration;

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
