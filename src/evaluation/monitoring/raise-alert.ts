import type { AlertEvent, AlertEventType } from '../../model/alert-event.ts';
import { insertAlertEvent } from '../../storage/monitoring/alert-events.ts';
import {
  listAllAlertTargets,
  type StoredAlertTarget,
} from '../../storage/monitoring/alert-targets.ts';
import type { Database } from '../../storage/database/database.ts';
import { readOr } from '../../storage/database/parse-stored.ts';
import { insertMessage } from '../../storage/monitoring/outbox.ts';
import { findScheduleOf } from '../../storage/monitoring/schedule-ticks.ts';
import { findSchedule } from '../../storage/monitoring/schedules.ts';

/**
 * Stores an alert for every target that wants it: those that the event's schedule names, else all; of
 * them those that take its type. Part of the caller's transaction if `db` is one, so an alert goes out
 * if and only if the change that caused it is stored.
 */
export async function raiseAlert(db: Database, event: AlertEvent): Promise<void> {
  if (db.isTransaction) return store(db, event);
  return db.transaction().execute((trx) => store(trx, event));
}

async function store(trx: Database, event: AlertEvent): Promise<void> {
  const schedule = event.schedule ?? (await findScheduleOfEvent(trx, event));
  const body = JSON.stringify({ ...event, schedule });
  const { type, about, occurredAt } = event;
  const id = `${type}/${about}`;
  if (!(await insertAlertEvent(trx, { id, body, occurredAt }))) return;
  const notify = schedule === undefined ? null : await findNotified(trx, schedule);
  for (const target of await listAllAlertTargets(trx)) {
    if (!isWanted(target, type, notify)) continue;
    const { name } = target;
    const message = { id: `alert/${id}/${name}`, kind: 'alert', target: name } as const;
    await insertMessage(trx, { ...message, payload: body, createdAt: occurredAt });
  }
}

async function findScheduleOfEvent(
  trx: Database,
  { evaluation }: AlertEvent,
): Promise<string | undefined> {
  return evaluation === undefined ? undefined : findScheduleOf(trx, evaluation);
}

/** The targets that a schedule names; null: all, as for a schedule that cannot be read. */
async function findNotified(trx: Database, name: string): Promise<readonly string[] | null> {
  const schedule = await findSchedule(trx, name);
  return schedule ? readOr(() => schedule.notify, null) : null;
}

/** A target that cannot be read gets every alert: they wait in the outbox until it is replaced or they expire. */
function isWanted(
  stored: StoredAlertTarget,
  type: AlertEventType,
  notify: readonly string[] | null,
): boolean {
  if (notify !== null && !notify.includes(stored.name)) return false;
  const events = readOr(() => stored.target.events, undefined);
  return events === undefined || events.includes(type);
}
