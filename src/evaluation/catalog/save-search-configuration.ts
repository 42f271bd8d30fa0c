import type { SearchConfiguration } from '../../model/search-configuration.ts';
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
import { removeNamed, saveNamed, type NamedChange, type NamedResource } from './named-resource.ts';

const searchConfigurations: NamedResource<StoredConfiguration> = {
  kind: 'search-configuration',
  label: 'Search configuration',
  find: findSearchConfiguration,
  stateOf: stateOfConfiguration,
  hash: ({ body }) => hashJson(body),
  upsert: upsertSearchConfiguration,
  remove: deleteSearchConfiguration,
};

/** Stores a way to search, unless the tenant may not search that way. The same content again changes nothing. */
export async function saveSearchConfiguration(
  db: Database,
  change: NamedChange,
  configuration: SearchConfiguration,
): Promise<{ readonly stored: StoredConfiguration; readonly isNew: boolean }> {
  const { name, now } = change;
  return saveNamed(db, searchConfigurations, change, {
    async make(trx) {
      await refuseDisallowed(trx, [{ configuration, pointer: '/body' }]);
      return { name, body: JSON.stringify(configuration), updatedAt: now };
    },
  });
}

export async function removeSearchConfiguration(db: Database, change: NamedChange): Promise<void> {
  await removeNamed(db, searchConfigurations, change);
}
