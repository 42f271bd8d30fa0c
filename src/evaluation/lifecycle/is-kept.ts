import { listBaselinesOf } from '../../storage/catalog/baselines.ts';
import type { Database } from '../../storage/database/database.ts';

/** Whether something else refers to an evaluation, so that retention must leave it: a baseline does. */
export async function isKept(db: Database, evaluationId: string): Promise<boolean> {
  return (await listBaselinesOf(db, evaluationId)).length > 0;
}
