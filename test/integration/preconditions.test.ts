import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { send } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';

const pump = (text: string) => ({
  questions: [{ id: 'q1', text, relevant: { P1: 1 } }],
});
const corpus = (text: string) => ({ documents: [{ id: 'P1', title: 't', paragraphs: [text] }] });
const run = (id: string) => ({ rankings: { q1: [{ documentId: id }] } });
const schedule = (cron: string) => ({
  cron,
  timeZone: 'UTC',
  evaluation: {
    questionSet: 's',
    configurations: [{ name: 'r', backend: 'run', run: 'r' }],
    measures: ['P@1'],
  },
});
const prices = (perSearch: number) => ({ currency: 'EUR', perSearch });
const search = (depth: number) => ({ backend: 'run', run: 'r', depth });

const resources: readonly (readonly [url: string, one: object, other: object])[] = [
  ['/v1/question-sets/s', pump('one'), pump('other')],
  ['/v1/corpora/c', corpus('one'), corpus('other')],
  ['/v1/runs/r', run('a'), run('b')],
  ['/v1/search-configurations/k', search(5), search(6)],
  ['/v1/schedules/n', schedule('0 1 * * *'), schedule('0 2 * * *')],
  ['/v1/prices', prices(1), prices(2)],
];

describe.each(databaseKinds)('preconditions on %s', (kind) => {
  let app: FastifyInstance;
  beforeEach(async () => {
    app = await createTestApp({ databaseUrl: await createDatabase(kind) });
  });

  const readTag = async (url: string) => String((await app.inject(url)).headers['etag']);

  it.each(resources)('of %s change it only as it was read', async (url, one, other) => {
    const put = (body: object, headers: Record<string, string>) =>
      send(app, 'PUT', url, { body, headers });
    const absent = await put(one, { 'if-match': '*' });
    const made = await put(one, { 'if-none-match': '*' });
    const there = await put(other, { 'if-none-match': '*' });
    const tag = await readTag(url);
    const again = await readTag(url);
    const weak = await put(other, { 'if-match': `W/${tag}` });
    const changed = await put(other, { 'if-match': `"x", ${tag}` });
    const late = await put(one, { 'if-match': tag });
    const next = await readTag(url);

    expect([absent, made, there].map(({ statusCode }) => statusCode)).toEqual([412, 201, 412]);
    expect(absent.json()).toMatchObject({ type: 'urn:problem:grounding-eval:precondition-failed' });
    expect(again).toBe(tag);
    expect(weak.statusCode).toBe(412);
    expect([200, 201]).toContain(changed.statusCode);
    expect(late.statusCode).toBe(412);
    expect(next).not.toBe(tag);
    if (url === '/v1/prices') return;
    const stale = await app.inject({ method: 'DELETE', url, headers: { 'if-match': tag } });
    const gone = await app.inject({ method: 'DELETE', url, headers: { 'if-match': next } });
    expect([stale.statusCode, gone.statusCode]).toEqual([412, 204]);
  });

  it.each(resources)('of %s let one of two at once through', async (url, one, other) => {
    await send(app, 'PUT', url, { body: one });
    const headers = { 'if-match': await readTag(url) };
    const third = url === '/v1/prices' ? prices(3) : other;
    const both = await Promise.all([
      send(app, 'PUT', url, { body: other, headers }),
      send(app, 'PUT', url, { body: third, headers }),
    ]);

    expect(both.filter(({ statusCode }) => statusCode === 412)).toHaveLength(1);
    expect(both.filter(({ statusCode }) => statusCode < 300)).toHaveLength(1);
  });

  it('of qrels compare the state of their question set', async () => {
    await send(app, 'PUT', '/v1/question-sets/s', { body: pump('one') });
    const headers = { 'if-match': await readTag('/v1/question-sets/s/qrels') };
    const put = (line: string) =>
      send(app, 'PUT', '/v1/question-sets/s/qrels', { body: line, type: 'text/plain', headers });
    const [added, late] = [await put('q1 0 P2 1\n'), await put('q1 0 P3 1\n')];

    expect([added.statusCode, late.statusCode]).toEqual([201, 412]);
  });
});
