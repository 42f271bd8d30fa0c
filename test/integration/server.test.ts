import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { describe, expect, it, onTestFinished } from 'vitest';

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
