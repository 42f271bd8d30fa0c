import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startService, type TestService } from '../helpers/app.ts';
import { ask, evaluate, send } from '../helpers/client.ts';

interface Saved {
  readonly questions: number;
  readonly judgments: number;
  readonly added: number;
  readonly changed: number;
  readonly dropped: number;
  readonly warnings: readonly { readonly code: string }[];
}

interface Problem {
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

let service: TestService;
let app: FastifyInstance;
beforeAll(async () => {
  service = await startService();
  app = service.app;
});
afterAll(() => service.close());

const csv = 'text/csv';
const tsv = 'text/tab-separated-values';
const ndjson = 'application/x-ndjson';
const json = 'application/json';
const trec = 'text/plain';
let made = 0;
const nextName = () => `kind${(made += 1)}`;

const put = (url: string, type: string, payload: string) =>
  app.inject({ method: 'PUT', url, payload, headers: { 'content-type': type } });
const readGrades = async (name: string) =>
  (await app.inject({ url: `/v1/question-sets/${name}/qrels`, headers: { accept: csv } })).body
    .trim()
    .split('\n')
    .slice(1);

/** Creates a question set of qrels and returns the answer with the grades that are stored. */
async function putQrels(type: string, text: string, name = nextName()) {
  const answer = await put(`/v1/question-sets/${name}/qrels?create=true`, type, text);
  return { name, answer, grades: answer.statusCode < 300 ? await readGrades(name) : [] };
}

describe('whole numbers written as fractions', () => {
  it.each([
    ['CSV', csv, 'question,document,grade\nq1,d1,1.0\nq1,d2,0.0\n'],
    ['CSV with decimal commas', csv, 'question;document;grade\nq1;d1;1,0\nq1;d2;0,0\n'],
    ['TREC', trec, 'q1 0 d1 1.0\nq1 0 d2 0.\n'],
    [
      'ndjson of texts',
      ndjson,
      '{"qid":"q1","doc":"d1","grade":"1.000"}\n{"qid":"q1","doc":"d2","grade":"0.0"}\n',
    ],
    ['JSON of ranx', json, '{"q1":{"d1":1.0,"d2":0.0}}'],
    [
      'Elasticsearch',
      json,
      '{"requests":[{"id":"q1","ratings":[{"_id":"d1","rating":1.0},{"_id":"d2","rating":0.0}]}]}',
    ],
    ['learning to rank', trec, '1.0 qid:q1 # d1\n0.0 qid:q1 # d2\n'],
    ['MS MARCO', tsv, 'q1\td1\t1.0\nq1\td2\t0.0\n'],
  ])('are grades: %s', async (_form, type, text) => {
    const { answer, grades } = await putQrels(type, text);

    expect(answer.statusCode).toBe(201);
    expect(grades).toEqual(['q1,d1,1', 'q1,d2,0']);
  });
});

describe('a judgment that stands twice with one grade', () => {
  it.each([
    ['CSV', csv, 'question,document,grade\nq1,d1,1\nq2,d3,1\nq1,d1,1\n'],
    ['CSV, once as a fraction', csv, 'question,document,grade\nq1,d1,1\nq1,d1,1.0\nq2,d3,1\n'],
    ['CSV, once with a blank', csv, 'question,document,grade\nq1,d1,1\nq1, d1,1\nq2,d3,1\n'],
    ['TREC', trec, 'q1 0 d1 1\nq2 0 d3 1\nq1 0 d1 1\n'],
    ['TREC with another iteration', trec, 'q1 0 d1 1\nq1 1 d1 1\nq2 0 d3 1\n'],
    [
      'MTEB',
      ndjson,
      '{"query-id":"q1","corpus-id":"d1","score":1}\n{"query-id":"q1","corpus-id":"d1","score":1}\n{"query-id":"q2","corpus-id":"d3","score":1}\n',
    ],
    [
      'Elasticsearch',
      json,
      '{"requests":[{"id":"q1","ratings":[{"_id":"d1","rating":1},{"_id":"d1","rating":1}]},{"id":"q2","ratings":[{"_id":"d3","rating":1}]}]}',
    ],
    ['learning to rank', trec, '1 qid:q1 # d1\n1 qid:q1 # d1\n1 qid:q2 # d3\n'],
  ])('counts once, with a warning: %s', async (_form, type, text) => {
    const { answer, grades } = await putQrels(type, text);
    const codes = answer.json<Saved>().warnings.map(({ code }) => code);

    expect(codes).toContain('repeated-judgments');
    expect(grades).toEqual(['q1,d1,1', 'q2,d3,1']);
  });
});

describe('queries of BEIR without metadata', () => {
  it.each([
    ['null', '{"_id":"q1","text":"valve stuck","metadata":null}'],
    ['absent', '{"_id":"q1","text":"valve stuck"}'],
    ['empty', '{"_id":"q1","text":"valve stuck","metadata":{}}'],
    [
      'null in one line, empty in another',
      '{"_id":"q1","text":"valve stuck","metadata":null}\n{"_id":"q2","text":"seal","metadata":{}}',
    ],
    ['before the text', '{"metadata":null,"_id":"q1","text":"valve stuck"}'],
    ['with CRLF', '{"_id":"q1","text":"valve stuck","metadata":null}\r\n'],
  ])('are taken: %s', async (_metadata, text) => {
    const name = nextName();
    const found = await put(`/v1/question-sets/${name}`, ndjson, text);
    const named = await put(`/v1/question-sets/${name}?format=beir`, ndjson, text);
    const { questions } = await ask<{ questions: object[] }>(
      app,
      'GET',
      `/v1/question-sets/${name}`,
    );

    expect([found.statusCode, named.statusCode]).toEqual([201, 200]);
    expect(questions[0]).toEqual({ id: 'q1', text: 'valve stuck' });
  });

  it('are like documents of BEIR without metadata', async () => {
    const text = '{"_id":"d1","title":"Valve","text":"Turn it.","metadata":null}\n';
    const answer = await put(`/v1/corpora/${nextName()}?format=beir`, ndjson, text);

    expect(answer.json()).toMatchObject({ documents: 1 });
  });
});

describe('a dataset of LlamaIndex', () => {
  const dataset = {
    queries: { u1: 'valve stuck' },
    corpus: { n1: 'Turn the valve.' },
    relevant_docs: { u1: ['n1'] },
  };
  it.each([
    ['with a mode', { ...dataset, mode: 'text' }, ['u1,n1,1']],
    ['without a mode', dataset, ['u1,n1,1']],
    ['without its corpus', { ...dataset, corpus: {} }, ['u1,n1,1']],
    [
      'with two documents',
      { ...dataset, relevant_docs: { u1: ['n1', 'n2'] } },
      ['u1,n1,1', 'u1,n2,1'],
    ],
    [
      'with a query without documents',
      { ...dataset, queries: { u1: 'valve', u2: 'seal' } },
      ['u1,n1,1'],
    ],
    ['with a document twice', { ...dataset, relevant_docs: { u1: ['n1', 'n1'] } }, ['u1,n1,1']],
  ])('is read %s', async (_form, body, grades) => {
    const name = nextName();
    const answer = await put(`/v1/question-sets/${name}`, json, JSON.stringify(body, null, 2));

    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ questions: Object.keys(body.queries).length });
    expect(await readGrades(name)).toEqual(grades);
  });

  it('names a query without a text by its id, with a warning', async () => {
    const body = { ...dataset, relevant_docs: { u1: ['n1'], u9: ['n1'] } };
    const name = nextName();
    const answer = await put(`/v1/question-sets/${name}`, json, JSON.stringify(body));

    expect(answer.json<Saved>().warnings.map(({ code }) => code)).toContain('no-question-text');
    expect(await readGrades(name)).toEqual(['u1,n1,1', 'u9,n1,1']);
  });
});

describe('labels of Azure', () => {
  const labels = [
    { document_id: 'A1', query_relevance_label: 4 },
    { document_id: 'A2', query_relevance_label: 0 },
  ];
  it.each([
    ['a list of one question', labels, '&question=valve'],
    ['a list of queries', [{ query: 'valve', retrieval_ground_truth: labels }], ''],
    ['one query', { query: 'valve', retrieval_ground_truth: labels }, ''],
    [
      'labels as texts',
      labels.map((each) => ({ ...each, query_relevance_label: `${each.query_relevance_label}.0` })),
      '&question=valve',
    ],
    [
      'with what was found',
      [
        {
          query: 'valve',
          retrieval_ground_truth: labels,
          retrieved_documents: [{ document_id: 'A9', relevance_score: 3 }],
        },
      ],
      '',
    ],
    ['a list of one document', labels, '&question=valve&format=azure'],
  ])('are read: %s', async (_form, body, query) => {
    const name = nextName();
    const url = `/v1/question-sets/${name}/qrels?create=true${query}`;
    const answer = await put(url, json, JSON.stringify(body));

    expect(answer.body).not.toContain('"errors"');
    expect(await readGrades(name)).toEqual(['valve,A1,4', 'valve,A2,0']);
  });

  it('need their question where they do not name it', async () => {
    const { answer } = await putQrels(json, JSON.stringify(labels));

    expect(answer.json<Problem>().detail).toContain('?question=');
  });
});

describe('a key twice in JSON', () => {
  it.each([
    ['judgments of ranx', '/v1/question-sets/twice/qrels?create=true', '{"q1":{"d1":3,"d1":0}}'],
    [
      'a question of ranx',
      '/v1/question-sets/twice/qrels?create=true',
      '{"q1":{"d1":3},"q1":{"d2":0}}',
    ],
    [
      'grades of a question',
      '/v1/question-sets/twice',
      '{"questions":[{"id":"q1","text":"a","relevant":{"d1":1,"d1":2}}]}',
    ],
    [
      'a field of a question',
      '/v1/question-sets/twice',
      '{"questions":[{"id":"q1","id":"q2","text":"a"}]}',
    ],
    ['scores of a run', '/v1/runs/twice', '{"q1":{"d1":3,"d1":0}}'],
    ['rankings of a run', '/v1/runs/twice', '{"rankings":{"q1":["a"],"q1":["b"]}}'],
    [
      'a concept of a lexicon',
      '/v1/corpora/twice',
      '{"documents":[{"id":"a","title":"b","text":"c"}],"lexicon":{"stopwords":[],"concepts":{"x":["a"],"x":["b"]}}}',
    ],
    [
      'a field of a configuration',
      '/v1/search-configurations/twice',
      '{"backend":"local","corpus":"a","method":"bm25","method":"vector"}',
    ],
  ])('is refused: %s', async (_what, url, text) => {
    const answer = await put(url, json, text);

    expect(answer.statusCode).toBe(400);
    expect(answer.json<Problem>().detail).toMatch(
      /has a key twice in one object at line 1, column \d+/,
    );
  });
});

describe('questions that score 0 or nothing', () => {
  // q1 has its document first. What else is there decides the mean.
  const found = 'q1 Q0 d1 1 1 t\nq2 Q0 d2 1 1 t\n';
  it.each([
    ['grade 0 only', { d2: 0 }, {}, 0.5, 1],
    ['negative grades only', { d2: -1, d3: -2 }, {}, 0.5, 1],
    ['several grades 0', { d2: 0, d3: 0, d4: 0 }, {}, 0.5, 1],
    ['judged later', {}, {}, 1, 1],
    ['without an answer', { d2: 0 }, { answerable: false }, 1, 1],
    ['relevant and not found', { d9: 2 }, {}, 0.5, 0.5],
  ])('are told apart: %s', async (_case, relevant, more, labelled, answerable) => {
    const name = nextName();
    const questions = [
      { id: 'q1', text: 'a', relevant: { d1: 1 } },
      { id: 'q2', text: 'b', relevant, ...more },
    ];
    await ask(app, 'PUT', `/v1/question-sets/${name}`, { body: { questions } });
    await put(`/v1/runs/${name}`, trec, found);
    const mean = async (average: string) => {
      const configurations = [{ name: 'a', backend: 'run', run: name }];
      const body = { questionSet: name, configurations, measures: ['RR'], average };
      return (await evaluate(app, body)).scorecard[0]?.measures['RR'];
    };

    expect(await mean('labelled')).toBe(labelled);
    expect(await mean('answerable')).toBe(answerable);
  });
});

describe('a second file of judgments', () => {
  const first = 'q1 0 a 2\nq1 0 b 1\nq1 0 c 0\nq2 0 z 1\n';
  const all = ['q1,a,2', 'q1,b,1', 'q1,c,0'];
  it.each([
    ['another document', csv, 'q1,d,1', '', { added: 1, dropped: 0 }, [...all, 'q1,d,1', 'q2,z,1']],
    [
      'the same grade again',
      csv,
      'q1,a,2',
      '',
      { added: 0, changed: 0, dropped: 0 },
      [...all, 'q2,z,1'],
    ],
    [
      'another grade for a pair',
      csv,
      'q1,a,1',
      '',
      { changed: 1, dropped: 0 },
      ['q1,a,1', 'q1,b,1', 'q1,c,0', 'q2,z,1'],
    ],
    [
      'a question that is not there',
      csv,
      'q3,a,1',
      '&create=true',
      { added: 1 },
      [...all, 'q2,z,1', 'q3,a,1'],
    ],
    [
      'told to merge',
      csv,
      'q1,d,1',
      '&judgments=merge',
      { added: 1, dropped: 0 },
      [...all, 'q1,d,1', 'q2,z,1'],
    ],
    [
      'told to replace',
      csv,
      'q1,d,1',
      '&judgments=replace',
      { added: 1, dropped: 3 },
      ['q1,d,1', 'q2,z,1'],
    ],
    [
      'told to show what would happen',
      csv,
      'q1,d,1',
      '&preview=true&judgments=replace',
      { dropped: 3 },
      [...all, 'q2,z,1'],
    ],
  ])('is merged unless told otherwise: %s', async (_case, type, row, query, counts, expected) => {
    const { name } = await putQrels(trec, first);
    const url = `/v1/question-sets/${name}/qrels?x${query}`.replace('?x&', '?').replace('?x', '');
    const answer = await put(url, type, `question,document,grade\n${row}\n`);

    expect(answer.json<Saved>()).toMatchObject(counts);
    expect((await readGrades(name)).toSorted()).toEqual([...expected].toSorted());
  });

  it('never overwrites a judge in silence', async () => {
    const { name } = await putQrels(trec, first);
    await ask(app, 'POST', `/v1/question-sets/${name}/judgments`, {
      body: { judge: 'anna', judgments: [{ questionId: 'q1', documentId: 'a', grade: 0 }] },
    });
    const answer = await send(app, 'PUT', `/v1/question-sets/${name}/qrels`, {
      body: 'q1 0 a 2\n',
      type: trec,
    });

    expect(answer.statusCode).toBe(409);
    expect(answer.json<Problem>().errors?.[0]?.detail).toContain('anna');
    expect(await readGrades(name)).toContain('q1,a,0');
  });
});
