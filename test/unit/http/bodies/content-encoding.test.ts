import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';

import { acceptGzip } from '../../../../src/http/bodies/content-encoding.ts';

it('a reader that gives up leaves no error behind that would end the process', async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  process.on('uncaughtExceptionMonitor', note);
  onTestFinished(() => void process.off('uncaughtExceptionMonitor', note));
  const app = Fastify();
  acceptGzip(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('text/plain', async (_request: unknown, payload: Readable) => payload);
  app.put<{ Body: Readable }>('/', async ({ body, unpacking }) => {
    const ended = Promise.withResolvers<void>();
    unpacking?.gunzip.on('close', ended.resolve);
    const chunks = body.iterator({ destroyOnReturn: false });
    await chunks.next();
    await chunks.return?.();
    await ended.promise;
    await setImmediate();
    return 'given up';
  });
  const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip' };
  // All of it can be unpacked, but for the end that gzip has behind it.
  const payload = gzipSync('x'.repeat(5000)).subarray(0, -9);
  const answer = await app.inject({ method: 'PUT', url: '/', headers, payload });

  expect(answer.body).toBe('given up');
  expect(uncaught).toEqual([]);
});
