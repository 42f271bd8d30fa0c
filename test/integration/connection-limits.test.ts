import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
import nock from 'nock';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { createTestApp } from '../helpers/app.ts';

/** As the service's own limits, but for the times, which no test waits for. */
const impatient: FastifyHttpOptions<Server> = {
  requestTimeout: 600,
  http: { headersTimeout: 300, connectionsCheckingInterval: 50 },
};

// nock holds the bytes of a socket back until they make up a request.
beforeEach(() => nock.restore());
afterEach(() => nock.activate());

describe('connections', () => {
  it('are bounded in all that a client can draw out', async () => {
    const { server } = await createTestApp();

    expect(server.headersTimeout).toBe(15_000);
    expect(server.requestTimeout).toBe(300_000);
    expect(server.keepAliveTimeout).toBe(95_000);
  });

  it('are closed with 408 when the headers trickle in', async () => {
    const socket = await openSocket(await listen(impatient));
    const timer = setInterval(() => socket.write('x'), 20);
    socket.on('error', () => undefined);
    socket.write('GET /health/live HTTP/1.1\r\nhost: localhost\r\nx-slow: ');
    const answer = await text(socket);
    clearInterval(timer);

    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toContain('application/problem+json');
  });

  it('are closed with 408 when the body trickles in, and others are served meanwhile', async () => {
    const app = await listen(impatient);
    const socket = await openSocket(app);
    const timer = setInterval(() => socket.write(' '), 20);
    socket.on('error', () => undefined);
    socket.write(
      'PUT /v1/question-sets/slow HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n',
    );
    const [answer, other] = await Promise.all([text(socket), fetch(`${urlOf(app)}/health/live`)]);
    clearInterval(timer);

    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(other.status).toBe(200);
  });

  it('are closed with 431 when the headers are too large', async () => {
    const socket = await openSocket(await listen());
    socket.write(`GET / HTTP/1.1\r\nhost: localhost\r\nx-large: ${'x'.repeat(20_000)}\r\n\r\n`);

    expect(await text(socket)).toMatch(/^HTTP\/1\.1 431 .*application\/problem\+json/s);
  });

  it('are closed with 400 when they speak no HTTP', async () => {
    const socket = await openSocket(await listen());
    socket.write('hello\r\n\r\n');

    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 .*"status":400/s);
  });
});

async function listen(fastify?: FastifyHttpOptions<Server>): Promise<FastifyInstance> {
  const app = await createTestApp(fastify === undefined ? {} : { fastify });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app;
}

function urlOf(app: FastifyInstance): string {
  return `http://127.0.0.1:${portOf(app)}`;
}

function portOf({ server }: FastifyInstance): number {
  return (server.address() as AddressInfo).port;
}

async function openSocket(app: FastifyInstance): Promise<Socket> {
  const socket = connect(portOf(app), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}
