import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database/database.ts';
import { listFinishedBefore } from '../../storage/evaluations/evaluations-of-all-tenants.ts';
import { scopeToTenant } from '../../storage/database/tenant-scope.ts';
import { removeEvaluation } from './end-evaluation.ts';

const msPerDay = 24 * 60 * 60 * 1000;

/** Deletes evaluations of all tenants that ended before the retention period, except kept ones. Returns their ids. */
export async function deleteExpired(
  store: Database,
  {
    days,
    now,
    isKept,
  }: {
    readonly days: number;
    readonly now: string;
    readonly isKept: (db: Database, evaluationId: string) => Promise<boolean>;
  },
): Promise<readonly string[]> {
  const before = new Date(Date.parse(now) - days * msPerDay).toISOString();
  const deleted: string[] = [];
  for (const { tenant, id } of await listFinishedBefore(store, before)) {
    const db = scopeToTenant(store, tenant, 'service/retention');
    if (await isKept(db, id)) continue;
    if (await tryRemove(db, id, now)) deleted.push(id);
  }
  return deleted;
}

/** Another instance may have deleted it, or a client reopened it. */
async function tryRemove(db: Database, id: string, now: string): Promise<boolean> {
  try {
    await removeEvaluation(db, id, now);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
