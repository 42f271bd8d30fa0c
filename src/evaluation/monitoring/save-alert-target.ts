import { AppError, NotFoundError } from '../../errors.ts';
import {
  deleteAlertTarget,
  findAlertTarget,
  upsertAlertTarget,
  type AlertTarget,
  type StoredAlertTarget,
} from '../../storage/monitoring/alert-targets.ts';
import { recordChange } from '../../storage/monitoring/audit.ts';
import { lockName } from '../../storage/database/catalog-lock.ts';
import type { Database } from '../../storage/database/database.ts';
import { readOr } from '../../storage/database/parse-stored.ts';
import { deleteMessagesTo } from '../../storage/monitoring/outbox.ts';
import { listSchedulesNotifying } from '../../storage/monitoring/schedules.ts';
import { hashAlertTarget, stateOfAlertTarget } from '../catalog/entity-states.ts';
import { noPrecondition, type Precondition } from '../catalog/precondition.ts';

/** Stores where alerts go. The same content again changes nothing. */
export async function saveAlertTarget(
  db: Database,
  name: string,
  {
    target,
    now,
    precondition = noPrecondition,
  }: {
    readonly target: AlertTarget;
    readonly now: string;
    readonly precondition?: Precondition;
  },
): Promise<{ readonly stored: StoredAlertTarget; readonly isNew: boolean }> {
  return db.transaction().execute(async (trx) => {
    await lockName(trx, 'alert-target', name);
    const before = await findAlertTarget(trx, name);
    precondition(before && stateOfAlertTarget(before));
    if (before && isSame(before, target)) return { stored: before, isNew: false };
    const stored = { name, target, updatedAt: now };
    await upsertAlertTarget(trx, stored);
    const hashes = {
      before: before ? hashAlertTarget(before) : null,
      after: hashAlertTarget(stored),
    };
    await recordChange(trx, { at: now, kind: 'alert-target', name, ...hashes });
    return { stored, isNew: before === undefined };
  });
}

/** Deletes a target with what waits to be sent to it. Refused while a schedule names it. */
export async function removeAlertTarget(
  db: Database,
  name: string,
  now: string,
  precondition: Precondition = noPrecondition,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockName(trx, 'alert-target', name);
    const stored = await findAlertTarget(trx, name);
    precondition(stored && stateOfAlertTarget(stored));
    const schedules = await listSchedulesNotifying(trx, name);
    if (schedules.length > 0) {
      const message = `Alert target '${name}' is notified by schedules: ${schedules.join(', ')}`;
      throw new AppError('conflict', message);
    }
    if (!stored) throw new NotFoundError('Alert target', name);
    await deleteAlertTarget(trx, name);
    await deleteMessagesTo(trx, name);
    const hashes = { before: hashAlertTarget(stored), after: null };
    await recordChange(trx, { at: now, kind: 'alert-target', name, ...hashes });
  });
}

function isSame(stored: StoredAlertTarget, target: AlertTarget): boolean {
  return JSON.stringify(readOr(() => stored.target, null)) === JSON.stringify(target);
}
