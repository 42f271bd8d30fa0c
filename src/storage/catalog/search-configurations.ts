import { SearchConfiguration } from '../../model/search-configuration.ts';
import type { Database } from '../database/database.ts';
import { parseStored } from '../database/parse-stored.ts';
import { listByName, type Page, type PageRequest } from '../database/paging.ts';

/** A search configuration as stored. The body is JSON. */
export interface StoredConfiguration {
  readonly name: string;
  readonly body: string;
  readonly updatedAt: string;
}

/** Apart from finding it, so that one that cannot be read can still be replaced or deleted. */
export function readSearchConfiguration({
  name,
  body,
}: Pick<StoredConfiguration, 'name' | 'body'>): SearchConfiguration {
  const place = { table: 'search_configuration', column: 'body', row: name } as const;
  return parseStored(SearchConfiguration, body, place);
}

export async function findSearchConfiguration(
  db: Database,
  name: string,
): Promise<StoredConfiguration | undefined> {
  return select(db).where('name', '=', name).executeTakeFirst();
}

export async function listSearchConfigurations(
  db: Database,
  page: PageRequest,
): Promise<Page<StoredConfiguration>> {
  return listByName(select(db), page, (row) => row);
}

export async function upsertSearchConfiguration(
  db: Database,
  { name, body, updatedAt }: StoredConfiguration,
): Promise<void> {
  await db
    .insertInto('search_configuration')
    .values({ name, body, updated_at: updatedAt })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ body, updated_at: updatedAt }))
    .execute();
}

export async function deleteSearchConfiguration(db: Database, name: string): Promise<void> {
  await db.deleteFrom('search_configuration').where('name', '=', name).execute();
}

function select(db: Database) {
  return db.selectFrom('search_configuration').select(['name', 'body', 'updated_at as updatedAt']);
}
