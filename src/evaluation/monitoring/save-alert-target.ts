import { AppError } from '../../errors.ts';
import {
  deleteAlertTarget,
  findAlertTarget,
  upsertAlertTarget,
  type AlertTarget,
  type StoredAlertTarget,
} from '../../storage/monitoring/alert-targets.ts';
import type { Database, DatabaseTransaction } from '../../storage/database/database.ts';
import { readOr } from '../../storage/database/parse-stored.ts';
import { deleteMessagesTo } from '../../storage/monitoring/outbox.ts';
import { listSchedulesNotifying } from '../../storage/monitoring/schedules.ts';
import { hashAlertTarget, stateOfAlertTarget } from '../catalog/entity-states.ts';
import {
  removeNamed,
  saveNamed,
  type NamedChange,
  type NamedResource,
} from '../catalog/named-resource.ts';

const alertTargets: NamedResource<StoredAlertTarget> = {
  kind: 'alert-target',
  label: 'Alert target',
  find: findAlertTarget,
  stateOf: stateOfAlertTarget,
  hash: hashAlertTarget,
  upsert: upsertAlertTarget,
  remove: removeUnused,
};

/** Stores where alerts go. The same content again changes nothing. */
export async function saveAlertTarget(
  db: Database,
  change: NamedChange,
  target: AlertTarget,
): Promise<{ readonly stored: StoredAlertTarget; readonly isNew: boolean }> {
  const { name, now } = change;
  return saveNamed(db, alertTargets, change, {
    make: () => ({ name, target, updatedAt: now }),
    // The hash leaves the secret out.
    isSame: (before) =>
      JSON.stringify(readOr(() => before.target, null)) === JSON.stringify(target),
  });
}

/** Deletes a target with its pending deliveries. Refused while a schedule names it. */
export async function removeAlertTarget(db: Database, change: NamedChange): Promise<void> {
  await removeNamed(db, alertTargets, change);
}

async function removeUnused(trx: DatabaseTransaction, name: string): Promise<void> {
  const schedules = await listSchedulesNotifying(trx, name);
  if (schedules.length > 0) {
    const message = `Alert target '${name}' is notified by schedules: ${schedules.join(', ')}`;
    throw new AppError('conflict', message);
  }
  await deleteAlertTarget(trx, name);
  await deleteMessagesTo(trx, name);
}
