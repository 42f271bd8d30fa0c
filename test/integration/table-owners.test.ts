import { expect, describe, it, onTestFinished } from 'vitest';

import { openDatabase } from '../../src/storage/database/database.ts';
import {
  dependentTables,
  ownedTables,
  sharedTables,
} from '../../src/storage/tables/owned-tables.ts';
import { createDatabase, databaseKinds, type DatabaseKind } from '../helpers/databases.ts';

describe.each(databaseKinds)('the owner of every table on %s', (kind) => {
  it('is named in owned-tables.ts', async () => {
    const named = [...ownedTables, ...Object.keys(dependentTables), ...sharedTables];

    expect(named.toSorted()).toEqual((await listTables(kind)).map(({ name }) => name).toSorted());
  });

  it('is the tenant in a column of every owned table', async () => {
    const owned = (await listTables(kind)).filter(({ name }) => ownedTables.has(name));

    expect(owned.filter(({ columns }) => !columns.includes('tenant'))).toEqual([]);
  });

  it('is the row that a dependent table names', async () => {
    const dependent = (await listTables(kind)).filter(({ name }) => dependentTables[name]);

    expect(
      dependent.filter(({ name, columns }) => !columns.includes(dependentTables[name]!)),
    ).toEqual([]);
  });
});

async function listTables(kind: DatabaseKind) {
  const db = openDatabase(await createDatabase(kind));
  onTestFinished(() => db.destroy());
  const tables = await db.introspection.getTables();
  return tables
    .filter(({ schema, isView }) => !isView && (schema === undefined || schema === 'public'))
    .map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) }));
}
