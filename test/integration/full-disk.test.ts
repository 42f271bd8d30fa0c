import { sql } from 'kysely';
import { expect, it } from 'vitest';

import type { Database } from '../../src/storage/database/database.ts';
import { startService } from '../helpers/app.ts';
import { ask, type EvaluationAnswer } from '../helpers/client.ts';
import { createDatabase } from '../helpers/databases.ts';
import { waitFor } from '../helpers/poll.ts';
import { steerSearches } from '../helpers/steered-searches.ts';

const questions = Array.from({ length: 100 }, (_, index) => ({
  id: `q${index}`,
  text: `question ${index}`,
  relevant: { P1: 1 },
}));
const filters = [{ dataRepositoryType: 'vector', dataRepositories: ['*'] }];
const documentId = { from: 'chunkMetadata', key: 'docId' };
const grounded = { backend: 'aicore', resourceGroup: 'default', filters, documentId };

it('an evaluation waits for a full disk to be emptied, and loses no outcome that was paid for', async () => {
  const searches = steerSearches('hold');
  const databaseUrl = await createDatabase('sqlite');
  const { app, db, close } = await startService({ databaseUrl, retrievers: searches.retrievers });
  await ask(app, 'PUT', '/v1/question-sets/set', { body: { questions } });
  const body = { questionSet: 'set', configurations: [{ name: 'a', ...grounded }] };
  const { id } = await ask<{ id: string }>(app, 'POST', '/v1/eval', { body });
  await waitFor(() => searches.searched.length > 0);
  await limitPages(db, await countPages(db));
  searches.steer('answer');
  // As many as may be held; then nobody pays for more.
  await waitFor(() => searches.searched.length >= 24);
  const held = searches.searched.length;
  const full = await ask<EvaluationAnswer>(app, 'GET', `/v1/eval/${id}`);
  await limitPages(db, 1_000_000);
  const ended = await waitFor(async () => {
    const found = await ask<EvaluationAnswer>(app, 'GET', `/v1/eval/${id}`);
    return found.status !== 'running' && found;
  });
  await close();

  expect(full).toMatchObject({ status: 'running', progress: { done: 0 } });
  expect(held).toBeLessThan(50);
  expect(ended).toMatchObject({ status: 'succeeded', progress: { done: 100, failed: 0 } });
  expect(new Set(searches.searched).size).toBe(searches.searched.length);
});

async function countPages(db: Database): Promise<number> {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
  return rows[0]?.page_count ?? 0;
}

async function limitPages(db: Database, pages: number): Promise<void> {
  await sql`pragma max_page_count = ${sql.lit(pages)}`.execute(db);
}
