import { describe, expect, it, onTestFinished } from 'vitest';

import { startAiCoreServer } from '../helpers/aicore-server.ts';
import { createTestApp } from '../helpers/app.ts';
import { ask, evaluate, send } from '../helpers/client.ts';

const mebibyte = 1024 * 1024;

describe('every answer', () => {
  it.each(['/v1/measures', '/docs/', '/v1/nothing', '/health/live'])(
    'of %s tells browsers to run nothing foreign, to frame nothing and to guess nothing',
    async (url) => {
      const app = await createTestApp();
      const { headers } = await app.inject(url);

      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['content-security-policy']).not.toContain("script-src 'unsafe");
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'strict-transport-security': expect.stringMatching(/^max-age=\d{7,}/) as string,
      });
      expect(headers).not.toHaveProperty('x-powered-by');
      expect(headers).not.toHaveProperty('server');
    },
  );
});

describe('bodies', () => {
  it.each(['/v1/eval', '/v1/compare', '/v1/pool', '/v1/jobs/eval'])(
    'of POST %s take no more than 1 MiB',
    async (url) => {
      const answer = await send(await createTestApp(), 'POST', url, {
        body: { label: 'x'.repeat(mebibyte) },
      });

      expect(answer.statusCode).toBe(413);
      expect(answer.json()).toMatchObject({ type: 'urn:problem:grounding-eval:body-too-large' });
    },
  );

  it.each(['search-configurations', 'schedules', 'alert-targets', 'baselines'])(
    'of PUT /v1/%s/{name} take no more than 1 MiB',
    async (resource) => {
      const answer = await send(await createTestApp(), 'PUT', `/v1/${resource}/large`, {
        body: { description: 'x'.repeat(mebibyte) },
      });

      expect(answer.statusCode).toBe(413);
    },
  );

  it('that bring whole sets take as much as is configured', async () => {
    const app = await createTestApp({ maxBodyBytes: 3 * mebibyte });
    const questions = Array.from({ length: 1000 }, (_, index) => {
      return { id: `q${index}`, text: 'long '.repeat(400), relevant: { D1: 1 } };
    });
    const taken = await send(app, 'PUT', '/v1/question-sets/large', { body: { questions } });
    const tooMany = { questions: [...questions, ...questions] };
    const refused = await send(app, 'PUT', '/v1/question-sets/large', { body: tooMany });

    expect(taken.statusCode).toBe(201);
    expect(refused.statusCode).toBe(413);
  });
});

describe('prototypes', () => {
  it.each([
    '{"questions":[{"id":"q1","text":"t","relevant":{"D1":1},"__proto__":{"polluted":"yes"}}]}',
    '{"questions":[],"constructor":{"prototype":{"polluted":"yes"}}}',
    '{"questions":[{"id":"q1","text":"t","relevant":{"__proto__":2}}]}',
    '{"\\u005f\\u005fproto__":{"polluted":"yes"}}',
  ])('are out of reach of %s', async (payload) => {
    const app = await createTestApp();
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'PUT', url: '/v1/question-sets/evil', headers, payload } as const;
    const answer = await app.inject(request);

    expect(answer.statusCode).toBe(400);
    expect({}).not.toHaveProperty('polluted');
  });

  it('are out of reach of the parts of a configuration that are passed through', async () => {
    const app = await createTestApp();
    const payload =
      '{"backend":"aicore","resourceGroup":"default","documentId":{"from":"chunkId"},"filters":[{"id":"f","dataRepositoryType":"vector","dataRepositories":["*"],"__proto__":{"polluted":"yes"}}]}';
    const headers = { 'content-type': 'application/json' };
    const url = '/v1/search-configurations/evil';
    const answer = await app.inject({ method: 'PUT', url, headers, payload });

    expect(answer.statusCode).toBe(400);
    expect({}).not.toHaveProperty('polluted');
  });

  it('are not read for data: names of Object.prototype are names like others', async () => {
    const app = await createTestApp();
    const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'];
    const relevant = Object.fromEntries(names.map((name) => [name, 1]));
    const questions = names.map((name) => ({ id: name, text: name, kind: name, relevant }));
    await ask(app, 'PUT', '/v1/question-sets/names', { body: { questions } });
    const documents = names.map((name) => ({ id: name, title: name, text: `about ${name}` }));
    await ask(app, 'PUT', '/v1/corpora/names', { body: { documents } });
    const configuration = {
      name: 'constructor',
      backend: 'local',
      corpus: 'names',
      method: 'bm25',
    };
    const { scorecard } = await evaluate(app, {
      questionSet: 'names',
      configurations: [configuration],
      measures: ['hit@3', 'judged@3'],
      sliceBy: ['kind'],
    });

    expect(scorecard[0]?.measures).toMatchObject({ 'hit@3': 1, 'judged@3': 1 });
    expect(Object.keys(scorecard[0]?.slices['kind'] ?? {}).toSorted()).toEqual(names.toSorted());
  });
});

describe('a document id pattern', () => {
  // JavaScript's own engine needs time in the order of 2^5000 for it.
  it('cannot hold the service up, whatever the search brings back', async () => {
    const value = `${'a'.repeat(5000)}!`;
    const chunk = { id: 'c1', content: 'text', metadata: [{ key: 'docId', value: [value] }] };
    const repository = { id: 'r', title: 'r', documents: [{ id: 'd1', chunks: [chunk] }] };
    const body = { results: [{ filterId: 'f', results: [{ dataRepository: repository }] }] };
    const server = await startAiCoreServer({ onSearch: () => ({ body }) });
    onTestFinished(server.close);
    const aiCore = { serviceKey: server.key, concurrency: 1, timeoutMs: 5000, attempts: 1 };
    const app = await createTestApp({ aiCore });
    const questions = [{ id: 'q1', text: 'asked', relevant: { D1: 1 } }];
    await ask(app, 'PUT', '/v1/question-sets/one', { body: { questions } });
    const configuration = {
      name: 'evil',
      backend: 'aicore',
      resourceGroup: 'default',
      filters: [{ id: 'f', dataRepositoryType: 'vector', dataRepositories: ['*'] }],
      documentId: { from: 'chunkMetadata', key: 'docId', pattern: '^((?:a+)+)$' },
    };
    const { status, scorecard } = await evaluate(app, {
      questionSet: 'one',
      configurations: [configuration],
    });

    expect(status).toBe('succeeded');
    expect(scorecard[0]?.warnings.map(({ code }) => code)).toContain('unmapped-chunks');
  });
});
