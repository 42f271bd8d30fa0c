import { z } from 'zod';

import type { Database } from '../database/database.ts';
import type { ScheduleTable } from '../tables/nightly-tables.ts';
import { parseStored, readOr } from '../database/parse-stored.ts';
import { listByName, type Page, type PageRequest } from '../database/paging.ts';
import { acrossTenants } from '../database/tenant-scope.ts';

/** `notify` is parsed when it is read, so that one row that cannot be read stops neither its replacement nor others. */
export interface StoredSchedule {
  readonly name: string;
  readonly cron: string;
  readonly timeZone: string;
  /** JSON: EvaluationRequest. Validated on its way in. */
  readonly evaluation: string;
  readonly isEnabled: boolean;
  /** Names of the alert targets to notify; null: all. */
  readonly notify: readonly string[] | null;
  /** The next tick; null while it is disabled. */
  readonly nextAt: string | null;
  readonly updatedAt: string;
}

export async function findSchedule(
  db: Database,
  name: string,
): Promise<StoredSchedule | undefined> {
  const row = await db
    .selectFrom('schedule')
    .where('name', '=', name)
    .selectAll()
    .executeTakeFirst();
  return row && toSchedule(row);
}

export async function listSchedules(
  db: Database,
  page: PageRequest,
): Promise<Page<StoredSchedule>> {
  return listByName(db.selectFrom('schedule').selectAll(), page, toSchedule);
}

/** Those of all tenants with a due tick. */
export async function listDueSchedules(
  db: Database,
  now: string,
): Promise<readonly { readonly tenant: string; readonly schedule: StoredSchedule }[]> {
  const rows = await acrossTenants(db)
    .selectFrom('schedule')
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .selectAll()
    .execute();
  return rows.map((row) => ({ tenant: row.tenant, schedule: toSchedule(row) }));
}

export async function findNextScheduledTime(db: Database): Promise<string | undefined> {
  const row = await acrossTenants(db)
    .selectFrom('schedule')
    .where('next_at', 'is not', null)
    .orderBy('next_at')
    .select('next_at')
    .limit(1)
    .executeTakeFirst();
  return row?.next_at ?? undefined;
}

export async function upsertSchedule(db: Database, schedule: StoredSchedule): Promise<void> {
  const row = {
    cron: schedule.cron,
    time_zone: schedule.timeZone,
    evaluation: schedule.evaluation,
    enabled: schedule.isEnabled ? 1 : 0,
    notify: schedule.notify && JSON.stringify(schedule.notify),
    next_at: schedule.nextAt,
    updated_at: schedule.updatedAt,
  };
  await db
    .insertInto('schedule')
    .values({ name: schedule.name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}

/** Moves a schedule on to its next tick. False when another instance did, or the schedule was changed. */
export async function advanceSchedule(
  trx: Database,
  { name, nextAt, updatedAt }: StoredSchedule,
  next: string | null,
): Promise<boolean> {
  const result = await trx
    .updateTable('schedule')
    .set({ next_at: next })
    .where('name', '=', name)
    .where('next_at', '=', nextAt)
    .where('updated_at', '=', updatedAt)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function deleteSchedule(db: Database, name: string): Promise<void> {
  await db.deleteFrom('schedule').where('name', '=', name).execute();
}

/** The names of the schedules that notify an alert target by its name. One that cannot be read notifies all. */
export async function listSchedulesNotifying(
  db: Database,
  target: string,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('schedule')
    .where('notify', 'is not', null)
    .orderBy('name')
    .selectAll()
    .execute();
  return rows
    .map(toSchedule)
    .filter((schedule) => readOr(() => schedule.notify, null)?.includes(target))
    .map(({ name }) => name);
}

/** What a schedule evaluates, as it was stored: an earlier release may have stored less than this one requires. */
export function parseScheduledRequest({
  name,
  evaluation,
}: Pick<StoredSchedule, 'name' | 'evaluation'>): Readonly<Record<string, unknown>> {
  const place = { table: 'schedule', column: 'evaluation', row: name } as const;
  return parseStored(ScheduledRequest, evaluation, place);
}

const ScheduledRequest = z.looseObject({
  questionSet: z.string(),
  configurations: z.array(z.unknown()),
});

const TargetNames = z.array(z.string());

function toSchedule(row: ScheduleTable): StoredSchedule {
  const place = { table: 'schedule', column: 'notify', row: row.name } as const;
  return {
    name: row.name,
    cron: row.cron,
    timeZone: row.time_zone,
    evaluation: row.evaluation,
    isEnabled: row.enabled === 1,
    get notify() {
      return row.notify === null ? null : parseStored(TargetNames, row.notify, place);
    },
    nextAt: row.next_at,
    updatedAt: row.updated_at,
  };
}
