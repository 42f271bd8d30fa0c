import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startService, type TestService } from '../helpers/app.ts';
import { ask, send, type Answer } from '../helpers/client.ts';
import { bm25, pumpDocuments, pumpQuestions } from '../helpers/fixtures.ts';

interface Problem {
  readonly type: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly { pointer: string; line?: number; detail: string }[];
}

const questionSet = '/v1/question-sets/bad';
const ndjson = 'application/x-ndjson';
const question = { id: 'q1', text: 'a text', relevant: { D1: 1 } };
const evaluation = { questionSet: 'pumps', configurations: ['bm25'] };

describe('bad input', () => {
  // What is refused stores nothing, so that one service serves all.
  let service: TestService;
  let app: FastifyInstance;
  beforeAll(async () => {
    service = await startService({ maxBodyBytes: 20_000 });
    app = service.app;
    await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: pumpQuestions } });
    await ask(app, 'PUT', '/v1/corpora/pumps', { body: { documents: pumpDocuments } });
    await ask(app, 'PUT', '/v1/search-configurations/bm25', { body: bm25 });
  });
  afterAll(() => service.close());

  it.each([
    ['no text', [{ id: 'q1', text: ' ', relevant: { D1: 1 } }], '/body/questions/0/text'],
    ['no id', [{ text: 'a', relevant: { D1: 1 } }], '/body/questions/0/id'],
    ['a long id', [{ ...question, id: 'x'.repeat(513) }], '/body/questions/0/id'],
    ['two of an id', [question, question], '/body/questions/1/id'],
    ['a grade of 1.5', [{ ...question, relevant: { D1: 1.5 } }], '/body/questions/0/relevant/D1'],
    [
      'a grade of null',
      [{ ...question, relevant: { D1: Number.NaN } }],
      '/body/questions/0/relevant/D1',
    ],
    ['a grade of 101', [{ ...question, relevant: { D1: 101 } }], '/body/questions/0/relevant/D1'],
    ['a misspelt field', [{ ...question, relevent: {} }], '/body/questions/0/relevent'],
    ['another split', [{ ...question, split: 'test' }], '/body/questions/0/split'],
    [
      'a document both relevant and forbidden',
      [{ ...question, forbidden: ['D0', 'D1'] }],
      '/body/questions/0/forbidden/1',
    ],
    [
      'a relevant document for what has no answer',
      [{ ...question, answerable: false }],
      '/body/questions/0/relevant/D1',
    ],
    ['half a surrogate pair', [{ ...question, text: 'a\uD83D' }], '/body/questions/0/text'],
    ['a NUL', [{ ...question, relevant: { 'D\0': 1 } }], '/body/questions/0/relevant/D\0'],
    [
      'a slash in a key',
      [{ ...question, relevant: { 'a/b~c': 0.5 } }],
      '/body/questions/0/relevant/a~1b~0c',
    ],
    ['no list', 'none', '/body/questions'],
    ['an empty list', [], '/body/questions'],
  ])(
    'a question set with %s stores nothing and points at it',
    async (_name, questions, pointer) => {
      const answer = await send(app, 'PUT', questionSet, { body: { questions } });
      const after = await app.inject(questionSet);

      expectProblem(answer, 400, 'invalid-input');
      expect(answer.json<Problem>().errors?.map((error) => error.pointer)).toContain(pointer);
      expect(after.statusCode).toBe(404);
    },
  );

  it.each([
    ['broken JSON', '{"id": "q4", ', undefined],
    [
      'a field that is wrong',
      '{"id":"q4","text":"","relevant":{"D1":1}}',
      '/body/questions/3/text',
    ],
    ['an id of line 1', '{"id":"q1","text":"a","relevant":{"D1":1}}', '/body/questions/3/id'],
    [
      'a key that reaches a prototype',
      '{"id":"q4","text":"a","relevant":{"__proto__":1}}',
      undefined,
    ],
    ['an array', '[]', '/body/questions/3'],
  ])('ndjson with %s in line 4 names the line', async (_name, line, pointer) => {
    const good = [1, 2, 3].map((n) => JSON.stringify({ ...question, id: `q${n}` }));
    const body = [...good, line].join('\n');
    const answer = await send(app, 'PUT', questionSet, { body, type: ndjson });
    const after = await app.inject(questionSet);

    expectProblem(answer, 400, 'invalid-input');
    expect(answer.json<Problem>().errors?.[0]).toMatchObject({
      line: 4,
      pointer: pointer ?? '/body/questions/3',
    });
    expect(after.statusCode).toBe(404);
  });

  it('never repeats what stands in a broken body', async () => {
    const json = { 'content-type': 'application/json' };
    const payload = '{"questions":[{"id":"q1","text":"secret of the customer" oops';
    const answer = await app.inject({ method: 'PUT', url: questionSet, headers: json, payload });

    expectProblem(answer, 400, 'invalid-input');
    expect(answer.body).not.toContain('secret');
    expect(answer.json<Problem>().detail).toContain('line 1, column 58');
  });

  it('refuses bytes that are not UTF-8 instead of replacing them', async () => {
    const payload = Buffer.concat([
      Buffer.from('{"id":"q1","text":"'),
      Buffer.from([0xff]),
      Buffer.from('","relevant":{"D1":1}}'),
    ]);
    const headers = { 'content-type': ndjson };
    const answer = await app.inject({ method: 'PUT', url: questionSet, headers, payload });

    expectProblem(answer, 400, 'invalid-input');
    expect(answer.json<Problem>().errors).toMatchObject([{ line: 1 }]);
  });

  it.each([
    ['k = 0', { measures: ['P@0'] }, '/body/measures/0'],
    ['k = 1e9', { measures: ['RR', 'nDCG@1000000000'] }, '/body/measures/1'],
    ['an unknown measure', { measures: ['xrr@3'] }, '/body/measures/0'],
    ['a cut-off of 0', { cutoffs: [0] }, '/body/cutoffs/0'],
    ['a cut-off of 1e9', { cutoffs: [3, 1e9] }, '/body/cutoffs/1'],
    ['measures and cut-offs', { measures: ['RR'], cutoffs: [3] }, '/body/cutoffs'],
    ['an unknown configuration', { configurations: ['bm25', 'nope'] }, '/body/configurations/1'],
    [
      'one name twice',
      { configurations: ['bm25', { ...bm25, name: 'bm25' }] },
      '/body/configurations/1',
    ],
    [
      'an unknown corpus',
      { configurations: [{ ...bm25, name: 'a', corpus: 'nope' }] },
      '/body/configurations/0',
    ],
    [
      'a misspelt option of an inline configuration',
      { configurations: [{ ...bm25, name: 'a', methods: 'x' }] },
      '/body/configurations/0/methods',
    ],
    [
      'a wrong option of an inline configuration',
      { configurations: [{ ...bm25, name: 'a', method: 'magic' }] },
      '/body/configurations/0/method',
    ],
    ['no configuration', { configurations: [] }, '/body/configurations'],
    ['an unknown slice', { sliceBy: ['mood'] }, '/body/sliceBy/0'],
    ['a split without questions', { split: 'tuning' }, '/body/split'],
    ['a sample of 0', { sample: { size: 0 } }, '/body/sample/size'],
    ['a misspelt field', { measure: ['RR'] }, '/body/measure'],
  ])('an evaluation with %s is refused with a pointer', async (_name, change, pointer) => {
    const answer = await send(app, 'POST', '/v1/eval', { body: { ...evaluation, ...change } });
    const list = await ask<{ items: unknown[] }>(app, 'GET', '/v1/eval');

    expectProblem(answer, 400, 'invalid-input');
    expect(answer.json<Problem>().errors?.map((error) => error.pointer)).toContain(pointer);
    expect(list.items).toEqual([]);
  });

  it.each([
    ['an unknown backend', { backend: 'magic' }, '/body/backend'],
    ['an unknown field', { ...bm25, depht: 3 }, '/body/depht'],
    ['depth 0', { ...bm25, depth: 0 }, '/body/depth'],
    ['depth 1001', { ...bm25, depth: 1001 }, '/body/depth'],
    [
      'chunks of 0 words',
      { ...bm25, chunking: { strategy: 'fixed', size: 0 } },
      '/body/chunking/size',
    ],
    [
      'a count below 1',
      { ...bm25, filters: [{ searchConfiguration: { maxChunkCount: 0 } }] },
      '/body/filters/0/searchConfiguration/maxChunkCount',
    ],
    [
      'two filters of one id',
      { ...bm25, filters: [{ id: 'a' }, { id: 'a' }] },
      '/body/filters/1/id',
    ],
    [
      'a tree and a list',
      {
        ...bm25,
        filters: [{ documentMetadata: [], filter: { key: 'a', value: ['b'], scope: 'document' } }],
      },
      '/body/filters/0/filter',
    ],
    ['a tree of depth 6', { ...bm25, filters: [{ filter: nest(6) }] }, '/body/filters/0/filter'],
    [
      'a user without conditions',
      { ...bm25, users: { anna: {} } },
      '/body/users/anna/documentMetadata',
    ],
  ])('a search configuration with %s is refused', async (_name, body, pointer) => {
    const answer = await send(app, 'PUT', '/v1/search-configurations/bad', { body });

    expectProblem(answer, 400, 'invalid-input');
    expect(answer.json<Problem>().errors?.map((error) => error.pointer)).toContain(pointer);
  });

  it.each([
    ['five columns', 'q1 Q0 D1 1 0.5', 1],
    ['a score that is no number', 'q1 Q0 D1 1 0.5 t\nq1 Q0 D2 2 high t', 2],
    ['a document twice', 'q1 Q0 D1 1 0.5 t\nq2 Q0 D1 1 0.5 t\nq1 Q0 D1 2 0.4 t', 3],
    ['a long id', `q1 Q0 ${'x'.repeat(513)} 1 0.5 t`, 1],
    ['nothing', '\n\n', undefined],
  ])('a TREC run with %s is refused with its line', async (_name, body, line) => {
    const answer = await send(app, 'PUT', '/v1/runs/bad', { body, type: 'text/plain' });
    const after = await app.inject('/v1/runs/bad');

    expectProblem(answer, 400, 'invalid-input');
    expect(answer.json<Problem>().errors?.[0]?.line).toBe(line);
    expect(after.statusCode).toBe(404);
  });

  it.each([
    ['a question that is not there', 'q1 0 P1 1\nq9 0 P1 1', 2],
    ['a grade that is no number', 'q1 0 P1 good', 1],
    ['three columns', 'q1 P1 1', 1],
    ['a grade for what has no answer', 'q1 0 P1 1\nq4 0 P1 1', 2],
  ])('qrels with %s are refused with their line', async (_name, body, line) => {
    const url = '/v1/question-sets/pumps/qrels';
    const answer = await send(app, 'PUT', url, { body, type: 'text/plain' });
    const after = await ask<{ version: number }>(app, 'GET', '/v1/question-sets/pumps');

    expectProblem(answer, 400, 'invalid-input');
    expect(answer.json<Problem>().errors?.[0]?.line).toBe(line);
    expect(after.version).toBe(1);
  });

  it.each([
    [
      'a document twice',
      { q1: [{ documentId: 'D1' }, { documentId: 'D1' }] },
      '/body/rankings/q1/1/documentId',
    ],
    [
      'a score for some',
      { q1: [{ documentId: 'D1', score: 1 }, { documentId: 'D2' }] },
      '/body/rankings/q1',
    ],
    [
      'an infinite score',
      { q1: [{ documentId: 'D1', score: Infinity }] },
      '/body/rankings/q1/0/score',
    ],
  ])('a JSON run with %s is refused', async (_name, rankings, pointer) => {
    const answer = await send(app, 'PUT', '/v1/runs/bad', { body: { rankings } });

    expectProblem(answer, 400, 'invalid-input');
    expect(answer.json<Problem>().errors?.map((error) => error.pointer)).toContain(pointer);
  });

  it.each([
    ['an unknown question', { questionId: 'q9', documentId: 'P1', grade: 1 }, 'questionId'],
    ['a grade for what has no answer', { questionId: 'q4', documentId: 'P1', grade: 1 }, 'grade'],
    ['a grade of 0.5', { questionId: 'q1', documentId: 'P1', grade: 0.5 }, 'grade'],
  ])('judgments with %s are refused whole', async (_name, judgment, field) => {
    const good = { questionId: 'q1', documentId: 'P3', grade: 1 };
    const body = { judge: 'jo', judgments: [good, judgment] };
    const answer = await send(app, 'POST', '/v1/question-sets/pumps/judgments', { body });
    const after = await ask<{ version: number }>(app, 'GET', '/v1/question-sets/pumps');

    expectProblem(answer, 400, 'invalid-input');
    expect(answer.json<Problem>().errors).toMatchObject([
      { pointer: `/body/judgments/1/${field}` },
    ]);
    expect(after.version).toBe(1);
  });

  it.each([
    [
      'both paragraphs and text',
      { id: 'a', title: 't', text: 'x', paragraphs: ['y'] },
      'paragraphs',
    ],
    ['neither', { id: 'a', title: 't' }, 'paragraphs'],
    [
      'metadata for another number of paragraphs',
      { id: 'a', title: 't', paragraphs: ['y'], chunkMetadata: [] },
      'chunkMetadata',
    ],
    [
      'metadata that is no list',
      { id: 'a', title: 't', text: 'x', metadata: { k: 'v' } },
      'metadata/k',
    ],
  ])('a document with %s is refused', async (_name, document, field) => {
    const answer = await send(app, 'PUT', '/v1/corpora/bad', { body: { documents: [document] } });

    expectProblem(answer, 400, 'invalid-input');
    expect(answer.json<Problem>().errors?.[0]?.pointer).toBe(`/body/documents/0/${field}`);
  });

  it('gives a body up that is wrong throughout, after so many faults', async () => {
    const questions = Array.from({ length: 1000 }, () => ({ id: 1 }));
    const answer = await send(app, 'PUT', questionSet, { body: { questions } });
    const grades = Object.fromEntries(Array.from({ length: 800 }, (_, n) => [`D${n}`, 0.5]));
    const line = JSON.stringify({ ...question, relevant: grades });
    const lines = await send(app, 'PUT', questionSet, { body: line, type: ndjson });

    expectProblem(answer, 400, 'invalid-input');
    expect(answer.json<Problem>().errors?.length).toBeLessThanOrEqual(100);
    expect(lines.json<Problem>().errors?.length).toBeLessThanOrEqual(100);
  });

  it('refuses another media type before reading', async () => {
    const answer = await send(app, 'PUT', questionSet, { body: '<xml/>', type: 'application/xml' });

    expectProblem(answer, 415, 'unsupported-media-type');
  });

  it('refuses lines where JSON is wanted', async () => {
    const answer = await send(app, 'POST', '/v1/eval', { body: '{}', type: 'text/plain' });

    expectProblem(answer, 415, 'unsupported-media-type');
  });

  it.each([
    [
      'application/json',
      JSON.stringify({ questions: [{ ...question, text: 'x'.repeat(30_000) }] }),
    ],
    [ndjson, `${JSON.stringify({ ...question, text: 'x'.repeat(5000) })}\n`.repeat(6)],
  ])('refuses a body over the limit as %s', async (type, payload) => {
    const headers = { 'content-type': type };
    const answer = await app.inject({ method: 'PUT', url: questionSet, headers, payload });
    const after = await app.inject(questionSet);

    expectProblem(answer, 413, 'body-too-large');
    expect(after.statusCode).toBe(404);
  });

  it('names the limit that a body is over', async () => {
    const payload = JSON.stringify({ ...evaluation, label: 'x'.repeat(20_000) });
    const headers = { 'content-type': 'application/json' };
    const answer = await app.inject({ method: 'POST', url: '/v1/eval', headers, payload });

    // 20,000 / 2^20.
    expect(answer.json<Problem>().detail).toContain('larger than the limit of 0.0191 MiB');
  });

  it('says which version a question set lacks', async () => {
    const answer = await app.inject('/v1/question-sets/pumps?version=9');

    expect(answer.json<Problem>().detail).toBe("Question set 'pumps' has no version 9");
  });

  it.each(['', 'null'])('says that a body is missing: %j', async (payload) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await app.inject({ method: 'POST', url: '/v1/eval', headers, payload });

    expect(answer.json<Problem>().errors).toEqual([
      { pointer: '/body', detail: 'is missing or null, and must be an object' },
    ]);
  });

  it('refuses JSON that is nested too deep', async () => {
    const payload = `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`;
    const headers = { 'content-type': 'application/json' };
    const answer = await app.inject({ method: 'POST', url: '/v1/eval', headers, payload });

    expectProblem(answer, 400, 'invalid-input');
  });

  it.each(['x'.repeat(200), '-a', 'a b', 'ä'])('refuses the name %s', async (name) => {
    const url = `/v1/question-sets/${encodeURIComponent(name)}`;
    const answer = await send(app, 'PUT', url, { body: { questions: [question] } });

    expect([400, 404]).toContain(answer.statusCode);
    expect(answer.headers['content-type']).toContain('application/problem+json');
  });

  it.each([
    ['GET', '/v1/question-sets?limit=0', 400],
    ['GET', '/v1/question-sets?limit=1001', 400],
    ['GET', '/v1/question-sets?limit=0x10', 400],
    ['GET', '/v1/question-sets?limit=1e2', 400],
    ['GET', '/v1/question-sets?limit=%2010', 400],
    ['GET', '/v1/question-sets?limit=', 400],
    ['GET', '/v1/question-sets?limit=1&limit=2', 400],
    ['GET', '/v1/question-sets/pumps?version=0x1', 400],
    ['GET', '/v1/trends?baseline=b&maxDrop=1e-2', 400],
    ['GET', '/v1/question-sets?size=3', 400],
    ['GET', '/v1/question-sets?cursor=AA', 400],
    ['GET', '/v1/eval?cursor=garbage', 400],
    ['GET', '/v1/corpora/pumps?version=1', 400],
    ['PUT', '/v1/question-sets/x', 400],
    ['PUT', '/v1/corpora/x', 400],
    ['PUT', '/v1/runs/x', 400],
    ['PUT', '/v1/question-sets/pumps/qrels', 400],
    ['GET', '/v1/%zz', 400],
    ['GET', '/v1/question-sets/pumps/versions?cursor=%21', 400],
    ['GET', '/v1/question-sets/pumps/judgments?cursor=%21', 400],
    ['GET', '/v1/question-sets/pumps?version=0', 400],
    ['GET', '/v1/question-sets/pumps?version=9', 404],
    ['GET', '/v1/question-sets/nope', 404],
    ['GET', '/v1/question-sets/nope/judgments', 404],
    ['GET', '/v1/corpora/nope', 404],
    ['DELETE', '/v1/corpora/nope', 404],
    ['GET', '/v1/search-configurations/nope', 404],
    ['DELETE', '/v1/search-configurations/nope', 404],
    ['GET', '/v1/runs/nope', 404],
    ['DELETE', '/v1/runs/nope', 404],
    ['GET', '/v1/eval/nope', 404],
    ['GET', '/v1/eval/nope/report', 404],
    ['GET', '/v1/eval/nope/questions?configuration=a', 404],
    ['GET', '/v1/eval/nope/runs/a', 404],
    ['DELETE', '/v1/eval/nope', 404],
    ['POST', '/v1/eval/nope/cancel', 404],
    ['POST', '/v1/eval/nope/rescore', 404],
    ['GET', '/nowhere', 404],
  ] as const)('%s %s answers %i as a problem', async (method, url, status) => {
    const answer = await app.inject({ method, url });

    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toContain('application/problem+json');
  });

  it.each([
    ['DELETE', '/v1/compare', 'POST'],
    ['PATCH', '/v1/eval/e1/questions', 'GET, HEAD'],
    ['POST', '/v1/question-sets/pumps?x=1', 'DELETE, GET, HEAD, PUT'],
    ['PUT', '/openapi.json', 'GET, HEAD'],
  ] as const)('%s %s answers 405 and names what is allowed', async (method, url, allow) => {
    const answer = await app.inject({ method, url });

    expectProblem(answer, 405, 'method-not-allowed');
    expect(answer.headers['allow']).toBe(allow);
  });

  it('ignores preferences that it does not know, however long', async () => {
    const prefer = `handling=lenient; x="${'y'.repeat(300)}", wait=1`;
    const answer = await send(app, 'POST', '/v1/eval/nope/rescore', { headers: { prefer } });

    expectProblem(answer, 404, 'not-found');
  });

  it('answers 406 where nothing fits', async () => {
    const headers = { accept: 'image/png' };
    const answer = await app.inject({ url: '/v1/question-sets/pumps', headers });

    expectProblem(answer, 406, 'not-acceptable');
  });

  it.each([
    ['measures', { measures: ['x'] }, '/body/measures/0'],
    ['both forms', { measure: 'RR', measures: ['RR'] }, '/body/measure'],
    ['no candidate', { measure: 'RR', candidate: undefined }, '/body/candidate'],
    ['a side without evaluation', { measure: 'RR', evaluation: undefined }, '/body/baseline'],
    ['a seed of -1', { measure: 'RR', seed: -1 }, '/body/seed'],
    ['a confidence of 1', { measure: 'RR', confidence: 1 }, '/body/confidence'],
  ])('a comparison with wrong %s is refused', async (_name, change, pointer) => {
    const base = { evaluation: 'e', baseline: 'a', candidate: 'b' };
    const answer = await send(app, 'POST', '/v1/compare', { body: { ...base, ...change } });

    expectProblem(answer, 400, 'invalid-input');
    expect(answer.json<Problem>().errors?.map((error) => error.pointer)).toContain(pointer);
  });
});

function expectProblem(answer: Answer, status: number, code: string): void {
  expect(answer.statusCode).toBe(status);
  expect(answer.headers['content-type']).toContain('application/problem+json');
  expect(answer.json<Problem>()).toMatchObject({
    type: `urn:problem:grounding-eval:${code}`,
    status,
  });
}

function nest(depth: number): object {
  const leaf = { key: 'a', value: ['b'], scope: 'document' };
  return depth === 0 ? leaf : { operator: 'and', left: nest(depth - 1), right: leaf };
}
