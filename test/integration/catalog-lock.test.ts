import { sql } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';

import { lockCatalog } from '../../src/storage/database/catalog-lock.ts';
import { putRun } from '../../src/storage/catalog/runs.ts';
import { startService } from '../helpers/app.ts';
import { ask, send } from '../helpers/client.ts';
import { createDatabase } from '../helpers/databases.ts';
import { pumpQuestions } from '../helpers/fixtures.ts';

it('an evaluation that is asked for while its run is replaced on PostgreSQL names the new run', async () => {
  const { app, db, close } = await startService({ databaseUrl: await createDatabase('postgres') });
  onTestFinished(close);
  await ask(app, 'PUT', '/v1/question-sets/s', { body: { questions: pumpQuestions } });
  await ask(app, 'PUT', '/v1/runs/r', { body: { rankings: { q1: [{ documentId: 'P2' }] } } });
  const run = { name: 'r', contentHash: 'new', questions: 0, hits: 0, createdAt: 'now' };
  const configurations = [{ name: 'r', backend: 'run', run: 'r' }];
  const body = { questionSet: 's', configurations };

  const answer = await db.transaction().execute(async (trx) => {
    await lockCatalog(trx, 'exclusive');
    await putRun(trx, run, 'none');
    const asked = send(app, 'POST', '/v1/eval', { body });
    const waiting = sql`select 1 from pg_locks where locktype = 'advisory' and not granted`;
    await vi.waitUntil(async () => (await waiting.execute(trx)).rows.length > 0, {
      timeout: 10_000,
    });
    return { asked };
  });
  const { id } = (await answer.asked).json<{ id: string }>();
  const found = await ask<{ configurations: { input: { contentHash: string } }[] }>(
    app,
    'GET',
    `/v1/eval/${id}`,
  );

  expect(found.configurations[0]?.input.contentHash).toBe('new');
});
