import { sql } from 'kysely';
import { expect, it } from 'vitest';

import { startService } from '../helpers/app.ts';
import { createDatabase } from '../helpers/databases.ts';

it('PostgreSQL takes the locks off an instance that stands still in a transaction', async () => {
  const { db, close } = await startService({ databaseUrl: await createDatabase('postgres') });
  const { rows } =
    await sql`select current_setting('idle_in_transaction_session_timeout') as limit`.execute(db);
  await close();

  expect(rows).toEqual([{ limit: '10s' }]);
});

it('SQLite answers a query as its tables are now, also after an error and many other queries', async () => {
  const { db, close } = await startService();
  const all = () => sql`select * from t`.execute(db).then(({ rows }) => rows);
  const insert = () => sql`insert into t (id) values (1)`.execute(db);
  await sql`create table t (id integer primary key)`.execute(db);
  await insert();
  const before = await all();
  await sql`alter table t add column word text default 'w'`.execute(db);
  const after = await all();
  const [refused] = await Promise.allSettled([insert()]);
  await sql`delete from t`.execute(db);
  await insert();
  for (let n = 0; n < 400; n += 1) await sql.raw(`select ${n}`).execute(db);
  const last = await all();
  await close();

  expect(before).toEqual([{ id: 1 }]);
  expect(after).toEqual([{ id: 1, word: 'w' }]);
  expect(refused?.status).toBe('rejected');
  expect(last).toEqual(after);
});
