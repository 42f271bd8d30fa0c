import { readFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { createTestApp, startService } from '../helpers/app.ts';
import { ask } from '../helpers/client.ts';

describe('the service', () => {
  it('says that it lives and is ready', async () => {
    const app = await createTestApp();

    expect(await ask(app, 'GET', '/health/live')).toEqual({ status: 'ok' });
    expect(await ask(app, 'GET', '/health/ready')).toEqual({
      status: 'ok',
      store: 'ok',
      aiCore: 'not-configured',
    });
  });

  it('answers 503 when the store does not answer', async () => {
    const { app, db } = await startService();
    await db.destroy();
    const answer = await app.inject('/health/ready');
    await app.close();

    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ status: 'unavailable', store: 'unavailable' });
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
      detail: 'The service failed; its log says why',
    });
  });
});
