import type { Clock } from './resilience/clock.ts';

/** A database that configurations may search, as the operator listed it. */
export interface SqlSource {
  /** `postgres://…`, with its credentials. */
  readonly url: string;
  /** Who may search it; `*`: every tenant. */
  readonly tenants: readonly string[];
}

/** How databases are searched. */
export interface SqlSearchOptions {
  readonly sources: ReadonlyMap<string, SqlSource>;
  /** The most statements in one database under way at once. */
  readonly concurrency: number;
  /** How long one attempt may take. */
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly clock?: Clock | undefined;
}
