import { z } from 'zod';

import { alertEventTypes } from '../../model/alert-event.ts';
import type { Immutable } from '../../model/immutable.ts';
import type { Database } from '../database/database.ts';
import { parseStored } from '../database/parse-stored.ts';
import { listByName, type Page, type PageRequest } from '../database/paging.ts';

/** Where alerts go. `events` says which ones; absent: all. */
const AlertTarget = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('webhook'),
    url: z.string(),
    secret: z.string(),
    events: z.array(z.enum(alertEventTypes)).optional(),
  }),
  z.object({
    type: z.literal('alert-notification'),
    events: z.array(z.enum(alertEventTypes)).optional(),
  }),
]);
export type AlertTarget = Immutable<z.infer<typeof AlertTarget>>;

/** The target is parsed when it is read, so that one that cannot be read can still be replaced or deleted. */
export interface StoredAlertTarget {
  readonly name: string;
  readonly target: AlertTarget;
  readonly updatedAt: string;
}

export async function findAlertTarget(
  db: Database,
  name: string,
): Promise<StoredAlertTarget | undefined> {
  const row = await select(db).where('name', '=', name).executeTakeFirst();
  return row && toTarget(row);
}

export async function listAlertTargets(
  db: Database,
  page: PageRequest,
): Promise<Page<StoredAlertTarget>> {
  return listByName(select(db), page, toTarget);
}

export async function listAllAlertTargets(db: Database): Promise<readonly StoredAlertTarget[]> {
  const rows = await select(db).orderBy('name').execute();
  return rows.map(toTarget);
}

export async function upsertAlertTarget(
  db: Database,
  { name, target, updatedAt }: StoredAlertTarget,
): Promise<void> {
  const row = { body: JSON.stringify(target), updated_at: updatedAt };
  await db
    .insertInto('alert_target')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}

export async function deleteAlertTarget(trx: Database, name: string): Promise<boolean> {
  const result = await trx.deleteFrom('alert_target').where('name', '=', name).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

function select(db: Database) {
  return db.selectFrom('alert_target').select(['name', 'body', 'updated_at']);
}

function toTarget(row: { name: string; body: string; updated_at: string }): StoredAlertTarget {
  const place = { table: 'alert_target', column: 'body', row: row.name } as const;
  return {
    name: row.name,
    get target() {
      return parseStored(AlertTarget, row.body, place);
    },
    updatedAt: row.updated_at,
  };
}
