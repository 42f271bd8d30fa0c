import { findCorrelation } from '../storage/evaluations/correlations.ts';
import type { Database } from '../storage/database/database.ts';

export interface LogContext {
  readonly evaluation: string;
  readonly correlation_id?: string;
}

/** Fields of every log line about an evaluation: its id and, if known, the id of its request. */
export async function toLogContext(db: Database, evaluation: string): Promise<LogContext> {
  // The store may be the very thing that the line is about.
  const correlation = await findCorrelation(db, evaluation).catch(() => undefined);
  return { evaluation, ...(correlation !== undefined && { correlation_id: correlation }) };
}
