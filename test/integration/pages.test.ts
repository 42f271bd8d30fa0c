import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { beforeAll, afterAll, describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { createTestSignIn } from '../helpers/tokens.ts';

const folder = mkdtempSync(join(tmpdir(), 'grounding-eval-pages-'));
const script = 'export const answer = 42;\n';

beforeAll(() => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>pages</title>');
  writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(folder, 'assets/main-1a2b.js'), script);
  writeFileSync(join(folder, 'assets/main-1a2b.js.gz'), gzipSync(script));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('GET /ui/', () => {
  it.each([
    '/ui/',
    '/ui/evaluations/42',
    '/ui/evaluations/42/questions/q1.2',
    '/ui/judge/sample?x=1',
  ])('answers %s with the document, which is asked for anew each time', async (url) => {
    const app = await createTestApp({ pagesFolder: folder });
    const answer = await app.inject({ url });

    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-cache');
    expect(answer.body).toContain('<title>pages</title>');
  });

  it('forbids inline scripts and styles, framing, and everything from elsewhere', async () => {
    const app = await createTestApp({ pagesFolder: folder });
    const { headers } = await app.inject({ url: '/ui/' });
    const policy = String(headers['content-security-policy']);

    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|http|\*/);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('lets browsers keep files whose names carry their content, and sends them compressed', async () => {
    const app = await createTestApp({ pagesFolder: folder });
    const headers = { 'accept-encoding': 'gzip' };
    const answer = await app.inject({ url: '/ui/assets/main-1a2b.js', headers });

    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(answer.headers['content-type']).toMatch(/^(text|application)\/javascript/);
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(answer.rawPayload.equals(gzipSync(script))).toBe(true);
  });

  it('answers 304 to a browser that has the document already', async () => {
    const app = await createTestApp({ pagesFolder: folder });
    const { headers } = await app.inject({ url: '/ui/' });
    const again = await app.inject({
      url: '/ui/',
      headers: { 'if-none-match': String(headers['etag']) },
    });

    expect(again.statusCode).toBe(304);
  });

  it.each(['/ui/assets/other.js', '/ui/other.svg'])('answers 404 for %s', async (url) => {
    const app = await createTestApp({ pagesFolder: folder });
    const answer = await app.inject({ url });

    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  });

  it.each([
    '/ui/..%2f..%2fpackage.json',
    '/ui/assets/..%2f..%2fpackage.json',
    '/ui/%2e%2e/package.json',
  ])('leads to no file outside its folder: %s', async (url) => {
    const app = await createTestApp({ pagesFolder: folder });

    expect((await app.inject({ url })).body).not.toContain('"dependencies"');
  });

  it('says how to build the pages where they are not built', async () => {
    const app = await createTestApp({ pagesFolder: join(folder, 'nothing') });
    const answer = await app.inject({ url: '/ui/' });

    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ detail: expect.stringContaining('npm run build:web') });
  });

  it('needs no token, unlike what the pages ask for', async () => {
    const app = await createTestApp({ pagesFolder: folder, signIn: await createTestSignIn() });

    expect((await app.inject({ url: '/ui/' })).statusCode).toBe(200);
    expect((await app.inject({ url: '/v1/principal' })).statusCode).toBe(401);
  });
});

describe('GET /', () => {
  it('leads a browser to the pages', async () => {
    const app = await createTestApp({ pagesFolder: folder });
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const answer = await app.inject({ url: '/', headers: { accept } });

    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe('/ui/');
  });

  it.each([{ accept: 'application/json' }, { accept: '*/*' }, {}])(
    'answers %j with 404',
    async (headers) => {
      const app = await createTestApp({ pagesFolder: folder });

      expect((await app.inject({ url: '/', headers })).statusCode).toBe(404);
    },
  );
});

describe('POST /v1/sample', () => {
  it('adds what is missing, and replaces nothing', async () => {
    const app = await createTestApp();
    const first = await app.inject({ method: 'POST', url: '/v1/sample' });
    const own = { backend: 'local', corpus: 'sample', method: 'bm25', depth: 5 };
    await app.inject({ method: 'PUT', url: '/v1/search-configurations/sample-bm25', payload: own });
    await app.inject({ method: 'DELETE', url: '/v1/search-configurations/sample-vector' });
    const second = await app.inject({ method: 'POST', url: '/v1/sample' });
    const kept = await app.inject({ url: '/v1/search-configurations/sample-bm25' });
    const third = await app.inject({ method: 'POST', url: '/v1/sample' });

    expect(first.statusCode).toBe(201);
    expect(first.json()).toEqual({
      corpus: 'sample',
      questionSet: 'sample',
      configurations: ['sample-bm25', 'sample-vector', 'sample-hybrid', 'sample-rerank'],
      created: [
        'corpora/sample',
        'question-sets/sample',
        'search-configurations/sample-bm25',
        'search-configurations/sample-vector',
        'search-configurations/sample-hybrid',
        'search-configurations/sample-rerank',
      ],
    });
    expect(second.json()).toMatchObject({ created: ['search-configurations/sample-vector'] });
    expect(kept.json()).toMatchObject({ depth: 5 });
    expect([third.statusCode, third.json()]).toMatchObject([200, { created: [] }]);
  });
});

describe('GET /v1/principal', () => {
  it('names nobody without sign-in, who may do everything', async () => {
    const app = await createTestApp();

    expect((await app.inject({ url: '/v1/principal' })).json()).toEqual({
      name: null,
      scopes: ['Admin', 'Evaluate', 'JOBSCHEDULER', 'Label', 'Operate', 'Read', 'Submit'],
    });
  });
});
