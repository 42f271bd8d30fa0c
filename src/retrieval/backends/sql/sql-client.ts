/** A database in which statements read. */
export interface SqlClient {
  /** Runs one SELECT that can write nothing, and ends it when its time is over or the signal aborts. */
  readonly select: (query: SqlQuery, limits: SqlLimits) => Promise<SqlRows>;
}

export interface SqlQuery {
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface SqlLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface SqlRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** However many rows a statement finds, a ranking needs no more. */
export const maxRows = 10_000;
