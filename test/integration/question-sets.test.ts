import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { ask, send } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { pumpQuestions } from '../helpers/fixtures.ts';

const url = '/v1/question-sets/pumps';

interface Saved {
  readonly version: number;
  readonly contentHash: string;
  readonly questions: number;
  readonly judgments: number;
}

interface JudgmentAnswer {
  readonly questionId: string;
  readonly documentId: string;
  readonly grade: number;
  readonly judge: string | null;
  readonly judgedAt: string;
  readonly documentVersion: string | null;
  readonly note: string | null;
}

describe.each(databaseKinds)('question sets on %s', (kind) => {
  let app: FastifyInstance;
  beforeEach(async () => {
    app = await createTestApp({ databaseUrl: await createDatabase(kind) });
  });

  const put = (questions: unknown, more: object = {}) =>
    send(app, 'PUT', url, { body: { questions, ...more } });

  it('are stored and come back as they went in', async () => {
    const saved = await put(pumpQuestions, { description: 'Pumps, made up' });
    const read = await ask<{ questions: unknown }>(app, 'GET', url);

    expect(saved.statusCode).toBe(201);
    expect(saved.json()).toMatchObject({
      name: 'pumps',
      version: 1,
      questions: 4,
      judgments: 4,
      warnings: [],
    });
    expect(read).toMatchObject({ name: 'pumps', version: 1, description: 'Pumps, made up' });
    expect(read.questions).toEqual(pumpQuestions);
  });

  it('make a version for each change and none for the same content', async () => {
    const first = await ask<Saved>(app, 'PUT', url, { body: { questions: pumpQuestions } });
    const same = await put(pumpQuestions.toReversed());
    const changed = await put([{ ...pumpQuestions[0], relevant: { P2: 1 } }]);
    const old = await ask<{ questions: unknown }>(app, 'GET', `${url}?version=1`);
    const latest = await ask<{ questions: unknown[] }>(app, 'GET', url);
    const versions = await ask<{ items: Saved[] }>(app, 'GET', `${url}/versions`);

    expect(same.statusCode).toBe(200);
    expect(same.json<Saved>()).toMatchObject({ version: 1, contentHash: first.contentHash });
    expect(changed.statusCode).toBe(201);
    expect(changed.json<Saved>()).toMatchObject({ version: 2, questions: 1, judgments: 1 });
    expect(old.questions).toEqual(pumpQuestions);
    expect(latest.questions).toEqual([{ ...pumpQuestions[0], relevant: { P2: 1 } }]);
    expect(versions.items.map(({ version, questions }) => [version, questions])).toEqual([
      [2, 1],
      [1, 4],
    ]);
  });

  it('go back to earlier content as a new version with the earlier hash', async () => {
    const first = await ask<Saved>(app, 'PUT', url, { body: { questions: pumpQuestions } });
    await put(pumpQuestions.slice(1));
    const third = await ask<Saved>(app, 'PUT', url, { body: { questions: pumpQuestions } });
    const read = await ask<{ questions: unknown }>(app, 'GET', url);

    expect(third).toMatchObject({ version: 3, contentHash: first.contentHash });
    expect(read.questions).toEqual(pumpQuestions);
  });

  it('travel as ndjson in both directions', async () => {
    const ndjson = `${pumpQuestions.map((question) => JSON.stringify(question)).join('\n')}\n\n`;
    const saved = await send(app, 'PUT', url, { body: ndjson, type: 'application/x-ndjson' });
    const read = await app.inject({ url, headers: { accept: 'application/x-ndjson' } });
    const asJson = await put(pumpQuestions);

    expect(saved.statusCode).toBe(201);
    expect(read.headers['content-type']).toBe('application/x-ndjson');
    const lines = read.body.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(pumpQuestions);
    expect(asJson.statusCode).toBe(200);
  });

  it('answer 304 to the tag of what has not changed', async () => {
    await put(pumpQuestions);
    const first = await app.inject(url);
    const etag = String(first.headers['etag']);
    const again = await app.inject({ url, headers: { 'if-none-match': etag } });
    const other = { accept: 'application/x-ndjson', 'if-none-match': etag };
    const ndjson = await app.inject({ url, headers: other });
    await put(pumpQuestions.slice(1));
    const changed = await app.inject({ url, headers: { 'if-none-match': etag } });

    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
    expect(ndjson.statusCode).toBe(200);
    expect(changed.statusCode).toBe(200);
  });

  it('are listed in pages', async () => {
    await ask(app, 'PUT', '/v1/question-sets/b', { body: { questions: pumpQuestions } });
    await ask(app, 'PUT', '/v1/question-sets/a', { body: { questions: pumpQuestions } });
    await ask(app, 'PUT', '/v1/question-sets/B', { body: { questions: pumpQuestions } });
    interface Page {
      items: { name: string }[];
      nextCursor: string | null;
    }

    const first = await ask<Page>(app, 'GET', '/v1/question-sets?limit=2');
    const second = await ask<Page>(
      app,
      'GET',
      `/v1/question-sets?limit=2&cursor=${first.nextCursor}`,
    );

    expect(first.items.map(({ name }) => name)).toEqual(['B', 'a']);
    expect(second.items.map(({ name }) => name)).toEqual(['b']);
    expect(second.nextCursor).toBeNull();
  });

  it('take judgments as a new version and say who judged', async () => {
    await put(pumpQuestions);
    const judgments = [
      { questionId: 'q1', documentId: 'P1', grade: 0, note: 'another fault', documentVersion: '7' },
      { questionId: 'q2', documentId: 'P2', grade: 1 },
      { questionId: 'q3', documentId: 'P3', grade: 1 },
    ];
    const saved = await send(app, 'POST', `${url}/judgments`, {
      body: { judge: 'm.keller', judgments },
    });
    const again = await send(app, 'POST', `${url}/judgments`, {
      body: { judge: 'm.keller', judgments },
    });
    const listed = await ask<{ items: JudgmentAnswer[] }>(app, 'GET', `${url}/judgments`);
    const pairs = listed.items.map((item) => [
      item.questionId,
      item.documentId,
      item.grade,
      item.judge,
    ]);
    const before = await ask<{ questions: unknown }>(app, 'GET', `${url}?version=1`);

    expect(saved.statusCode).toBe(201);
    const counts = { name: 'pumps', version: 2, warnings: [] };
    expect(saved.json()).toEqual({ ...counts, added: 1, changed: 1, unchanged: 1 });
    expect(again.statusCode).toBe(200);
    expect(again.json()).toEqual({ ...counts, added: 0, changed: 0, unchanged: 3 });
    expect(pairs).toEqual([
      ['q1', 'P2', 2, null],
      ['q1', 'P1', 0, 'm.keller'],
      ['q2', 'P1', 2, null],
      ['q2', 'P2', 1, 'm.keller'],
      ['q3', 'P3', 1, 'm.keller'],
    ]);
    expect(listed.items[1]).toMatchObject({ note: 'another fault', documentVersion: '7' });
    expect(before.questions).toEqual(pumpQuestions);
  });

  it('page through judgments in the middle of a question', async () => {
    await put(pumpQuestions);
    interface Page {
      items: JudgmentAnswer[];
      nextCursor: string | null;
    }
    const first = await ask<Page>(app, 'GET', `${url}/judgments?limit=2`);
    const cursor = `${url}/judgments?limit=2&cursor=${first.nextCursor}`;
    const second = await ask<Page>(app, 'GET', cursor);
    const pairs = [...first.items, ...second.items].map(({ questionId, documentId }) => [
      questionId,
      documentId,
    ]);

    expect(pairs).toEqual([
      ['q1', 'P2'],
      ['q2', 'P1'],
      ['q2', 'P2'],
      ['q3', 'P3'],
    ]);
    expect(second.nextCursor).toBeNull();
  });

  it('page through the version that the first page was read from, whatever is added meanwhile', async () => {
    await put(pumpQuestions);
    interface Page {
      items: JudgmentAnswer[];
      nextCursor: string | null;
    }
    const first = await ask<Page>(app, 'GET', `${url}/judgments?limit=1`);
    const added = { questionId: 'q1', documentId: 'P9', grade: 1 };
    await ask(app, 'POST', `${url}/judgments`, { body: { judge: 'jo', judgments: [added] } });
    const rest = await ask<Page>(app, 'GET', `${url}/judgments?cursor=${first.nextCursor}`);
    await app.inject({ method: 'DELETE', url });
    await put(pumpQuestions);
    const gone = await app.inject(`${url}/judgments?cursor=${first.nextCursor}`);

    expect([...first.items, ...rest.items].map(({ documentId }) => documentId)).toEqual([
      'P2',
      'P1',
      'P2',
      'P3',
    ]);
    expect(gone.statusCode).toBe(400);
  });

  it('keep judge and note of a grade that a later PUT repeats', async () => {
    await put(pumpQuestions);
    const verdict = { questionId: 'q1', documentId: 'P1', grade: 0, note: 'seen twice' };
    await ask(app, 'POST', `${url}/judgments`, { body: { judge: 'jo', judgments: [verdict] } });
    const [first, ...others] = pumpQuestions;
    const texts = { ...first, text: 'pump drips', relevant: { P2: 1, P1: 0 } };
    await ask(app, 'PUT', url, { body: { questions: [texts, ...others] } });
    const listed = await ask<{ items: JudgmentAnswer[] }>(app, 'GET', `${url}/judgments`);

    expect(listed.items.slice(0, 2)).toMatchObject([
      { documentId: 'P2', grade: 1, judge: null },
      { documentId: 'P1', grade: 0, judge: 'jo', note: 'seen twice' },
    ]);
  });

  it('take and give TREC qrels', async () => {
    await put(pumpQuestions);
    const qrels = 'q1 0 P1 0\r\nq1\t0\tP2 1\n\nq3 0 P3 2\n';
    const saved = await send(app, 'PUT', `${url}/qrels`, { body: qrels, type: 'text/plain' });
    const read = await app.inject(`${url}/qrels`);

    expect(saved.statusCode).toBe(201);
    expect(saved.json()).toMatchObject({ version: 2, judgments: 5 });
    expect(read.body).toBe('q1 0 P1 0\nq1 0 P2 1\nq2 0 P1 2\nq2 0 P2 0\nq3 0 P3 2\n');
  });

  it('are made from qrels when asked, with ids as texts', async () => {
    const qrels = 'a 0 P1 1\nb 0 P2 0\n';
    const refused = await send(app, 'PUT', `${url}/qrels`, { body: qrels, type: 'text/plain' });
    const saved = await send(app, 'PUT', `${url}/qrels?create=true`, {
      body: qrels,
      type: 'text/plain',
    });
    const read = await ask<{ questions: unknown }>(app, 'GET', url);

    expect(refused.statusCode).toBe(404);
    expect(saved.statusCode).toBe(201);
    expect(saved.json()).toMatchObject({
      warnings: [{ code: 'no-relevant-document', questions: 1 }],
    });
    expect(read.questions).toEqual([
      { id: 'a', text: 'a', relevant: { P1: 1 } },
      { id: 'b', text: 'b', relevant: { P2: 0 } },
    ]);
  });

  it.each(['application/json', 'application/x-ndjson'])(
    'may come without judgments as %s, and a warning names what that means',
    async (type) => {
      const questions = [
        { id: 'q1', text: 'not judged yet' },
        { id: 'q2', text: 'not judged yet either', relevant: {} },
        { id: 'q3', text: 'judged only 0', relevant: { P1: 0, P2: -1 } },
        { id: 'q4', text: 'nothing answers it', answerable: false },
        { id: 'q5', text: 'nothing answers it', answerable: false, relevant: { P1: 0 } },
        { id: 'q6', text: 'labelled', relevant: { P1: 1 } },
      ];
      const lines = questions.map((question) => JSON.stringify(question)).join('\n');
      const body = type === 'application/json' ? { questions } : lines;
      const saved = await send(app, 'PUT', url, { body, type });
      const again = await send(app, 'PUT', url, { body, type });
      const read = await ask<{ questions: unknown }>(app, 'GET', url);
      const warnings = [
        { code: 'no-relevant-document', questions: 1, message: expect.stringContaining('q3') },
        { code: 'unlabelled-questions', questions: 2, message: expect.stringContaining('q1, q2') },
      ];

      expect(saved.statusCode).toBe(201);
      expect(saved.json()).toMatchObject({ questions: 6, judgments: 4, warnings });
      expect(again.statusCode).toBe(200);
      expect(again.json()).toMatchObject({ version: 1, warnings });
      expect(read.questions).toEqual([
        questions[0],
        { id: 'q2', text: 'not judged yet either' },
        ...questions.slice(2),
      ]);
    },
  );

  it('take labels after the questions, as judgments or as qrels', async () => {
    const questions = [
      { id: 'q1', text: 'first' },
      { id: 'q2', text: 'second' },
      { id: 'q3', text: 'third' },
    ];
    await put(questions);
    const judgments = [{ questionId: 'q1', documentId: 'P1', grade: 2 }];
    const judged = await send(app, 'POST', `${url}/judgments`, {
      body: { judge: 'jo', judgments },
    });
    const qrels = await send(app, 'PUT', `${url}/qrels`, {
      body: 'q2 0 P2 0\n',
      type: 'text/plain',
    });
    const read = await ask<{ questions: unknown }>(app, 'GET', url);

    expect(judged.json()).toMatchObject({ version: 2, added: 1 });
    expect(qrels.json()).toMatchObject({
      version: 3,
      warnings: [
        { code: 'no-relevant-document', questions: 1, message: expect.stringContaining('q2') },
        { code: 'unlabelled-questions', questions: 1, message: expect.stringContaining('q3') },
      ],
    });
    expect(read.questions).toEqual([
      { ...questions[0], relevant: { P1: 2 } },
      { ...questions[1], relevant: { P2: 0 } },
      questions[2],
    ]);
  });

  it('are gone after DELETE, and a new set of the name never reuses a version that is still read', async () => {
    await put(pumpQuestions);
    const deleted = await app.inject({ method: 'DELETE', url });
    const gone = await app.inject(url);
    const again = await app.inject({ method: 'DELETE', url });
    const anew = await put(pumpQuestions);

    expect([deleted.statusCode, gone.statusCode, again.statusCode]).toEqual([204, 404, 404]);
    expect(anew.json()).toMatchObject({ version: 1 });
  });

  it('lose no version when two write at once', async () => {
    const sets = Array.from({ length: 8 }, (_, index) => [
      { id: 'q1', text: `text ${index}`, relevant: { P1: 1 } },
    ]);
    const saved = await Promise.all(sets.map((questions) => put(questions)));
    const versions = saved.map((answer) => answer.json<Saved>().version);

    expect(versions.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});
