import { describe, expect, it } from 'vitest';

import { parseServiceKey } from '../../src/retrieval/ai-core/service-key.ts';
import { createTestApp } from '../helpers/app.ts';
import { ask, evaluate, send } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { pumpDocuments, pumpLexicon, pumpQuestions } from '../helpers/fixtures.ts';
import { startStub } from '../helpers/grounding.ts';
import { openSearchDoor } from '../helpers/search-door.ts';
import { openPostgresEngine, openSqliteEngine } from '../helpers/search-engines.ts';

const texts = pumpDocuments.map(({ id, title, paragraphs }) => ({
  id,
  text: [title, ...paragraphs].join('\n'),
}));

/** Elasticsearch's form of a search, which the engines of these tests answer. */
const http = {
  backend: 'http',
  path: '/docs/_search',
  body: { query: { match: { text: { $value: 'question' } } }, size: { $value: 'depth' } },
  answer: { hits: '/hits/hits', documentId: '/_id', score: '/_score', text: '/_source/text' },
};

const everybody = { headers: {}, tenants: ['*'] };

describe.each(databaseKinds)('searches over HTTP, on %s', (kind) => {
  it('stand beside all other backends in one evaluation, and can be compared', async () => {
    const [sqlite, postgres] = [await openSqliteEngine(texts), await openPostgresEngine(texts)];
    const stub = await startStub({ corpus: pumpDocuments, lexicon: pumpLexicon });
    const app = await createTestApp({
      databaseUrl: await createDatabase(kind),
      aiCore: {
        serviceKey: parseServiceKey(stub.serviceKey),
        concurrency: 4,
        timeoutMs: 10_000,
        attempts: 2,
      },
      httpEndpoints: new Map([
        ['fts5', { url: sqlite.url, ...everybody }],
        ['tsearch', { url: postgres.url, ...everybody }],
      ]),
    });
    await ask(app, 'PUT', '/v1/corpora/pumps', {
      body: { documents: pumpDocuments, lexicon: pumpLexicon },
    });
    await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: pumpQuestions } });
    await send(app, 'PUT', '/v1/runs/past', { body: 'q1 Q0 P3 1 1 t\n', type: 'text/plain' });
    const filters = [{ id: 'f', dataRepositoryType: 'vector', dataRepositories: ['*'] }];
    const documentId = { from: 'documentMetadata', key: 'docId' };
    const { id, status, scorecard } = await evaluate(app, {
      questionSet: 'pumps',
      configurations: [
        { name: 'local', backend: 'local', corpus: 'pumps', method: 'bm25' },
        { name: 'aicore', backend: 'aicore', resourceGroup: 'default', filters, documentId },
        { name: 'fts5', ...http, endpoint: 'fts5' },
        { name: 'tsearch', ...http, endpoint: 'tsearch' },
        { name: 'past', backend: 'run', run: 'past' },
      ],
      measures: ['RR', 'hit@1'],
    });
    const compared = await ask<{ perQuestion?: unknown; excluded: object }>(
      app,
      'POST',
      '/v1/compare',
      {
        body: {
          baseline: { evaluation: id, configuration: 'past' },
          candidate: { evaluation: id, configuration: 'fts5' },
          measure: 'RR',
        },
      },
    );

    expect(status).toBe('succeeded');
    // Of each question's words, its relevant document has the most: it comes first in any search for words.
    for (const name of ['fts5', 'tsearch']) {
      expect(scorecard.find(({ configuration }) => configuration === name)).toMatchObject({
        measures: { RR: 1, 'hit@1': 1 },
        questions: { scored: 3, failed: 0, unanswerable: 1 },
      });
    }
    expect(scorecard.find(({ configuration }) => configuration === 'past')?.measures).toMatchObject(
      {
        RR: 0,
        'hit@1': 0,
      },
    );
    expect(compared).toMatchObject({ questions: 3, meanDifference: 1 });
    expect(sqlite.requests).toHaveLength(4);
  });

  it('say which endpoint is unknown, and search nothing', async () => {
    const app = await createTestApp({ databaseUrl: await createDatabase(kind) });
    await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: pumpQuestions } });
    const { status, scorecard } = await evaluate(app, {
      questionSet: 'pumps',
      configurations: [{ name: 'h', ...http, endpoint: 'nowhere' }],
    });

    expect(status).toBe('failed');
    expect(scorecard[0]?.failures).toMatchObject([
      { detail: expect.stringContaining("Endpoint 'nowhere'") as string, questions: 4 },
    ]);
  });

  it('never become a zero when they fail', async () => {
    const door = await openSearchDoor(({ body }, index) =>
      index % 2 === 0 ? { status: 400, body: { echo: body } } : { body: { hits: { hits: [] } } },
    );
    const app = await createTestApp({
      databaseUrl: await createDatabase(kind),
      httpEndpoints: new Map([['docs', { url: door.url, ...everybody }]]),
    });
    await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: pumpQuestions } });
    const { scorecard } = await evaluate(app, {
      questionSet: 'pumps',
      configurations: [{ name: 'h', ...http, endpoint: 'docs' }],
    });

    expect(scorecard[0]?.questions.failed).toBe(2);
    expect(JSON.stringify(scorecard[0]?.failures)).not.toContain('drips');
  });
});

describe('a configuration of a search over HTTP', () => {
  it.each([
    [
      'a header with a credential',
      { headers: { Authorization: 'Bearer x' } },
      '/body/headers/Authorization',
    ],
    ['an API key', { headers: { 'api-key': 'x' } }, '/body/headers/api-key'],
    ['a path that climbs', { path: '/docs/../admin' }, '/body/path'],
    ['a path that climbs by escapes', { path: '/docs/%2E%2e/admin' }, '/body/path'],
    ['a path to another host', { path: '//example.com/x' }, '/body/path'],
    ['a value that is none', { body: { q: { $value: 'querstion' } } }, '/body/body/q'],
    ['no question', { body: { q: 'fixed' } }, '/body'],
    ['a body with GET', { method: 'GET' }, '/body/body'],
    ['pages without an offset', { pageSize: 10 }, '/body/pageSize'],
    [
      'a pointer that is none',
      { answer: { hits: 'hits', documentId: '/_id' } },
      '/body/answer/hits',
    ],
    [
      'an expression that is none',
      { answer: { hits: { jmespath: '[' }, documentId: '/_id' } },
      '/body/answer/hits',
    ],
    ['a field that is unknown', { url: 'http://169.254.169.254/' }, '/body/url'],
  ])('is refused with %s', async (_name, change, pointer) => {
    const app = await createTestApp();
    const answer = await app.inject({
      method: 'PUT',
      url: '/v1/search-configurations/h',
      payload: { ...http, endpoint: 'docs', ...change },
    });
    const { errors } = answer.json<{ errors: { pointer: string }[] }>();

    expect(answer.statusCode).toBe(400);
    expect(errors.map((error) => error.pointer)).toContain(pointer);
  });
});
