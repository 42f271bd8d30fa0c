import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';

import { openDatabase } from '../../src/storage/database/database.ts';
import { listMissingMigrations, migrate } from '../../src/storage/migrations/migrations.ts';
import { createEmptyDatabase, databaseKinds } from '../helpers/databases.ts';

describe.each(databaseKinds)('the schema on %s', (kind) => {
  it('is brought up to date once, and then left alone', async () => {
    const db = await open(kind);
    await migrate(db);
    await migrate(db);

    expect(await listMissingMigrations(db)).toEqual([]);
  });

  it('is not touched by a version that is older than it', async () => {
    const db = await open(kind);
    await migrate(db);
    const insert = sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030')`;
    await insert.execute(db);

    await expect(migrate(db)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('does not know 9999-later') as string,
    });
  });
});

async function open(kind: (typeof databaseKinds)[number]) {
  const db = openDatabase(await createEmptyDatabase(kind));
  onTestFinished(() => db.destroy());
  return db;
}
