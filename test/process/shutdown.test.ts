import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import nock from 'nock';
import { expect, it, onTestFinished } from 'vitest';

import { waitFor } from '../helpers/poll.ts';
import { startServer } from '../helpers/server-process.ts';

/** A stop that is not in time ends with exit code 1 after eight seconds. */
it('answers a request that is under way at SIGTERM, closes its connection and stops', async () => {
  const server = await startServer({ DATABASE_URL: await createDatabaseUrl(), LOG_LEVEL: 'info' });
  const client = openConnection(Number(new URL(server.url).port));
  client.write('GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n');
  const first = await waitFor(() => client.received().includes('"ok"') && client.received());
  const body = '{"questions":[{"id":"q1","text":"under way","relevant":{"D1":1}}]}';
  const head = `PUT /v1/question-sets/mine HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`;
  client.write(`${head}expect: 100-continue\r\ncontent-length: ${body.length}\r\n\r\n`);
  await waitFor(() => client.received().includes('100 Continue'));
  const exit = once(server.child, 'exit');
  server.child.kill('SIGTERM');
  await waitFor(() => server.lines.some((line) => line.includes('"stopping"')));
  client.write(body);
  const [code] = (await exit) as [number | null];
  const answer = client.received().slice(client.received().indexOf('100 Continue'));

  expect(first).toMatch(/connection: keep-alive/i);
  expect(answer).toContain('HTTP/1.1 201 ');
  expect(answer.toLowerCase()).toContain('connection: close');
  expect(code).toBe(0);
}, 90_000);

/** A connection that its client never closes. */
function openConnection(port: number) {
  // It would read along.
  nock.restore();
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => {
    socket.destroy();
    nock.activate();
  });
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString();
  });
  return { write: (text: string) => socket.write(text), received: () => received };
}

async function createDatabaseUrl(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'grounding-eval-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return `sqlite:${join(folder, 'test.db')}`;
}
