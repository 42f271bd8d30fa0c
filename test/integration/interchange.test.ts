import { gunzipSync, gzipSync } from 'node:zlib';

import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { createTestApp, startService, type TestService } from '../helpers/app.ts';
import { ask, evaluate, send } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { bm25, pumpDocuments, pumpQuestions } from '../helpers/fixtures.ts';

const set = '/v1/question-sets/pumps';
const qrels = `${set}/qrels`;
const run = '/v1/runs/hana';
const csv = 'text/csv';
const tsv = 'text/tab-separated-values';
const trec = 'text/plain';
const json = 'application/json';
const ndjson = 'application/x-ndjson';

interface Problem {
  readonly detail: string;
  readonly errors?: readonly { pointer: string; line?: number; detail: string }[];
}

describe.each(databaseKinds)('interchange formats on %s', (kind) => {
  let app: FastifyInstance;
  beforeEach(async () => {
    app = await createTestApp({ databaseUrl: await createDatabase(kind) });
  });

  const read = (url: string, accept: string) => app.inject({ url, headers: { accept } });
  const put = (url: string, type: string, payload: string | Buffer, more = {}) =>
    app.inject({ method: 'PUT', url, payload, headers: { 'content-type': type, ...more } });

  it.each([
    [trec, 'q2 0 P2 0\nq2 0 P1 2\nq1 0 P2 2\n'],
    [csv, 'question,document,grade\nq2,P2,0\nq2,P1,2\nq1,P2,2\n'],
    [tsv, 'query-id\tcorpus-id\tscore\nq2\tP2\t0\nq2\tP1\t2\nq1\tP2\t2\n'],
    [json, '{"q2":{"P2":0,"P1":2},"q1":{"P2":2}}'],
  ])('take qrels as %s and give the same back, packed or not', async (type, text) => {
    const saved = await put(`${qrels}?create=true`, type, text);
    const packed = await put(qrels, type, gzipSync(text), { 'content-encoding': 'gzip' });
    const answer = await read(qrels, type);

    expect(saved.json()).toMatchObject({ version: 1, questions: 2, judgments: 3 });
    expect(packed.statusCode).toBe(200);
    expect(answer.headers['content-type']).toContain(type);
    expect(answer.headers['format-losses']).toContain('judges, times and notes');
    expect(answer.body).toBe(text);
  });

  it('change nothing when qrels go from form to form', async () => {
    await ask(app, 'PUT', set, { body: { questions: pumpQuestions } });
    const first = await read(qrels, csv);
    const again = await put(qrels, csv, first.body);
    const asJson = await put(qrels, json, (await read(qrels, json)).body);
    const asTsv = await put(qrels, tsv, (await read(qrels, tsv)).body);

    expect([again, asJson, asTsv].map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(again.json()).toMatchObject({ version: 1 });
  });

  it('keep any id in CSV and JSON, and say where another form cannot', async () => {
    const ids = ['two words', 'a,b', '"x"', '=1+1', 'tab\tid', 'line\nend'];
    const grades = Object.fromEntries(ids.map((id) => [id, 1]));
    await put(`${qrels}?create=true`, json, JSON.stringify({ 'q 1': grades }));
    const text = await read(qrels, csv);
    const same = await put(qrels, csv, text.body);
    const inTsv = await read(qrels, tsv);
    const inTrec = await read(qrels, trec);

    expect(text.body).toContain('\nq 1,=1+1,1\n');
    expect(same.statusCode).toBe(200);
    expect(inTsv.statusCode).toBe(406);
    expect(inTsv.json<Problem>().detail).toContain('quotation mark');
    expect(inTrec.json<Problem>().detail).toContain('white space');
  });

  it.each([
    [csv, 'question,document,score\nq1,b,2.5\nq1,a,1.5\nq2,x,-3e-7\n'],
    [trec, 'q1 Q0 b 1 2.5 hana\nq1 Q0 a 2 1.5 hana\nq2 Q0 x 1 -3e-7 hana\n'],
  ])('take runs as %s and give the same back', async (type, text) => {
    const saved = await put(run, type, text);
    const answer = await read(run, type);

    expect(saved.json()).toMatchObject({ questions: 2, hits: 3 });
    expect(answer.body).toBe(text);
    expect(answer.headers['format-losses']).toContain('unmapped ranks');
  });

  it('take runs in the form of ranx, even with a question called rankings', async () => {
    const ranx = { q1: { a: 1.5, b: 2.5 }, rankings: { d: 1 } };
    const saved = await put(run, json, JSON.stringify(ranx));
    const answer = await read(`${run}?format=ranx`, '*/*');
    const own = await ask<{ rankings: object }>(app, 'GET', run);
    const single = await put(run, json, '{"rankings":{"d":1}}');

    expect(saved.json()).toMatchObject({ questions: 2, hits: 3 });
    expect(answer.body).toBe('{"q1":{"b":2.5,"a":1.5},"rankings":{"d":1}}');
    expect(answer.headers['content-type']).toBe(json);
    expect(own.rankings).toMatchObject({ q1: [{ documentId: 'b' }, { documentId: 'a' }] });
    expect(single.json()).toMatchObject({ questions: 1, hits: 1 });
  });

  it('have one content hash for a run, whatever form it came in', async () => {
    const forms = [
      [trec, 'q1 Q0 a 9 1.5 t\nq2 Q0 x 9 1 t\nq1 Q0 b 9 2.5 t\n'],
      [csv, 'score,document,question\n1.5,a,q1\n2.5,b,q1\n1,x,q2\n'],
      [json, '{"q2":{"x":1},"q1":{"a":1.5,"b":2.5}}'],
      [
        json,
        '{"rankings":{"q1":[{"documentId":"a","score":1.5},{"documentId":"b","score":2.5}],"q2":[{"documentId":"x","score":1}]}}',
      ],
    ] as const;
    const first = await put(run, ...forms[0]);
    const others = [
      await put(run, ...forms[1]),
      await put(run, ...forms[2]),
      await put(run, ...forms[3]),
    ];

    expect(first.statusCode).toBe(201);
    expect(others.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  });

  it('order a CSV of ranks by rank', async () => {
    await put(run, csv, 'question,document,rank\nq1,second,2\nq1,first,1\n');
    const own = await ask<{ rankings: object }>(app, 'GET', run);

    expect(own.rankings).toEqual({
      q1: [
        { documentId: 'first', score: 1 },
        { documentId: 'second', score: 0.5 },
      ],
    });
  });

  it("write an evaluation's run in each form", async () => {
    await ask(app, 'PUT', set, { body: { questions: pumpQuestions } });
    await ask(app, 'PUT', '/v1/corpora/pumps', { body: { documents: pumpDocuments } });
    const { id } = await evaluate(app, {
      questionSet: 'pumps',
      configurations: [{ name: 'bm25', ...bm25 }],
      measures: ['RR'],
    });
    const url = `/v1/eval/${id}/runs/bm25`;
    const text = await read(url, csv);
    const ranx = await ask<Record<string, object>>(app, 'GET', `${url}?format=ranx`);
    await put(run, csv, text.body);
    const imported = await read(run, csv);

    expect(text.body).toMatch(/^question,document,score\nq1,P2,/);
    expect(Object.keys(ranx['q1'] ?? {})[0]).toBe('P2');
    expect(imported.body).toBe(text.body);
  });

  it('take the files of a BEIR collection and give them back', async () => {
    const corpus = [
      { _id: 'P1', title: 'Pump', text: 'Check the fuse.', metadata: { url: 'http://a', n: '2' } },
      { _id: 'P2', title: '', text: 'Oil.', metadata: { tags: ['a', 'b'] } },
    ].map((line) => `${JSON.stringify(line)}\n`);
    const queries = '{"_id":"q1","text":"fuse"}\n{"_id":"q2","text":"oil"}\n';
    const judged = 'query-id\tcorpus-id\tscore\nq1\tP1\t1\n';
    const stored = await put('/v1/corpora/pumps?format=beir', ndjson, corpus.join(''));
    const texts = await put(`${set}?format=beir`, ndjson, queries);
    const grades = await put(qrels, tsv, judged);
    const again = await put(`${set}?format=beir`, ndjson, queries);
    const back = await Promise.all([
      app.inject('/v1/corpora/pumps?format=beir'),
      app.inject(`${set}?format=beir`),
      read(qrels, tsv),
    ]);

    expect(stored.json()).toMatchObject({ documents: 2 });
    expect(texts.json()).toMatchObject({
      questions: 2,
      warnings: [{ code: 'unlabelled-questions', questions: 2 }],
    });
    expect(grades.json()).toMatchObject({
      version: 2,
      warnings: [{ code: 'unlabelled-questions', questions: 1 }],
    });
    expect(again.json()).toMatchObject({ version: 2 });
    expect(back.map(({ body }) => body)).toEqual([corpus.join(''), queries, judged]);
    expect(back.every(({ headers }) => headers['format-losses'] !== undefined)).toBe(true);
  });

  it('keep the attributes of questions whose texts BEIR changes, and say what is dropped', async () => {
    await ask(app, 'PUT', set, { body: { questions: pumpQuestions } });
    const queries = '{"_id":"q1","text":"new text","metadata":{"a":1}}\n{"_id":"q4","text":"t"}\n';
    const saved = await put(`${set}?format=beir`, ndjson, queries);
    const { questions } = await ask<{ questions: object[] }>(app, 'GET', set);

    expect(saved.json()).toMatchObject({ warnings: [{ code: 'dropped-metadata', questions: 1 }] });
    expect(questions).toEqual([
      { ...pumpQuestions[0], text: 'new text' },
      { ...pumpQuestions[3], text: 't' },
    ]);
  });
});

describe('bad files of interchange formats', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ maxBodyBytes: 20_000 });
    await ask(service.app, 'PUT', set, { body: { questions: pumpQuestions } });
  });
  afterAll(() => service.close());

  it.each([
    ['CSV with another header', csv, 'q,d,g\nq1,P1,1', 1],
    ['CSV with a column too many', csv, 'question,document,grade\nq1,P1,1\nq2,P1,1,x', 3],
    ['CSV with an open quotation mark', csv, 'question,document,grade\nq1,"P1,1', 2],
    ['CSV with a grade of 101', csv, 'question,document,grade\nq1,P1,101', 2],
    ['CSV with a document twice', csv, 'question,document,grade\nq1,P1,1\nq2,P1,1\nq1,P1,2', 4],
    ['CSV with an unknown question', csv, 'question,document,grade\nq1,P1,1\nq9,P1,1', 3],
    ['CSV with a header alone', csv, 'question,document,grade\n', undefined],
    ['CSV with nothing', csv, '', undefined],
    ['TREC with a document twice', trec, 'q1 0 P1 1\nq1 0 P1 2', 2],
    ['a run of MS MARCO', tsv, 'q1\tP1\t1\nq1\tP2\t2\nq1\tP3\t3\n', 1],
    ['BEIR with blanks', tsv, 'query-id\tcorpus-id\tscore\nq1 P1 1\n', 2],
  ])('qrels as %s are refused with the line', async (_name, type, body, line) => {
    const answer = await send(service.app, 'PUT', qrels, { body, type });
    const after = await ask<{ version: number }>(service.app, 'GET', set);

    expect(answer.statusCode).toBe(400);
    expect(answer.json<Problem>().errors?.[0]?.line).toBe(line);
    expect(after.version).toBe(1);
  });

  it.each([
    ['a grade of 0.5', { q1: { P1: 0.5 } }, '/body/q1/P1'],
    ['a list', { q1: ['P1'] }, '/body/q1'],
    ['nothing', {}, '/body'],
    ['an unknown question', { 'q/9': { P1: 1 } }, '/body/q~19'],
    ['a grade for what has no answer', { q4: { P1: 1 } }, '/body/q4/P1'],
  ])('qrels as JSON with %s are refused with the place', async (_name, body, pointer) => {
    const answer = await send(service.app, 'PUT', qrels, { body });

    expect(answer.statusCode).toBe(400);
    expect(answer.json<Problem>().errors?.[0]?.pointer).toBe(pointer);
  });

  it.each([
    ['a score that is no number', 'question,document,score\nq1,a,high', 2],
    ['a rank of 0', 'question,document,rank\nq1,a,0', 2],
    ['a document twice', 'question,document,score\nq1,a,1\nq2,a,1\nq1,a,2', 4],
    ['text behind a quoted field', 'question,document,score\n"q1"x,a,1', 2],
  ])('a CSV run with %s is refused with the line', async (_name, body, line) => {
    const answer = await send(service.app, 'PUT', run, { body, type: csv });
    const after = await service.app.inject(run);

    expect(answer.statusCode).toBe(400);
    expect(answer.json<Problem>().errors?.[0]?.line).toBe(line);
    expect(after.statusCode).toBe(404);
  });

  it.each([
    ['a score that is text', { q1: { a: 'high' }, q2: { a: 'low' }, q3: { a: 'x' } }, '/body/q1/a'],
    ['a number', { q1: 1 }, '/body/q1'],
    ['nothing', {}, '/body/rankings'],
  ])('a ranx run with %s is refused with the place', async (_name, body, pointer) => {
    const answer = await send(service.app, 'PUT', run, { body });

    expect(answer.statusCode).toBe(400);
    expect(answer.json<Problem>().errors?.[0]?.pointer).toBe(pointer);
  });

  it.each([
    ['/v1/corpora/bad', '{"_id":"a","text":"t"}\n{"_id":"b","text":"t","metadata":{"x":{}}}', 2],
    ['/v1/corpora/bad', '{"_id":"a","text":"t"}\n{"_id":"a","text":"t"}', 2],
    ['/v1/question-sets/bad', '{"_id":"a","text":"t"}\n{"_id":"b","text":" "}', 2],
    ['/v1/question-sets/bad', '{"_id":"a","text":"t"}\n\n{"_id":"a","text":"t"}', 3],
    ['/v1/question-sets/bad', '{"id":"a","text":"t"}', 1],
  ])('BEIR lines for %s that cannot be taken are refused: %s', async (url, body, line) => {
    const answer = await send(service.app, 'PUT', `${url}?format=beir`, { body, type: ndjson });
    const after = await service.app.inject(url);

    expect(answer.statusCode).toBe(400);
    expect(answer.json<Problem>().errors?.[0]?.line).toBe(line);
    expect(after.statusCode).toBe(404);
  });

  it.each(['/v1/corpora/bad', set])('BEIR for %s comes as lines only', async (url) => {
    const answer = await send(service.app, 'PUT', `${url}?format=beir`, {
      body: { questions: pumpQuestions, documents: pumpDocuments },
    });

    expect([400, 415]).toContain(answer.statusCode);
  });

  it('CSV over the limit, packed or not, is refused as too large', async () => {
    const text = `question,document,grade\n${'q1,P1,1\n'.repeat(5000)}`;
    const packed = gzipSync(text);
    const headers = { 'content-type': csv, 'content-encoding': 'gzip' };
    const answers = [
      await send(service.app, 'PUT', qrels, { body: text, type: csv }),
      await service.app.inject({ method: 'PUT', url: qrels, headers, payload: packed }),
    ];

    expect(gunzipSync(packed).length).toBeGreaterThan(20_000);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([413, 413]);
  });

  it('CSV that is not UTF-8 is refused', async () => {
    const payload = Buffer.concat([
      Buffer.from('question,document,grade\nq1,'),
      Buffer.from([0xff]),
    ]);
    const headers = { 'content-type': csv };
    const answer = await service.app.inject({ method: 'PUT', url: qrels, headers, payload });

    expect(answer.json<Problem>().detail).toContain('UTF-8');
  });
});
