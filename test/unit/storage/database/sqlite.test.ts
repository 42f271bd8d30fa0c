import { sql, type Kysely } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';

import { openDatabase } from '../../../../src/storage/database/database.ts';
import type { Tables } from '../../../../src/storage/tables/tables.ts';

/** SQLite ends a transaction when the disk is full; the conflict clause ROLLBACK does the same without a disk. */
const failing = sql`insert or rollback into item values (1)`;

it('reports the error that made SQLite roll back, not the rollback that has nothing left to do', async () => {
  const db = await openItems();
  const write = db.transaction().execute(async (trx) => {
    await sql`insert into item values (2)`.execute(trx);
    await failing.execute(trx);
  });

  await expect(write).rejects.toThrow('UNIQUE constraint failed');
  expect(await listItems(db)).toEqual([1]);
});

it('commits no statement that follows in a transaction that SQLite rolled back', async () => {
  const db = await openItems();
  const write = db.transaction().execute(async (trx) => {
    await failing.execute(trx).catch(() => undefined);
    await sql`insert into item values (3)`.execute(trx);
  });

  await expect(write).rejects.toThrow('SQLite rolled back the transaction');
  await expect(write).rejects.toMatchObject({
    cause: { message: expect.stringContaining('UNIQUE') as string },
  });
  expect(await listItems(db)).toEqual([1]);
});

it('rolls back, and goes on, after an error that leaves the transaction open', async () => {
  const db = await openItems();
  const write = db.transaction().execute(async (trx) => {
    await sql`insert into item values (2)`.execute(trx);
    throw new Error('stop');
  });

  await expect(write).rejects.toThrow('stop');
  await db.transaction().execute((trx) => sql`insert into item values (4)`.execute(trx));
  expect(await listItems(db)).toEqual([1, 4]);
});

async function openItems(): Promise<Kysely<Tables>> {
  const db = openDatabase('sqlite::memory:');
  onTestFinished(() => db.destroy());
  await sql`create table item (id integer primary key)`.execute(db);
  await sql`insert into item values (1)`.execute(db);
  return db;
}

async function listItems(db: Kysely<Tables>): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`select id from item order by id`.execute(db);
  return rows.map(({ id }) => id);
}
