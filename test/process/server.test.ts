import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { startReceiver } from '../helpers/receiver.ts';

import { runServer, startServer } from '../helpers/server-process.ts';

/** The whole service as a process, as `npm start` runs it. */
describe('the server process', () => {
  it('serves the sample, and stops in time when it is told to', async () => {
    const server = await startServer(environmentFor(await createFolder()));
    const answer = await fetch(`${server.url}/v1/question-sets/sample`);
    const set = (await answer.json()) as { version: number };
    server.child.kill('SIGTERM');
    const [code] = (await once(server.child, 'exit')) as [number | null];

    expect(set.version).toBe(1);
    expect(code).toBe(0);
  });

  it('keeps what it acknowledged when it is killed', async () => {
    const folder = await createFolder();
    const first = await startServer(environmentFor(folder));
    const question = { id: 'q1', text: 'kept', relevant: { D1: 1 } };
    const saved = await fetch(`${first.url}/v1/question-sets/mine`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ questions: [question] }),
    });
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const second = await startServer(environmentFor(folder));
    const read = await fetch(`${second.url}/v1/question-sets/mine`);
    const set = (await read.json()) as { questions: unknown[] };

    expect(saved.status).toBe(201);
    expect(set.questions).toEqual([question]);
  });

  it('tells the Job Scheduling Service once how a run ended', async () => {
    const scheduler = await startReceiver();
    const uaa = { url: scheduler.url, clientid: 'made-up', clientsecret: 'made-up' };
    const bound = { jobscheduler: [{ credentials: { url: scheduler.url, uaa } }] };
    const variables = { VCAP_SERVICES: JSON.stringify(bound) };
    const server = await startServer({ ...environmentFor(await createFolder()), ...variables });
    const bm25 = { name: 'bm25', backend: 'local', corpus: 'sample', method: 'bm25' };
    const accepted = await fetch(`${server.url}/v1/jobs/eval`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-sap-job-id': '1',
        'x-sap-job-schedule-id': '2',
        'x-sap-job-run-id': '3',
        'x-sap-scheduler-host': scheduler.url,
      },
      body: JSON.stringify({ questionSet: 'sample', configurations: [bm25] }),
    });
    await vi.waitUntil(() => scheduler.requests.length > 0, { timeout: 15_000 });
    server.child.kill('SIGTERM');
    const [code] = (await once(server.child, 'exit')) as [number | null];

    expect(accepted.status).toBe(202);
    expect(code).toBe(0);
    expect(scheduler.requests).toMatchObject([
      { method: 'PUT', path: '/scheduler/jobs/1/schedules/2/runs/3' },
    ]);
  });

  it('refuses to share a SQLite file with another process, in one line', async () => {
    const folder = await createFolder();
    await startServer(environmentFor(folder));
    const second = runServer(environmentFor(folder));
    const [message, [code]] = await Promise.all([text(second.stderr!), once(second, 'exit')]);

    expect(code).toBe(1);
    expect(message.trim().split('\n')).toHaveLength(1);
    expect(message).toContain('in use by another process');
  });

  it.each([
    ['a port', { PORT: '99999' }, 'PORT'],
    ['a database', { DATABASE_URL: 'mysql://secret@host' }, 'DATABASE_URL'],
    ['a database that is not there', { DATABASE_URL: 'postgres://localhost:1/x' }, 'The database'],
    ['a service key', { AICORE_SERVICE_KEY: '{"clientsecret": secret' }, 'AICORE_SERVICE_KEY'],
    ['a host beyond loopback without a word on sign-in', { HOST: '0.0.0.0' }, 'AUTH_MODE=none'],
  ])('says in one line what is wrong with %s', async (_name, variables, named) => {
    const child = runServer({ ...environmentFor(await createFolder()), ...variables });
    const [message, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')]);

    expect(code).toBe(1);
    expect(message.trim().split('\n')).toHaveLength(1);
    expect(message).toContain(named);
    expect(message).not.toContain('secret');
  });
});

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'grounding-eval-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function environmentFor(folder: string): Record<string, string> {
  return { LOG_LEVEL: 'info', DATABASE_URL: `sqlite:${join(folder, 'test.db')}` };
}
