import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';

import { sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { createTestApp, startService } from '../helpers/app.ts';
import { ask } from '../helpers/client.ts';

describe('the service', () => {
  it('says that it lives and is ready', async () => {
    const app = await createTestApp();

    expect(await ask(app, 'GET', '/health/live')).toEqual({ status: 'ok' });
    expect(await ask(app, 'GET', '/health/ready')).toEqual({
      status: 'ok',
      store: 'ok',
      migrations: 'ok',
      aiCore: 'not-configured',
      reasons: [],
    });
  });

  it('answers 503 when the store does not answer', async () => {
    const { app, db } = await startService();
    await db.destroy();
    const answer = await app.inject('/health/ready');
    await app.close();

    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({
      status: 'unavailable',
      store: 'unavailable',
      migrations: 'unknown',
      reasons: ['The database does not respond'],
    });
  });

  it('answers 503 when the schema is older than the service, and says what it lacks', async () => {
    const { app, db, close } = await startService();
    onTestFinished(close);
    await sql`delete from kysely_migration where name = '0030-nightly'`.execute(db);
    const answer = await app.inject('/health/ready');

    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({
      store: 'ok',
      migrations: 'missing',
      reasons: ['The database schema lacks 0030-nightly: restart the service'],
    });
  });

  it('says that it is stopping to those whose connections are still open', async () => {
    const app = await createTestApp();
    await app.listen({ host: '127.0.0.1', port: 0 });
    const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
    const reach = (path: string) => fetch(`${url}${path}`);
    const close = app.server.close.bind(app.server);
    const asked = Promise.withResolvers<readonly Response[]>();
    vi.spyOn(app.server, 'close').mockImplementation((done) => {
      const answers = Promise.all(['/health/live', '/health/ready', '/v1/measures'].map(reach));
      asked.resolve(answers.finally(() => close(done)));
      return app.server;
    });
    const closed = app.close();
    const [live, ready, measures] = await asked.promise;
    await closed;

    expect(live?.status).toBe(200);
    expect(ready?.status).toBe(503);
    expect(await ready?.json()).toMatchObject({
      store: 'ok',
      reasons: ['The service is stopping'],
    });
    expect(measures?.status).toBe(503);
    expect(measures?.headers.get('content-type')).toContain('application/problem+json');
    expect(measures?.headers.get('retry-after')).toBe('5');
  });

  it('serves its description, a page to try it, and metrics', async () => {
    const app = await createTestApp();
    const openapi = await ask<{ openapi: string }>(app, 'GET', '/openapi.json');
    const docs = await app.inject('/docs/');
    const metrics = await app.inject('/metrics');

    expect(openapi.openapi).toBe('3.1.0');
    expect(docs.statusCode).toBe(200);
    expect(docs.headers['content-type']).toContain('text/html');
    expect(metrics.body).toContain('http_request_duration_seconds');
  });

  it('openapi/openapi.json is up to date (else run `npm run openapi` and commit it)', async () => {
    const app = await createTestApp();
    const stored = await readFile('openapi/openapi.json', 'utf8');

    expect(stored).toBe(`${JSON.stringify(app.swagger(), null, 2)}\n`);
  });

  it('describes every operation with id, summary, tag and problem', async () => {
    const app = await createTestApp();
    const { paths } = await ask<{ paths: Record<string, Record<string, object>> }>(
      app,
      'GET',
      '/openapi.json',
    );
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));

    expect(operations.length).toBeGreaterThan(30);
    expect(operations).toEqual(
      operations.map(() =>
        expect.objectContaining({
          operationId: expect.any(String) as string,
          summary: expect.any(String) as string,
          tags: [expect.any(String)],
          responses: expect.objectContaining({ default: expect.any(Object) as object }) as object,
        }),
      ),
    );
  });

  it('explains every measure', async () => {
    const app = await createTestApp();
    const { items } = await ask<{ items: Record<string, unknown>[] }>(app, 'GET', '/v1/measures');
    const names = items.map(({ name }) => name);

    expect(names).toEqual(expect.arrayContaining(['nDCG', 'P', 'R', 'hit', 'RR', 'judged']));
    expect(items[0]).not.toHaveProperty('build');
  });

  it('answers a fault of its own with 500 and nothing about it', async () => {
    const { app, db } = await startService();
    await db.destroy();
    const answer = await app.inject('/v1/question-sets');
    await app.close();

    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toMatchObject({
      type: 'urn:problem:grounding-eval:internal',
      detail: 'Internal error; see the log of the service',
    });
  });
});
