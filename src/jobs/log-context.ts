import { findCorrelation } from '../storage/evaluations/correlations.ts';
import type { Database } from '../storage/database/database.ts';

export interface LogContext {
  readonly evaluation: string;
  readonly correlation_id?: string;
}

/** What a line of the log about an evaluation begins with: its id, and its request's where that can be told. */
export async function toLogContext(db: Database, evaluation: string): Promise<LogContext> {
  // The store may be the very thing that the line is about.
  const correlation = await findCorrelation(db, evaluation).catch(() => undefined);
  return { evaluation, ...(correlation !== undefined && { correlation_id: correlation }) };
}
