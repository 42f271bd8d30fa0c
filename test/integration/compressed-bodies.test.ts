import { gzipSync } from 'node:zlib';

import type { FastifyInstance, InjectOptions } from 'fastify';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { ask } from '../helpers/client.ts';

const url = '/v1/question-sets/packed';
const questions = [{ id: 'q1', text: 'pump drips oil', relevant: { P2: 2 } }];
const json = JSON.stringify({ questions });
const ndjson = `${JSON.stringify(questions[0])}\n`;

interface Problem {
  readonly type: string;
  readonly detail: string;
}

describe('compressed bodies', () => {
  let app: FastifyInstance;
  beforeEach(async () => {
    app = await createTestApp({ maxBodyBytes: 20_000 });
  });

  const put = (type: string, payload: Buffer, encoding = 'gzip') => {
    const headers = { 'content-type': type, 'content-encoding': encoding };
    return app.inject({ method: 'PUT', url, headers, payload } satisfies InjectOptions);
  };

  it.each([
    ['application/json', json],
    ['application/x-ndjson', ndjson],
  ])('are read as gzip when they are %s', async (type, body) => {
    const answer = await put(type, gzipSync(body));
    const read = await ask<{ questions: unknown }>(app, 'GET', url);

    expect(answer.statusCode).toBe(201);
    expect(read.questions).toEqual(questions);
  });

  it('may be made of several members, as log files are', async () => {
    const second = ndjson.replace('q1', 'q2');
    const answer = await put(
      'application/x-ndjson',
      Buffer.concat([gzipSync(ndjson), gzipSync(second)]),
    );

    expect(answer.json()).toMatchObject({ questions: 2 });
  });

  it.each([
    ['application/json', `${json}${' '.repeat(5_000_000)}`],
    ['application/x-ndjson', `${ndjson}${'\n'.repeat(5_000_000)}`],
    ['application/x-ndjson', `${ndjson}${' '.repeat(50_000_000)}`],
  ])('that unpack to more than the limit are refused as %s', async (type, body) => {
    const bomb = gzipSync(body);
    const answer = await put(type, bomb);
    const after = await app.inject(url);

    expect(bomb.length).toBeLessThan(60_000);
    expect(answer.statusCode).toBe(413);
    expect(answer.json<Problem>().type).toContain('body-too-large');
    expect(after.statusCode).toBe(404);
  });

  it.each([
    ['application/json', Buffer.from(json)],
    ['application/x-ndjson', Buffer.from(ndjson)],
    ['application/json', gzipSync(json).subarray(0, -9)],
    ['application/x-ndjson', gzipSync(ndjson).subarray(0, -9)],
  ])('that are not valid gzip are refused as %s', async (type, payload) => {
    const answer = await put(type, payload);
    const after = await app.inject(url);

    expect(answer.statusCode).toBe(400);
    expect(answer.json<Problem>().detail).toBe('The body is not valid gzip');
    expect(after.statusCode).toBe(404);
  });

  it('are refused when they are packed in another way', async () => {
    const answer = await put('application/json', Buffer.from(json), 'br');

    expect(answer.statusCode).toBe(415);
    expect(answer.json<Problem>().detail).toContain('gzip');
  });

  it('end no process when they are broken and nobody reads them', async () => {
    const uncaught: unknown[] = [];
    const note = (error: unknown) => void uncaught.push(error);
    process.on('uncaughtExceptionMonitor', note);
    onTestFinished(() => void process.off('uncaughtExceptionMonitor', note));
    const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip' };
    const payload = gzipSync('q1 Q0 D1 1 1 tag').subarray(0, -9);
    const answer = await app.inject({ method: 'PUT', url: '/v1/runs/-', headers, payload });
    // What is unpacked behind it was unpacked after it.
    const next = await put('application/x-ndjson', gzipSync(ndjson));

    expect(answer.statusCode).toBe(400);
    expect(next.statusCode).toBe(201);
    expect(uncaught).toEqual([]);
  });

  it('leave their connection open when they are refused', async () => {
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };
    const broken = Buffer.concat([gzipSync('not JSON\n'), Buffer.alloc(200_000)]);
    const answer = await fetch(`${address}${url}`, { method: 'PUT', headers, body: broken });
    const next = await fetch(`${address}${url}`);

    expect(answer.status).toBe(400);
    expect(next.status).toBe(404);
  });
});
