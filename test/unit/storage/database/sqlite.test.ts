import { DatabaseSync } from 'node:sqlite';

import { sql, type Kysely } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';

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

it('prepares one statement for lists of any length, which finds by the index what the list names', async () => {
  const db = await openItems();
  await sql`create table word (id text primary key, size integer)`.execute(db);
  const ids = Array.from({ length: 500 }, (_, index) => `Größe "${index}" 🔎 \\ \u0007`);
  const words = db as unknown as Kysely<{ word: { id: string; size: number } }>;
  for (const [size, id] of ids.entries()) {
    await words.insertInto('word').values({ id, size }).execute();
  }
  const find = (named: readonly string[]) =>
    words.selectFrom('word').where('id', 'in', named).orderBy('size').select('id');
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  onTestFinished(() => prepare.mockRestore());
  const found = [];
  for (const length of [20, 21, 300, 500]) found.push(await find(ids.slice(-length)).execute());
  const sizes = await words
    .selectFrom('word')
    .where('size', 'in', [...ids.keys()].slice(10))
    .select('size')
    .execute();
  const prepared = prepare.mock.calls.length;
  const plan = await find(ids).explain(undefined, sql`query plan`);

  expect(found).toEqual([20, 21, 300, 500].map((length) => ids.slice(-length).map(toRow)));
  expect(sizes).toHaveLength(490);
  expect(prepared).toBe(2);
  expect(JSON.stringify(plan)).toContain('USING INDEX sqlite_autoindex_word_1 (id=?)');
});

it('finds what a list of words names that JSON would change', async () => {
  const db = await openItems();
  await sql`create table word (id text primary key)`.execute(db);
  const words = db as unknown as Kysely<{ word: { id: string | number } }>;
  await words.insertInto('word').values({ id: 'a\0b' }).execute();
  const others = Array.from({ length: 30 }, (_, index) => `word ${index}`);
  const rows = await words
    .selectFrom('word')
    .where('id', 'in', ['a\0b', ...others])
    .selectAll()
    .execute();

  expect(rows).toEqual([{ id: 'a\0b' }]);
});

it('prepares an insert of many rows once, however often it is repeated', async () => {
  const db = await openItems();
  const items = db as unknown as Kysely<{ item: { id: number } }>;
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  onTestFinished(() => prepare.mockRestore());
  for (let time = 1; time <= 20; time += 1) {
    const rows = Array.from({ length: 1500 }, (_, index) => ({ id: time * 10_000 + index }));
    await items.insertInto('item').values(rows).execute();
  }

  expect(await listItems(db)).toHaveLength(30_001);
  expect(prepare.mock.calls.filter(([text]) => text.startsWith('insert'))).toHaveLength(1);
});

function toRow(id: string): { readonly id: string } {
  return { id };
}

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
