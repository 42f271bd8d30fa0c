import { NotFoundError } from '../../errors.ts';
import type { SearchConfiguration } from '../../model/search-configuration.ts';
import { recordChange } from '../../storage/monitoring/audit.ts';
import { lockName } from '../../storage/database/catalog-lock.ts';
import type { Database } from '../../storage/database/database.ts';
import {
  deleteSearchConfiguration,
  findSearchConfiguration,
  upsertSearchConfiguration,
  type StoredConfiguration,
} from '../../storage/catalog/search-configurations.ts';
import { refuseDisallowed } from './check-allowances.ts';
import { hashJson } from '../../model/hash-content.ts';
import { stateOfConfiguration } from './entity-states.ts';
import { noPrecondition, type Precondition } from './precondition.ts';

/** Stores a way to search, unless the tenant may not search that way. The same content again changes nothing. */
export async function saveSearchConfiguration(
  db: Database,
  name: string,
  {
    configuration,
    now,
    precondition = noPrecondition,
  }: {
    readonly configuration: SearchConfiguration;
    readonly now: string;
    readonly precondition?: Precondition;
  },
): Promise<{ readonly stored: StoredConfiguration; readonly isNew: boolean }> {
  const stored = { name, body: JSON.stringify(configuration), updatedAt: now };
  return db.transaction().execute(async (trx) => {
    await lockName(trx, 'search-configuration', name);
    await refuseDisallowed(trx, [{ configuration, pointer: '/body' }]);
    const before = await findSearchConfiguration(trx, name);
    precondition(before && stateOfConfiguration(before));
    if (before?.body === stored.body) return { stored: before, isNew: false };
    await upsertSearchConfiguration(trx, stored);
    const hashes = { before: before ? hashJson(before.body) : null, after: hashJson(stored.body) };
    await recordChange(trx, { at: now, kind: 'search-configuration', name, ...hashes });
    return { stored, isNew: before === undefined };
  });
}

export async function removeSearchConfiguration(
  db: Database,
  name: string,
  now: string,
  precondition: Precondition = noPrecondition,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockName(trx, 'search-configuration', name);
    const stored = await findSearchConfiguration(trx, name);
    precondition(stored && stateOfConfiguration(stored));
    if (!stored) throw new NotFoundError('Search configuration', name);
    await deleteSearchConfiguration(trx, name);
    const hashes = { before: hashJson(stored.body), after: null };
    await recordChange(trx, { at: now, kind: 'search-configuration', name, ...hashes });
  });
}
