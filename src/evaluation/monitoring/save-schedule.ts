import { InvalidInputError, NotFoundError } from '../../errors.ts';
import { findAlertTarget } from '../../storage/monitoring/alert-targets.ts';
import { recordChange } from '../../storage/monitoring/audit.ts';
import { lockName } from '../../storage/database/catalog-lock.ts';
import type { Database } from '../../storage/database/database.ts';
import {
  deleteSchedule,
  findSchedule,
  upsertSchedule,
  type StoredSchedule,
} from '../../storage/monitoring/schedules.ts';
import { refuseDisallowedReferences } from '../catalog/check-allowances.ts';
import { nextTick } from './cron-ticks.ts';
import type { EvaluationRequest } from '../../model/evaluation-request.ts';
import { hashSchedule, stateOfSchedule } from '../catalog/entity-states.ts';
import { noPrecondition, type Precondition } from '../catalog/precondition.ts';

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
  {
    request,
    now,
    precondition = noPrecondition,
  }: {
    readonly request: ScheduleRequest;
    readonly now: string;
    readonly precondition?: Precondition;
  },
): Promise<{ readonly schedule: StoredSchedule; readonly isNew: boolean }> {
  await refuseUnknownTargets(db, request.notify ?? []);
  const { configurations } = request.evaluation;
  await refuseDisallowedReferences(db, configurations, '/body/evaluation/configurations');
  const { cron, timeZone, enabled: isEnabled } = request;
  const said = {
    name,
    cron,
    timeZone,
    evaluation: JSON.stringify(request.evaluation),
    isEnabled,
    notify: request.notify ?? null,
  };
  const nextAt = isEnabled ? nextTick(request, now) : null;
  const schedule = { ...said, nextAt, updatedAt: now };
  return db.transaction().execute(async (trx) => {
    await lockName(trx, 'schedule', name);
    const before = await findSchedule(trx, name);
    precondition(before && stateOfSchedule(before));
    const hashes = { before: before ? hashSchedule(before) : null, after: hashSchedule(said) };
    if (before && hashes.before === hashes.after) return { schedule: before, isNew: false };
    await upsertSchedule(trx, schedule);
    await recordChange(trx, { at: now, kind: 'schedule', name, ...hashes });
    return { schedule, isNew: before === undefined };
  });
}

/** Its evaluations stay. */
export async function removeSchedule(
  db: Database,
  name: string,
  now: string,
  precondition: Precondition = noPrecondition,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockName(trx, 'schedule', name);
    const stored = await findSchedule(trx, name);
    precondition(stored && stateOfSchedule(stored));
    if (!stored) throw new NotFoundError('Schedule', name);
    await deleteSchedule(trx, name);
    const hashes = { before: hashSchedule(stored), after: null };
    await recordChange(trx, { at: now, kind: 'schedule', name, ...hashes });
  });
}

async function refuseUnknownTargets(db: Database, names: readonly string[]): Promise<void> {
  for (const [index, name] of names.entries()) {
    if (await findAlertTarget(db, name)) continue;
    const error = {
      pointer: `/body/notify/${index}`,
      detail: `alert target '${name}' does not exist`,
    };
    throw new InvalidInputError('The schedule refers to an alert target that does not exist', [
      error,
    ]);
  }
}
