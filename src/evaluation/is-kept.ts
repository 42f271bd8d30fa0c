import type { Database } from '../storage/database.ts';

/** Whether something else refers to an evaluation, so that retention must leave it. Nothing does yet. */
export function isKept(_db: Database, _evaluationId: string): Promise<boolean> {
  return Promise.resolve(false);
}
