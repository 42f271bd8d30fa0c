import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { ask, evaluate, send } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { bm25, pumpDocuments, pumpLexicon, pumpQuestions } from '../helpers/fixtures.ts';

const url = '/v1/corpora/pumps';

describe.each(databaseKinds)('corpora on %s', (kind) => {
  let app: FastifyInstance;
  beforeEach(async () => {
    app = await createTestApp({ databaseUrl: await createDatabase(kind) });
  });

  it('are stored and come back as they went in', async () => {
    const body = { documents: pumpDocuments, lexicon: pumpLexicon };
    const saved = await send(app, 'PUT', url, { body });
    const same = await send(app, 'PUT', url, { body });
    const read = await ask(app, 'GET', url);
    const list = await ask<{ items: object[] }>(app, 'GET', '/v1/corpora');

    expect(saved.statusCode).toBe(201);
    expect(same.statusCode).toBe(200);
    expect(saved.json()).toMatchObject({ name: 'pumps', documents: 3 });
    expect(read).toMatchObject({ name: 'pumps', ...body });
    expect(list.items).toMatchObject([{ name: 'pumps', documents: 3 }]);
  });

  it('travel as ndjson and keep their lexicon', async () => {
    await send(app, 'PUT', url, { body: { documents: pumpDocuments, lexicon: pumpLexicon } });
    const lines = pumpDocuments.slice(1).map((document) => JSON.stringify(document));
    const saved = await send(app, 'PUT', url, {
      body: lines.join('\n'),
      type: 'application/x-ndjson',
    });
    const read = await app.inject({ url, headers: { accept: 'application/x-ndjson' } });
    const json = await ask(app, 'GET', url);

    expect(saved.json()).toMatchObject({ documents: 2 });
    const readLines = read.body.trimEnd().split('\n');
    expect(readLines.map((line) => JSON.parse(line) as unknown)).toEqual(pumpDocuments.slice(1));
    expect(json).toMatchObject({ lexicon: pumpLexicon });
  });

  it('answer 304 until they change', async () => {
    await send(app, 'PUT', url, { body: { documents: pumpDocuments } });
    const first = await app.inject(url);
    const headers = { 'if-none-match': `"other", W/${String(first.headers['etag'])}` };
    const unchanged = await app.inject({ url, headers });
    await send(app, 'PUT', url, { body: { documents: pumpDocuments.slice(1) } });
    const changed = await app.inject({ url, headers });

    expect([unchanged.statusCode, changed.statusCode]).toEqual([304, 200]);
  });

  it('are searched as they are now: another content gives another index', async () => {
    const search = { questionSet: 'pumps', configurations: [{ name: 'a', ...bm25 }] };
    await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: pumpQuestions } });
    await send(app, 'PUT', url, { body: { documents: pumpDocuments } });
    const before = await evaluate(app, search);
    await send(app, 'PUT', url, { body: { documents: pumpDocuments.slice(2) } });
    const after = await evaluate(app, search);

    // Only P3 is left, which answers q3 of three questions.
    expect(before.scorecard[0]?.measures['hit@3']).toBe(1);
    expect(after.scorecard[0]?.measures['hit@3']).toBeCloseTo(1 / 3, 12);
    expect(after.scorecard[0]?.questions.empty).toBe(2);
  });

  it('take one text for one paragraph, and filters read their metadata', async () => {
    const texts = [
      { id: 'A', title: 'Fuse', text: 'replace the fuse', metadata: { plant: ['north'] } },
      { id: 'B', title: 'Fuse', text: 'replace the fuse', metadata: { plant: ['south'] } },
    ];
    await send(app, 'PUT', url, { body: { documents: texts } });
    const questions = [{ id: 'q1', text: 'replace fuse', relevant: { B: 1 } }];
    await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions } });
    const south = [{ documentMetadata: [{ key: 'plant', value: ['south'] }] }];
    const { scorecard } = await evaluate(app, {
      questionSet: 'pumps',
      configurations: [
        { name: 'all', ...bm25 },
        { name: 'south', ...bm25, filters: south },
      ],
      measures: ['P@1'],
    });

    expect(scorecard.map((row) => row.measures['P@1'])).toEqual([0, 1]);
  });

  it('are whole when many replace them at once', async () => {
    const bodies = Array.from({ length: 8 }, (_, n) => ({
      documents: pumpDocuments.map((document) => ({ ...document, title: `Version ${n}` })),
    }));
    const answers = await Promise.all(bodies.map((body) => send(app, 'PUT', url, { body })));
    const read = await ask<{ documents: { title: string }[] }>(app, 'GET', url);

    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201]));
    expect(new Set(read.documents.map(({ title }) => title)).size).toBe(1);
  });

  it('are gone after DELETE', async () => {
    await send(app, 'PUT', url, { body: { documents: pumpDocuments } });
    const deleted = await app.inject({ method: 'DELETE', url });
    const gone = await app.inject(url);

    expect([deleted.statusCode, gone.statusCode]).toEqual([204, 404]);
  });
});
