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
