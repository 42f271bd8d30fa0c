import { raiseAlert } from '../evaluation/monitoring/raise-alert.ts';
import type { Database } from '../storage/database/database.ts';
import { finishTick, type ScheduleTick } from '../storage/monitoring/schedule-ticks.ts';
import type { StoredSchedule } from '../storage/monitoring/schedules.ts';

/** Ends a tick that creates no evaluation, and alerts about it. */
export async function failTick(
  { db, now }: { readonly db: Database; readonly now: () => string },
  tick: ScheduleTick,
  { code, detail }: NonNullable<ScheduleTick['error']>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await finishTick(trx, tick, { status: 'failed', error: { code, detail } });
    await raiseAlert(trx, {
      type: 'schedule-failed',
      about: `${tick.schedule}@${tick.tickAt}`,
      severity: 'error',
      subject: `Schedule ${tick.schedule} could not start its evaluation`,
      detail: `The tick ${tick.tickAt} created no evaluation: ${code}`,
      schedule: tick.schedule,
      occurredAt: now(),
    });
  });
}

/** Alerts about ticks that passed while no process was running. */
export async function reportMissed(
  trx: Database,
  { name }: Pick<StoredSchedule, 'name'>,
  { missed, now }: { readonly missed: readonly string[]; readonly now: string },
): Promise<void> {
  const last = missed.at(-1) ?? now;
  await raiseAlert(trx, {
    type: 'schedule-missed',
    about: `${name}@${last}`,
    severity: 'warning',
    subject: `Schedule ${name} missed ${missed.length === 1 ? 'a tick' : `${missed.length} ticks`}`,
    detail: `No evaluation was created for ${missed.slice(-10).join(', ')}`,
    schedule: name,
    occurredAt: now,
  });
}
