import { InvalidInputError } from '../../errors.ts';
import { findAlertTarget } from '../../storage/monitoring/alert-targets.ts';
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
import {
  removeNamed,
  saveNamed,
  type NamedChange,
  type NamedResource,
} from '../catalog/named-resource.ts';

export interface ScheduleRequest {
  readonly cron: string;
  readonly timeZone: string;
  readonly evaluation: EvaluationRequest;
  readonly enabled: boolean;
  readonly notify?: readonly string[] | undefined;
}

const schedules: NamedResource<StoredSchedule> = {
  kind: 'schedule',
  label: 'Schedule',
  find: findSchedule,
  stateOf: stateOfSchedule,
  hash: hashSchedule,
  upsert: upsertSchedule,
  remove: deleteSchedule,
};

/** Stores a schedule. One that says the same as before keeps its next tick; a changed one starts anew from now. */
export async function saveSchedule(
  db: Database,
  change: NamedChange,
  request: ScheduleRequest,
): Promise<{ readonly stored: StoredSchedule; readonly isNew: boolean }> {
  const { name, now } = change;
  const { cron, timeZone, evaluation, enabled: isEnabled, notify = null } = request;
  await refuseUnknownTargets(db, notify ?? []);
  const pointer = '/body/evaluation/configurations';
  await refuseDisallowedReferences(db, evaluation.configurations, pointer);
  const nextAt = isEnabled ? nextTick(request, now) : null;
  const said = { cron, timeZone, evaluation: JSON.stringify(evaluation), isEnabled, notify };
  return saveNamed(db, schedules, change, {
    make: () => ({ name, ...said, nextAt, updatedAt: now }),
  });
}

/** Deletes a schedule; its evaluations stay. */
export async function removeSchedule(db: Database, change: NamedChange): Promise<void> {
  await removeNamed(db, schedules, change);
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
