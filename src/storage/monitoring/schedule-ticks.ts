import { z } from 'zod';

import type { Database } from '../database/database.ts';
import type { ScheduleTickTable } from '../tables/nightly-tables.ts';
import { parseStored } from '../database/parse-stored.ts';
import { acrossTenants } from '../database/tenant-scope.ts';

export const tickStatuses = ['due', 'started', 'failed', 'missed'] as const;
/** `due`: taken, its evaluation is being made. `failed`: no evaluation could be made. */
export type TickStatus = (typeof tickStatuses)[number];

export interface ScheduleTick {
  readonly schedule: string;
  readonly tickAt: string;
  readonly status: TickStatus;
  /** JSON: what to evaluate, while the tick is due. */
  readonly evaluation: string | null;
  readonly claimedAt: string;
  /** How often its evaluation was begun to be made. */
  readonly begun: number;
  readonly evaluationId: string | null;
  readonly error: { readonly code: string; readonly detail: string } | null;
}

/** Stores ticks that were just taken; a tick that is there already is refused by the store. */
export async function insertTicks(trx: Database, ticks: readonly ScheduleTick[]): Promise<void> {
  if (ticks.length === 0) return;
  const rows = ticks.map((tick) => ({
    schedule: tick.schedule,
    tick_at: tick.tickAt,
    status: tick.status,
    evaluation: tick.evaluation,
    claimed_at: tick.claimedAt,
    begun: tick.begun,
    evaluation_id: tick.evaluationId,
    error: tick.error && JSON.stringify(tick.error),
  }));
  await trx.insertInto('schedule_tick').values(rows).execute();
}

/** Due ticks of all tenants whose taker has not finished since `claimedBefore`: it died, or the store failed it. */
export async function listAbandonedTicks(
  db: Database,
  claimedBefore: string,
): Promise<readonly (ScheduleTick & { readonly tenant: string })[]> {
  const rows = await acrossTenants(db)
    .selectFrom('schedule_tick')
    .where('status', '=', 'due')
    .where('claimed_at', '<=', claimedBefore)
    .orderBy('claimed_at')
    .selectAll()
    .execute();
  return rows.map((row) => ({ ...toTick(row), tenant: row.tenant }));
}

/** Takes over an abandoned tick. False when another instance did. */
export async function reclaimTick(
  db: Database,
  { schedule, tickAt, claimedAt, begun }: ScheduleTick,
  now: string,
): Promise<boolean> {
  const result = await db
    .updateTable('schedule_tick')
    .set({ claimed_at: now, begun: begun + 1 })
    .where('schedule', '=', schedule)
    .where('tick_at', '=', tickAt)
    .where('status', '=', 'due')
    .where('claimed_at', '=', claimedAt)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The attempts so far do not count: the store was away, and the tick is tried again. */
export async function endAttempt(
  db: Database,
  { schedule, tickAt }: Pick<ScheduleTick, 'schedule' | 'tickAt'>,
): Promise<void> {
  await db
    .updateTable('schedule_tick')
    .set({ begun: 0 })
    .where('schedule', '=', schedule)
    .where('tick_at', '=', tickAt)
    .where('status', '=', 'due')
    .execute();
}

/** Ends a due tick. */
export async function finishTick(
  db: Database,
  { schedule, tickAt }: ScheduleTick,
  end:
    | { readonly status: 'started'; readonly evaluationId: string }
    | { readonly status: 'failed'; readonly error: NonNullable<ScheduleTick['error']> },
): Promise<void> {
  await db
    .updateTable('schedule_tick')
    .set({
      status: end.status,
      evaluation: null,
      evaluation_id: end.status === 'started' ? end.evaluationId : null,
      error: end.status === 'failed' ? JSON.stringify(end.error) : null,
    })
    .where('schedule', '=', schedule)
    .where('tick_at', '=', tickAt)
    .execute();
}

/** Newest first. */
export async function listTicks(
  db: Database,
  schedule: string,
  limit: number,
): Promise<readonly ScheduleTick[]> {
  const rows = await db
    .selectFrom('schedule_tick')
    .where('schedule', '=', schedule)
    .orderBy('tick_at', 'desc')
    .limit(limit)
    .selectAll()
    .execute();
  return rows.map(toTick);
}

/** The schedule that made an evaluation, if one did. */
export async function findScheduleOf(
  db: Database,
  evaluationId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('schedule_tick')
    .where('evaluation_id', '=', evaluationId)
    .select('schedule')
    .executeTakeFirst();
  return row?.schedule;
}

/** Forgets what a schedule did before `before`. */
export async function deleteTicks(trx: Database, schedule: string, before: string): Promise<void> {
  await trx
    .deleteFrom('schedule_tick')
    .where('schedule', '=', schedule)
    .where('tick_at', '<', before)
    .where('status', '!=', 'due')
    .execute();
}

const TickError = z.object({ code: z.string(), detail: z.string() });

function toTick(row: ScheduleTickTable): ScheduleTick {
  return {
    schedule: row.schedule,
    tickAt: row.tick_at,
    status: row.status as TickStatus,
    evaluation: row.evaluation,
    claimedAt: row.claimed_at,
    begun: row.begun,
    evaluationId: row.evaluation_id,
    error:
      row.error === null
        ? null
        : parseStored(TickError, row.error, {
            table: 'schedule_tick',
            column: 'error',
            row: `${row.schedule}@${row.tick_at}`,
          }),
  };
}
