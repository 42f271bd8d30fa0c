import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { ask, evaluate, send } from '../helpers/client.ts';
import { createDatabase } from '../helpers/databases.ts';

interface Saved {
  readonly questions: number;
  readonly judgments: number;
  readonly warnings: readonly { readonly code: string }[];
}

interface Problem {
  readonly detail: string;
  readonly errors?: readonly { pointer: string; line?: number; detail: string }[];
}

const csv = 'text/csv';
const ndjson = 'application/x-ndjson';
const trec = 'text/plain';
const set = '/v1/question-sets/office';
const qrels = `${set}/qrels`;

describe('files as people have them', () => {
  let app: FastifyInstance;
  beforeEach(async () => {
    app = await createTestApp({ databaseUrl: await createDatabase('sqlite') });
  });

  const put = (url: string, type: string, payload: string | Buffer) =>
    app.inject({ method: 'PUT', url, payload, headers: { 'content-type': type } });
  const readQrels = async () => (await app.inject({ url: qrels, headers: { accept: csv } })).body;

  it('score 1 once blanks around ids are gone', async () => {
    const saved = await put(
      `${qrels}?create=true`,
      csv,
      'question,document,grade\nq1, K-1,2\nq2,K-2 ,1\n',
    );
    await put('/v1/runs/mine', csv, 'question,document,score\nq1,K-1,0.9\nq2,K-2,0.8\n');
    const { scorecard } = await evaluate(app, {
      questionSet: 'office',
      configurations: [{ name: 'mine', backend: 'run', run: 'mine' }],
      measures: ['RR'],
    });

    expect(saved.json<Saved>().warnings.map(({ code }) => code)).toEqual(['trimmed-ids']);
    expect(scorecard[0]?.measures['RR']).toBe(1);
  });

  it('count an identical line once, with a warning', async () => {
    const saved = await put(
      `${qrels}?create=true`,
      'text/tab-separated-values',
      'query-id\tcorpus-id\tscore\nq1\td1\t1.0\nq1\td1\t1\nq2\td3\t1\n',
    );

    expect(saved.json()).toMatchObject({
      judgments: 2,
      warnings: [{ code: 'repeated-judgments' }],
    });
    expect(await readQrels()).toBe('question,document,grade\nq1,d1,1\nq2,d3,1\n');
  });

  it.each([
    ['CSV', csv, 'question,document,grade\nq1,d1,3\nq1,d1,0\n', 3],
    ['TREC', trec, 'q1 0 d1 3\nq2 0 d1 1\nq1 0 d1 0\n', 3],
    [
      'MTEB',
      ndjson,
      '{"query-id":"q1","corpus-id":"d1","score":3}\n{"query-id":"q1","corpus-id":"d1","score":0}\n',
      2,
    ],
    ['ranx', 'application/json', '{"q1":{"d1":3,"d1":0}}', 1],
    [
      'Elasticsearch',
      'application/json',
      '{"requests":[{"id":"q1","ratings":[{"_id":"d1","rating":3},{"_id":"d1","rating":0}]}]}',
      undefined,
    ],
    ['blanks', csv, 'question,document,grade\nq1,d1,3\nq1,d1 ,0\n', 3],
  ])('are refused with two grades for a pair (%s)', async (_name, type, text, line) => {
    const answer = await put(`${qrels}?create=true`, type, text);

    expect(answer.statusCode).toBe(400);
    expect(answer.json<Problem>().detail).toMatch(/two grades|a key twice/);
    expect(answer.json<Problem>().errors?.[0]?.line).toBe(line);
  });

  it('make a question without judgments of a row without a rating', async () => {
    const saved = await put(set, csv, 'question,document,grade\nvalve,A1,3\nseal,,\npump\n');
    const codes = saved.json<Saved>().warnings.map(({ code }) => code);

    expect(saved.json()).toMatchObject({ questions: 3, judgments: 1 });
    expect(codes).toEqual(['rows-without-grade', 'unlabelled-questions']);
  });

  it('give a set and a run from one file of Ragas', async () => {
    const text =
      '{"user_input":"valve stuck","retrieved_context_ids":["A9","A1"],"reference_context_ids":["A1"]}\n';
    const saved = await put(set, ndjson, text);
    const run = await put('/v1/runs/ragas', ndjson, text);
    const { scorecard } = await evaluate(app, {
      questionSet: 'office@1',
      configurations: [{ name: 'ragas', backend: 'run', run: 'ragas' }],
      measures: 'recip_rank',
    });

    expect([saved.statusCode, run.statusCode]).toEqual([201, 201]);
    expect(scorecard[0]?.measures['RR']).toBe(0.5);
  });

  it('in Windows-1252 are read when that is said, else refused with cause and line', async () => {
    const bytes = Buffer.from('question;document;grade\nPr\xfcfung;A1;3\n', 'latin1');
    const silent = await put(`${qrels}?create=true`, csv, bytes);
    const named = await put(`${qrels}?create=true&encoding=windows-1252`, csv, bytes);
    const inHeader = await put(`${qrels}?create=true`, `${csv}; charset=windows-1252`, bytes);

    expect(silent.statusCode).toBe(400);
    expect(silent.json<Problem>().errors?.[0]).toMatchObject({ line: 2 });
    expect(silent.json<Problem>().detail).toContain('?encoding=windows-1252');
    expect([named.statusCode, inHeader.statusCode]).toEqual([201, 200]);
    expect(await readQrels()).toContain('Prüfung,A1,3');
  });

  it('with fractions become grades as the request says', async () => {
    const refused = await put(`${qrels}?create=true`, trec, 'q1 0 d1 0.7\nq1 0 d2 0.25\n');
    const mapped = await put(
      `${qrels}?create=true&grades=0.5:1,0.8:2`,
      trec,
      'q1 0 d1 0.7\nq1 0 d2 0.25\n',
    );
    const wrong = await put(`${qrels}?grades=high`, trec, 'q1 0 d1 0.7\n');

    expect(refused.json<Problem>().detail).toContain('?grades=0.5:1,0.8:2');
    expect(mapped.json()).toMatchObject({ warnings: [{ code: 'mapped-grades' }] });
    expect(await readQrels()).toBe('question,document,grade\nq1,d1,1\nq1,d2,0\n');
    expect(wrong.json<Problem>().errors?.[0]?.pointer).toBe('/query/grades');
  });

  it('of two judges are merged', async () => {
    await put(`${qrels}?create=true`, trec, 'q1 0 a 2\nq1 0 b 1\nq1 0 c 0\nq2 0 z 1\n');
    const saved = await put(qrels, csv, 'question,document,grade\nq1,d,1\n');

    expect(saved.json()).toMatchObject({ judgments: 5, added: 1, dropped: 0 });
  });

  it('with questions keep judgments and attributes that they do not mention', async () => {
    await ask(app, 'PUT', set, {
      body: [{ id: 'q1', text: 'old', process: 'p2p', relevant: { A1: 2 } }],
    });
    await put(set, csv, 'id,text,kind\nq1,How do I free a stuck valve?,howto\n');
    const { questions } = await ask<{ questions: object[] }>(app, 'GET', set);

    expect(questions).toEqual([
      {
        id: 'q1',
        text: 'How do I free a stuck valve?',
        kind: 'howto',
        process: 'p2p',
        relevant: { A1: 2 },
      },
    ]);
  });

  it('are taken as one question where a list is expected', async () => {
    const answer = await send(app, 'PUT', set, { body: { id: 'q1', text: 'valve' } });

    expect(answer.json()).toMatchObject({ questions: 1 });
  });
});

describe('words of refusals', () => {
  let app: FastifyInstance;
  beforeEach(async () => {
    app = await createTestApp({ databaseUrl: await createDatabase('sqlite') });
  });

  it.each([
    ['/v1/evaluations', '/v1/eval'],
    ['/v1/evaluations/abc/report', '/v1/eval/abc/report'],
    ['/v1/questionsets/a', '/v1/question-sets/a'],
    ['/v1/corpus/a', '/v1/corpora/a'],
    ['/measures', '/v1/measures'],
    ['/v1/search_configurations', '/v1/search-configurations'],
  ])('%s points to %s', async (url, meant) => {
    const answer = await app.inject(url);

    expect(answer.statusCode).toBe(404);
    expect(answer.json<Problem>().detail).toContain(`; did you mean ${meant}?`);
  });

  it.each([
    [{ questionSet: 3, configurations: ['a'] }, '/body/questionSet', 'must be'],
    [
      { questionSet: 'a', configurations: [] },
      '/body/configurations',
      'must have at least 1 entry',
    ],
    [{ questionSet: 'a', configurations: ['a'], k: 0 }, '/body/k', 'must be at least 1'],
    [
      { questionSet: 'a', configurations: ['a'], k: 'ten' },
      '/body/k',
      'must be a number, for example 0.5, not a text',
    ],
    [
      { questionSet: 'a', configurations: ['a'], split: 'test' },
      '/body/split',
      'must be "tuning" or "held-out"',
    ],
    [
      { questionSet: 'a', configurations: ['a'], measures: ['nDCG@10'], k: 3 },
      '/body/k',
      'has one of',
    ],
  ])('of %j are plain', async (body, pointer, words) => {
    const answer = await send(app, 'POST', '/v1/eval', { body });
    const errors = answer.json<Problem>().errors ?? [];

    expect(answer.statusCode).toBe(400);
    expect(errors.map((error) => error.pointer).join(' ')).toContain(pointer);
    expect(errors.map(({ detail }) => detail).join(' ')).not.toMatch(/Invalid input|received/);
    expect(errors[0]?.detail).toContain(words);
  });

  it('take what can mean one thing only', async () => {
    await send(app, 'PUT', set, { body: [{ id: 'q1', text: 'a', relevant: { D1: 1 } }] });
    await send(app, 'PUT', '/v1/runs/mine', { body: { q1: ['D1'] } });
    const configurations = { name: 'mine', backend: 'run', run: 'mine' };
    const { scorecard } = await evaluate(app, { questionSet: 'office@1', configurations, k: 10 });

    expect(Object.keys(scorecard[0]?.measures ?? {}).toSorted()).toEqual(
      ['P@10', 'R@10', 'RR', 'hit@10', 'judged@10', 'nDCG@10'].toSorted(),
    );
  });
});

describe('answers as tables', () => {
  let app: FastifyInstance;
  let evaluation: string;
  beforeEach(async () => {
    app = await createTestApp({ databaseUrl: await createDatabase('sqlite') });
    await put(set, 'question,document,grade\n"=valve, stuck",A1,1\nseal,B1,1\n');
    await send(app, 'PUT', '/v1/runs/old', {
      body: { '=valve, stuck': ['X', 'A1'], seal: ['B1'] },
    });
    await send(app, 'PUT', '/v1/runs/new', {
      body: { '=valve, stuck': ['A1', 'Y'], seal: ['B1'] },
    });
    const configurations = ['old', 'new'].map((run) => ({ name: run, backend: 'run', run }));
    const body = { questionSet: 'office', configurations, measures: ['RR', 'hit@1'] };
    ({ id: evaluation } = await evaluate(app, body));
  });
  const put = (url: string, payload: string) =>
    app.inject({ method: 'PUT', url, payload, headers: { 'content-type': csv } });
  const post = (url: string, accept: string, payload: object) =>
    app.inject({ method: 'POST', url, payload, headers: { accept } });

  // RR of A1 at rank 2 is 0.5; A1 and B1 are judged, X and Y are not.
  it('have a row for each question and a column for each measure and configuration', async () => {
    const url = `/v1/eval/${evaluation}/questions`;
    const all = await app.inject({ url, headers: { accept: csv } });
    const one = await app.inject({ url: `${url}?configuration=old`, headers: { accept: csv } });
    const json = await app.inject(url);
    const row = `"=valve, stuck","'=valve, stuck"`;

    expect(all.headers['content-type']).toContain(csv);
    expect(all.body.split('\n')[0]).toBe(
      'questionId,question,RR old,hit@1 old,judged@1 old,RR new,hit@1 new,judged@1 new',
    );
    expect(all.body).toContain(`\n${row},0.5,0,0,1,1,1\nseal,seal,1,1,1,1,1,1\n`);
    expect(one.body).toContain(`\n${row},0.5,0,0\n`);
    expect(json.json<{ readonly total: number }>().total).toBe(2);
  });

  it('hold the pool, which is read again when grades are filled in', async () => {
    const pool = await post('/v1/pool', csv, { evaluation, depth: 2 });
    const graded = pool.body.replaceAll(/,\n/g, ',1\n');
    const saved = await put(qrels, graded);

    expect(pool.body.split('\n')[0]).toBe('questionId,question,documentId,title,snippet,grade');
    expect(pool.body.split('\n').filter((line) => line.startsWith('"=valve'))).toHaveLength(2);
    expect(saved.json()).toMatchObject({ judgments: 4, added: 2 });
  });

  it('hold comparisons as CSV and as Markdown', async () => {
    const body = { evaluation, baseline: 'old', candidate: 'new', measures: ['RR', 'hit@1'] };
    const table = await post('/v1/compare', csv, body);
    const text = await post('/v1/compare', 'text/markdown', body);

    expect(table.body.split('\n').slice(0, 2)).toEqual([
      'measure,baseline,candidate,questionId,question,baselineValue,candidateValue,difference,outcome',
      'RR,old,new,"=valve, stuck","\'=valve, stuck",0.5,1,0.5,win',
    ]);
    expect(table.body.trim().split('\n')).toHaveLength(5);
    expect(text.body).toContain('| new − old | RR | 2 | 0.7500 | 1.0000 | 0.2500 |');
  });

  it.each([
    ['GET', '/v1/eval', 'text/csv'],
    ['GET', '/v1/measures', 'application/xml'],
    ['GET', '/v1/question-sets', 'text/csv'],
    ['GET', '/v1/question-sets/office', 'text/html'],
    ['POST', '/v1/compare', 'image/png'],
  ] as const)('are refused with 406 where %s %s has no %s', async (method, url, accept) => {
    const answer = await app.inject({
      method,
      url,
      headers: { accept },
      ...(method === 'POST' && {
        payload: { evaluation, baseline: 'old', candidate: 'new', measure: 'RR' },
      }),
    });

    expect(answer.statusCode).toBe(406);
    expect(answer.json<Problem>().detail).toContain('Available as');
  });
});
