import type { Database } from '../database/database.ts';
import { unfinishedStatuses } from '../../model/evaluation-status.ts';
import { acrossTenants } from '../database/tenant-scope.ts';

/** Those of all tenants that a process must take up when it starts, oldest first. */
export async function listUnfinishedIds(db: Database): Promise<readonly string[]> {
  const rows = await acrossTenants(db)
    .selectFrom('evaluation')
    .where('status', 'in', unfinishedStatuses)
    .orderBy('created_at')
    .orderBy('id')
    .select('id')
    .execute();
  return rows.map((row) => row.id);
}

/** Whose evaluation it is, for work that was handed out by id alone. */
export async function findOwner(db: Database, id: string): Promise<string | undefined> {
  const row = await acrossTenants(db)
    .selectFrom('evaluation')
    .where('id', '=', id)
    .select('tenant')
    .executeTakeFirst();
  return row?.tenant;
}

/** Those of all tenants that ended before a time, oldest first. */
export async function listFinishedBefore(
  db: Database,
  at: string,
): Promise<readonly { readonly tenant: string; readonly id: string }[]> {
  return acrossTenants(db)
    .selectFrom('evaluation')
    .where('status', 'in', ['succeeded', 'failed', 'cancelled'])
    .where('finished_at', '<', at)
    .orderBy('finished_at')
    .select(['tenant', 'id'])
    .execute();
}
