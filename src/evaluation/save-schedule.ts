import { InvalidInputError } from '../errors.ts';
import { findAlertTarget } from '../storage/alert-targets.ts';
import type { Database } from '../storage/database.ts';
import { findSchedule, upsertSchedule, type StoredSchedule } from '../storage/schedules.ts';
import type { EvaluationRequest } from './create-evaluation.ts';
import { nextTick } from './cron-ticks.ts';

export interface ScheduleRequest {
  readonly cron: string;
  readonly timeZone: string;
  readonly evaluation: EvaluationRequest;
  readonly enabled: boolean;
  readonly notify?: readonly string[] | undefined;
}

/** Stores a schedule. One that says the same as before keeps its next tick; a changed one starts anew from now. */
export async function saveSchedule(
  db: Database,
  name: string,
  { request, now }: { readonly request: ScheduleRequest; readonly now: string },
): Promise<{ readonly schedule: StoredSchedule; readonly isNew: boolean }> {
  await refuseUnknownTargets(db, request.notify ?? []);
  const { cron, timeZone, enabled: isEnabled } = request;
  const said = {
    name,
    cron,
    timeZone,
    evaluation: JSON.stringify(request.evaluation),
    isEnabled,
    notify: request.notify ?? null,
  };
  const before = await findSchedule(db, name);
  if (before && isSame(before, said)) return { schedule: before, isNew: false };
  const nextAt = isEnabled ? nextTick(request, now) : null;
  const schedule = { ...said, nextAt, updatedAt: now };
  await upsertSchedule(db, schedule);
  return { schedule, isNew: before === undefined };
}

async function refuseUnknownTargets(db: Database, names: readonly string[]): Promise<void> {
  for (const [index, name] of names.entries()) {
    if (await findAlertTarget(db, name)) continue;
    const error = {
      pointer: `/body/notify/${index}`,
      detail: `alert target '${name}' does not exist`,
    };
    throw new InvalidInputError('The schedule names an alert target that does not exist', [error]);
  }
}

function isSame(
  before: StoredSchedule,
  said: Omit<StoredSchedule, 'nextAt' | 'updatedAt'>,
): boolean {
  const essence = ({ cron, timeZone, evaluation, isEnabled, notify }: typeof said) =>
    JSON.stringify([cron, timeZone, evaluation, isEnabled, notify]);
  return essence(before) === essence(said);
}
