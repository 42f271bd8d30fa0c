import { AppError, NotFoundError } from '../errors.ts';
import {
  deleteAlertTarget,
  findAlertTarget,
  upsertAlertTarget,
  type AlertTarget,
  type StoredAlertTarget,
} from '../storage/alert-targets.ts';
import type { Database } from '../storage/database.ts';
import { deleteMessagesTo } from '../storage/outbox.ts';
import { listSchedulesNotifying } from '../storage/schedules.ts';

/** Stores where alerts go. The same content again changes nothing. */
export async function saveAlertTarget(
  db: Database,
  name: string,
  { target, now }: { readonly target: AlertTarget; readonly now: string },
): Promise<{ readonly stored: StoredAlertTarget; readonly isNew: boolean }> {
  const before = await findAlertTarget(db, name);
  if (before && JSON.stringify(before.target) === JSON.stringify(target)) {
    return { stored: before, isNew: false };
  }
  const stored = { name, target, updatedAt: now };
  await upsertAlertTarget(db, stored);
  return { stored, isNew: before === undefined };
}

/** Deletes a target with what waits to be sent to it. Refused while a schedule names it. */
export async function removeAlertTarget(db: Database, name: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const schedules = await listSchedulesNotifying(trx, name);
    if (schedules.length > 0) {
      const message = `Alert target '${name}' is notified by schedules: ${schedules.join(', ')}`;
      throw new AppError('conflict', message);
    }
    if (!(await deleteAlertTarget(trx, name))) throw new NotFoundError('Alert target', name);
    await deleteMessagesTo(trx, name);
  });
}
