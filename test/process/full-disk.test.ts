import { sql } from 'kysely';
import { expect, it } from 'vitest';

import type { Database } from '../../src/storage/database/database.ts';
import { startService } from '../helpers/app.ts';
import { ask, type EvaluationAnswer } from '../helpers/client.ts';
import { createDatabase } from '../helpers/databases.ts';
import {
  countRepeats,
  environmentOf,
  startLongEvaluation,
  startPumpStub,
  waitForEnd,
  waitForSearches,
} from '../helpers/long-evaluation.ts';
import { waitFor } from '../helpers/poll.ts';
import { startServer } from '../helpers/server-process.ts';
import { mountSmallDisk } from '../helpers/small-disk.ts';
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

it('a disk that is really full costs no search twice, and writes get 503 until there is space', async ({
  skip,
}) => {
  const disk = mountSmallDisk(24);
  if (typeof disk === 'string') return skip(disk);
  const stub = await startPumpStub(20);
  const server = await startServer(environmentOf(stub, `sqlite:${disk.folder}/test.db`));
  const count = 400;
  const id = await startLongEvaluation(server.url, count);
  await waitForSearches(stub, 40);
  disk.fill();
  const refused = await waitFor(async () => {
    const answer = await writeLargeSet(server.url);
    return answer.status >= 400 && answer;
  });
  const problem = await refused.json();
  const paused = await waitForPause(() => stub.counters.requests.search);
  const full = await readEvaluation(server.url, id);
  const live = await fetch(`${server.url}/health/live`);
  disk.empty();
  const ended = await waitForEnd(server.url, id);
  const saved = await writeLargeSet(server.url);

  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(problem).toMatchObject({ type: 'urn:problem:grounding-eval:unavailable', status: 503 });
  expect(live.status).toBe(200);
  expect(full).toMatchObject({ status: 'running' });
  expect(full.progress.done).toBeLessThan(paused);
  // No more than may be held in memory is paid for meanwhile.
  expect(paused - full.progress.done).toBeLessThan(50);
  expect(ended).toMatchObject({ status: 'succeeded', progress: { done: count, failed: 0 } });
  expect(countRepeats(stub)).toBe(0);
  expect(stub.counters.requests.search).toBe(count);
  expect([200, 201]).toContain(saved.status);
  return undefined;
}, 90_000);

let versions = 0;

/** Another version each time, of some 500 kB. */
function writeLargeSet(url: string): Promise<Response> {
  versions += 1;
  const large = Array.from({ length: 100 }, (_, index) => ({
    id: `q${index}`,
    text: `version ${versions} ${'x'.repeat(5000)}`,
    relevant: { P1: 1 },
  }));
  return fetch(`${url}/v1/question-sets/large`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ questions: large }),
  });
}

/** What is counted, once it has not changed for a second and a half. */
async function waitForPause(count: () => number): Promise<number> {
  for (;;) {
    const before = count();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    if (count() === before) return before;
  }
}

async function readEvaluation(url: string, id: string): Promise<EvaluationAnswer> {
  const answer = await fetch(`${url}/v1/eval/${id}`);
  return (await answer.json()) as EvaluationAnswer;
}

async function countPages(db: Database): Promise<number> {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
  return rows[0]?.page_count ?? 0;
}

async function limitPages(db: Database, pages: number): Promise<void> {
  await sql`pragma max_page_count = ${sql.lit(pages)}`.execute(db);
}
