import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import type { FastifyHttpOptions } from 'fastify';
import nock from 'nock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { AppError } from '../../src/errors.ts';
import { createTestApp, type TestServiceOptions } from '../helpers/app.ts';

const mebibyte = 1024 * 1024;
/** More than the buffers of a connection hold. */
const uploadBytes = 16 * mebibyte;
const json = 'content-type: application/json';
/** As the service's own limits, but for the times. */
const impatient: FastifyHttpOptions<Server> = {
  requestTimeout: 600,
  http: { headersTimeout: 300, connectionsCheckingInterval: 50 },
};
const refuseAll = async () => {
  throw new AppError('unauthenticated', 'A token is required');
};

/** A client that reads nothing before it has sent everything, as Python's http.client does. */
describe('a refused upload', () => {
  // It would read along, and refuse what it does not understand.
  beforeAll(() => nock.restore());
  afterAll(() => nock.activate());

  it.each<[string, number, string, string, TestServiceOptions]>([
    ['that is too large', 413, '/v1/question-sets/a', json, { maxBodyBytes: 1000 }],
    ['of another media type', 415, '/v1/question-sets/a', 'content-type: image/png', {}],
    ['without sign-in', 401, '/v1/question-sets/a', json, { signIn: refuseAll }],
    [
      'of lines that are too many',
      413,
      '/v1/runs/a',
      'content-type: text/plain',
      { maxBodyBytes: 1000 },
    ],
  ])('%s gets %i, though it is read to its end', async (_name, status, path, type, options) => {
    const port = await listen(options);
    const length = uploadBytes;
    const head = `PUT ${path} HTTP/1.1\r\nhost: x\r\n${type}\r\n`;
    const answer = await sendThenRead(port, `${head}content-length: ${length}\r\n\r\n`, length);

    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(answer).toContain(`"status":${status}`);
  });

  it('in chunks gets 413', async () => {
    const port = await listen({ maxBodyBytes: 1000 });
    const head = `PUT /v1/question-sets/a HTTP/1.1\r\nhost: x\r\n${json}\r\n`;
    const length = uploadBytes;
    const start = `${head}transfer-encoding: chunked\r\n\r\n${length.toString(16)}\r\n`;
    const answer = await sendThenRead(port, start, length, '\r\n0\r\n\r\n');

    expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });

  it('that unpacks to too much gets 413', async () => {
    const port = await listen({ maxBodyBytes: 1000 });
    const packed = gzipSync(Buffer.alloc(mebibyte));
    const length = uploadBytes;
    const head = `PUT /v1/runs/a HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-encoding: gzip\r\n`;
    const start = `${head}content-length: ${packed.length + length}\r\n\r\n`;
    const answer = await sendThenRead(port, [start, packed], length);

    expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });

  it('whose headers are too large gets 431', async () => {
    const port = await listen({});
    const head = `PUT /v1/question-sets/a HTTP/1.1\r\nhost: x\r\nx-large: ${'x'.repeat(20_000)}\r\n\r\n`;
    const answer = await sendThenRead(port, head, uploadBytes);

    expect(answer).toMatch(/^HTTP\/1.1 431 .*"status":431/s);
  });

  it('that is too slow gets 408, and what comes later is not stored', async () => {
    const app = await createTestApp({ fastify: impatient });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const [start, rest] = ['q1 Q0 D1 1 1 x\n', 'q1 Q0 D2 2 0 x\n'];
    const length = start.length + rest.length;
    const head = `PUT /v1/runs/a HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: ${length}\r\n\r\n`;
    const refused = once(app.server, 'clientError');
    const socket = connect(port, '127.0.0.1').pause();
    socket.write(head + start);
    await refused;
    const answer = await sendThenRead(socket, rest, uploadBytes);
    const stored = await app.inject('/v1/runs/a');

    expect(answer).toMatch(/^HTTP\/1.1 408 .*"status":408/s);
    expect(stored.statusCode).toBe(404);
  });

  it('is answered at once, and is not read on for ever', async () => {
    const port = await listen({ signIn: refuseAll });
    const socket = connect(port, '127.0.0.1');
    const head = `PUT /v1/question-sets/a HTTP/1.1\r\nhost: x\r\n${json}\r\ncontent-length: 1000\r\n\r\n{`;
    socket.write(head);
    const startedAt = performance.now();
    const [first] = (await once(socket, 'data')) as [Buffer];
    const answeredAfter = performance.now() - startedAt;
    await once(socket.resume(), 'close');
    const closedAfter = performance.now() - startedAt;

    expect(first.toString()).toMatch(/^HTTP\/1.1 401 /);
    expect(answeredAfter).toBeLessThan(2500);
    expect(closedAfter).toBeGreaterThan(2500);
    expect(closedAfter).toBeLessThan(10_000);
  });
});

async function listen(options: TestServiceOptions): Promise<number> {
  const app = await createTestApp(options);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

async function sendThenRead(
  to: number | Socket,
  start: string | readonly (string | Buffer)[],
  length: number,
  end = '',
): Promise<string> {
  const socket = typeof to === 'number' ? connect(to, '127.0.0.1').pause() : to;
  const block = Buffer.alloc(mebibyte, 'x');
  const write = (data: string | Buffer) =>
    new Promise<void>((resolve, reject) => {
      socket.write(data, (error) => (error ? reject(error) : resolve()));
    });
  for (const part of [start].flat()) await write(part);
  for (let sent = 0; sent < length; sent += block.length) await write(block);
  await write(end);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket.resume(), 'close');
  return Buffer.concat(chunks).toString('latin1');
}
