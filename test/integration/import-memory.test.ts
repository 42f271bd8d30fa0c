import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';

import { expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { send } from '../helpers/client.ts';

const mebibyte = 1024 * 1024;
const type = 'application/x-ndjson';
const [set, corpus] = ['/v1/question-sets/s', '/v1/corpora/c'];

/** Of 100 KiB: held whole it counts as 800 KiB. */
const question = { id: 'q1', text: 'one', relevant: makeGrades(5000) };
const held = { questions: [question] };
const line = JSON.stringify(question);
const document = '{"id":"D1","title":"t","paragraphs":["p"]}\n';

it('refuses a body beyond the memory for imports, with the time to wait, until another has ended', async () => {
  const app = await createTestApp({ importMemoryBytes: mebibyte });
  const body = new PassThrough();
  const first = app.inject({
    method: 'PUT',
    url: corpus,
    headers: { 'content-type': type, 'content-length': String(100 * 1024) },
    payload: body,
  });
  body.write(document);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const refused = await send(app, 'PUT', set, { body: held });
  const small = await send(app, 'PUT', set, { body: { questions: [{ id: 'q1', text: 'one' }] } });
  body.end(' '.repeat(100 * 1024 - document.length));
  const [stored, later] = [await first, await send(app, 'PUT', set, { body: held })];

  expect(refused.statusCode).toBe(503);
  expect(refused.headers['retry-after']).toBe('5');
  expect(refused.json()).toMatchObject({ type: 'urn:problem:grounding-eval:unavailable' });
  expect([small.statusCode, stored.statusCode, later.statusCode]).toEqual([201, 201, 201]);
});

it('takes a body that is alone, however small the memory for imports is', async () => {
  const app = await createTestApp({ importMemoryBytes: 1024 });
  const packed = gzipSync(JSON.stringify(held));
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const plain = await send(app, 'PUT', set, { body: held });
  const again = await app.inject({ method: 'PUT', url: set, headers, payload: packed });

  expect([plain.statusCode, again.statusCode]).toEqual([201, 200]);
});

it('counts what a packed body unpacks to', async () => {
  const app = await createTestApp({ importMemoryBytes: mebibyte });
  const body = new PassThrough();
  const headers = { 'content-type': type, 'content-length': String(100 * 1024) };
  const first = app.inject({ method: 'PUT', url: corpus, headers, payload: body });
  body.write(document);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const refused = await app.inject({
    method: 'PUT',
    url: set,
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    payload: gzipSync(JSON.stringify(held)),
  });
  body.end(' '.repeat(100 * 1024 - document.length));

  expect(refused.statusCode).toBe(503);
  expect((await first).statusCode).toBe(201);
});

it('gives the memory back when a body is refused', async () => {
  const app = await createTestApp({ importMemoryBytes: mebibyte });
  for (let time = 0; time < 5; time += 1) {
    const refused = await send(app, 'PUT', set, { body: { ...held, unknown: 1 } });
    expect(refused.statusCode).toBe(400);
  }
  const [one, two] = [
    await send(app, 'PUT', set, { body: `${line}\n`, type }),
    await send(app, 'PUT', set, { body: held }),
  ];

  expect([one.statusCode, two.statusCode]).toEqual([201, 200]);
});

function makeGrades(count: number): Readonly<Record<string, number>> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`document-${index}`, 1]));
}
