import { XMLParser } from 'fast-xml-parser';
import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { RetrieverError } from '../../src/errors.ts';
import type { RetrieverRegistry } from '../../src/retrieval/registry.ts';
import { createTestApp, startService } from '../helpers/app.ts';
import { ask, evaluate, send, type EvaluationAnswer } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { bm25, hybrid, pumpDocuments, pumpLexicon, pumpQuestions } from '../helpers/fixtures.ts';
import { noCost } from '../../src/model/outcome.ts';

interface QuestionAnswer {
  readonly id: string;
  readonly status: string;
  readonly measures: Record<string, number>;
  readonly error?: { readonly code: string; readonly detail: string };
  readonly leaks: readonly string[];
  readonly ranking: readonly {
    readonly documentId: string | null;
    readonly rank: number;
    readonly score: number | null;
    readonly chunkId: string | null;
    readonly grade: number | null;
  }[];
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

const request = {
  questionSet: 'pumps',
  configurations: ['bm25', { name: 'both', ...hybrid }],
  measures: ['hit@1', 'P@1', 'R@3', 'RR', 'nDCG@3'],
  sliceBy: ['kind', 'tags'],
  label: 'first',
};

describe.each(databaseKinds)('POST /v1/eval on %s', (kind) => {
  let app: FastifyInstance;
  beforeEach(async () => {
    app = await createTestApp({ databaseUrl: await createDatabase(kind) });
    await putPumps(app);
  });

  it('answers 202 at once and the evaluation where it says', async () => {
    const accepted = await send(app, 'POST', '/v1/eval', { body: request });
    const { id } = accepted.json<{ id: string }>();
    const found = await ask<{ id: string; progress: { total: number } }>(
      app,
      'GET',
      `/v1/eval/${id}`,
    );

    expect(accepted.statusCode).toBe(202);
    expect(accepted.headers['location']).toBe(`/v1/eval/${id}`);
    expect(found).toMatchObject({ id, progress: { total: 8 } });
  });

  // By hand, bm25 over three documents: q1 "pump drips oil" finds P2 (pump, oil) before P1 (pump);
  // q2 "replace fuse" finds P1 (replace, fuse) before P2 (replace, judged 0);
  // q3 "who signs the protocol" finds P3 alone. All first, so hit, P@1 and RR are 1.
  it('scores every answerable question and names version and content', async () => {
    const evaluation = await evaluate(app, request);
    const [row] = evaluation.scorecard;

    expect(evaluation).toMatchObject({
      label: 'first',
      status: 'succeeded',
      progress: { done: 8, total: 8, failed: 0 },
      questionSet: { name: 'pumps', version: 1 },
      error: null,
    });
    expect(row).toMatchObject({
      configuration: 'bm25',
      backend: 'local',
      questions: { scored: 3, empty: 0, failed: 0, unanswerable: 1 },
      measures: { 'hit@1': 1, 'P@1': 1, 'R@3': 1, RR: 1, 'nDCG@3': 1, 'judged@1': 1 },
      usage: { searches: 4, searchAttempts: 4, pairsReranked: 0, modelCalls: 0 },
      failures: [],
      leaks: { questions: 0, documents: 0 },
    });
    expect(row?.measures['judged@3']).toBeCloseTo((1 / 2 + 1 + 1) / 3, 12);
    expect(row?.latencyMs?.['p95']).toBeGreaterThanOrEqual(row?.latencyMs?.['p50'] ?? Infinity);
  });

  it('slices by what questions carry', async () => {
    const { scorecard } = await evaluate(app, request);

    expect(scorecard[0]?.slices).toMatchObject({
      kind: {
        mixed: { questions: 2, measures: { RR: 1 } },
        policy: { questions: 1, measures: { RR: 1 } },
      },
      tags: { a: { questions: 1 }, b: { questions: 2 }, '(none)': { questions: 1 } },
    });
  });

  it('lists each question with its ranking and grades', async () => {
    const { id } = await evaluate(app, request);
    const url = `/v1/eval/${id}/questions?configuration=bm25`;
    const page = await ask<Page<QuestionAnswer>>(app, 'GET', url);

    expect(page.items.map(({ id: question, status }) => [question, status])).toEqual([
      ['q1', 'scored'],
      ['q2', 'scored'],
      ['q3', 'scored'],
      ['q4', 'unanswerable'],
    ]);
    expect(page.items[1]).toMatchObject({
      measures: { RR: 1 },
      ranking: [
        { documentId: 'P1', rank: 1, chunkId: 'P1#0', grade: 2 },
        { documentId: 'P2', rank: 2, chunkId: 'P2#0', grade: 0 },
      ],
    });
    expect(page.items[0]?.ranking[1]).toMatchObject({ documentId: 'P1', grade: null });
    expect(page.items[3]).toMatchObject({ measures: {} });
  });

  it('pages through the questions', async () => {
    const { id } = await evaluate(app, request);
    const url = `/v1/eval/${id}/questions?configuration=bm25&limit=3`;
    const first = await ask<Page<QuestionAnswer>>(app, 'GET', url);
    const second = await ask<Page<QuestionAnswer>>(app, 'GET', `${url}&cursor=${first.nextCursor}`);

    expect(first.items.map(({ id: question }) => question)).toEqual(['q1', 'q2', 'q3']);
    expect(second.items.map(({ id: question }) => question)).toEqual(['q4']);
    expect(second.nextCursor).toBeNull();
  });

  it('gives rankings as JSON and as a TREC run that can be put back with the same scores', async () => {
    const { id, scorecard } = await evaluate(app, request);
    const url = `/v1/eval/${id}/runs/both`;
    const json = await ask<{ rankings: Record<string, { documentId: string }[]> }>(app, 'GET', url);
    const trec = await app.inject({ url, headers: { accept: 'text/plain' } });
    await send(app, 'PUT', '/v1/runs/back', { body: trec.body, type: 'text/plain' });
    const again = await evaluate(app, {
      ...request,
      configurations: [{ name: 'back', backend: 'run', run: 'back' }],
    });

    expect(json.rankings['q3']?.map(({ documentId }) => documentId)).toEqual(['P3']);
    expect(trec.headers['content-type']).toContain('text/plain');
    expect(trec.body.split('\n')[0]).toMatch(/^q1 Q0 P2 1 \S+ both$/);
    expect(again.scorecard[0]?.measures).toEqual(scorecard[1]?.measures);
    expect(again.scorecard[0]?.latencyMs).toBeNull();
    expect(again.scorecard[0]?.usage['searches']).toBe(0);
  });

  it('reports as Markdown', async () => {
    const { id } = await evaluate(app, request);
    const report = await app.inject(`/v1/eval/${id}/report`);
    const byFormat = await app.inject(`/v1/eval/${id}/report?format=markdown`);

    expect(report.headers['content-type']).toContain('text/markdown');
    expect(report.body).toContain('# Evaluation first');
    expect(report.body).toContain('| bm25 | 1.0000 | 1.0000 | 1.0000 | 1.0000 | 1.0000 |');
    expect(report.body).toContain('## By kind');
    expect(byFormat.body).toBe(report.body);
  });

  it.each([
    ['html', 'text/html', '<td>bm25</td>'],
    ['csv', 'text/csv', 'bm25,kind,policy,1,RR,1\n'],
    [
      'junit',
      'application/xml',
      '<testsuite name="bm25" tests="4" errors="0" failures="0" skipped="1">',
    ],
  ])('reports as %s, by format and by Accept', async (format, type, part) => {
    const { id } = await evaluate(app, request);
    const byFormat = await app.inject(`/v1/eval/${id}/report?format=${format}`);
    const byAccept = await app.inject({ url: `/v1/eval/${id}/report`, headers: { accept: type } });

    expect(byFormat.headers['content-type']).toContain(type);
    expect(byFormat.body).toContain(part);
    expect(byAccept.body).toBe(byFormat.body);
  });

  it('writes a JUnit report with a case for each question of each configuration', async () => {
    const { id } = await evaluate(app, request);
    const { body } = await app.inject(`/v1/eval/${id}/report?format=junit`);
    const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' });
    const { testsuites } = parser.parse(body, true);

    expect(testsuites.testsuite).toMatchObject([
      { name: 'bm25', tests: '4', testcase: ['q1', 'q2', 'q3', 'q4'].map((name) => ({ name })) },
      { name: 'both', tests: '4', skipped: '1' },
    ]);
    expect(testsuites.testsuite[0].properties.property).toContainEqual({ name: 'RR', value: '1' });
    expect(testsuites.testsuite[0].testcase[3].skipped).toMatchObject({
      message: 'no document answers it',
    });
  });

  it('shows a label as text in every report', async () => {
    const evil = '<script>alert(1)</script> =1+1 | **x** ]]>';
    const tagged = { ...pumpQuestions[0], kind: '=cmd()' };
    await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: [tagged] } });
    const { id } = await evaluate(app, { ...request, label: evil });
    const html = await app.inject(`/v1/eval/${id}/report?format=html`);
    const csv = await app.inject(`/v1/eval/${id}/report?format=csv`);

    expect(html.body).not.toContain('<script>');
    expect(html.body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html.body).not.toContain('<strong>x');
    expect(csv.body).toContain("bm25,kind,'=cmd(),1,RR,1");
  });

  it('returns the first evaluation for a repeated idempotency key, and refuses another body', async () => {
    const headers = { 'idempotency-key': 'nightly-1' };
    const posts = await Promise.all(
      [1, 2, 3].map(() => send(app, 'POST', '/v1/eval', { body: request, headers })),
    );
    const other = { ...request, label: 'second' };
    const refused = await send(app, 'POST', '/v1/eval', { body: other, headers });
    const list = await ask<Page<{ id: string }>>(app, 'GET', '/v1/eval');

    expect(new Set(posts.map((post) => post.json<{ id: string }>().id)).size).toBe(1);
    expect(posts.map((post) => post.statusCode)).toEqual([202, 202, 202]);
    expect(refused.statusCode).toBe(409);
    expect(list.items).toHaveLength(1);
  });

  it('evaluates an older version by number, and lists newest first', async () => {
    await ask(app, 'PUT', '/v1/question-sets/pumps', {
      body: { questions: pumpQuestions.slice(0, 1) },
    });
    const old = await evaluate(app, { ...request, questionSet: { name: 'pumps', version: 1 } });
    const latest = await evaluate(app, request);
    const list = await ask<Page<{ id: string }>>(app, 'GET', '/v1/eval?limit=1');
    const next = await ask<Page<{ id: string }>>(
      app,
      'GET',
      `/v1/eval?limit=1&cursor=${list.nextCursor}`,
    );

    expect([old.progress.total, latest.progress.total]).toEqual([8, 2]);
    expect([...list.items, ...next.items].map(({ id }) => id)).toEqual([latest.id, old.id]);
  });

  it('samples the same questions for every configuration, by seed', async () => {
    const sampled = { ...request, sample: { size: 2, seed: 5 } };
    const first = await evaluate(app, sampled);
    const second = await evaluate(app, sampled);
    const idsOf = async (id: string, configuration: string) => {
      const url = `/v1/eval/${id}/questions?configuration=${configuration}`;
      const page = await ask<Page<QuestionAnswer>>(app, 'GET', url);
      return page.items.map((question) => question.id);
    };

    const ids = await idsOf(first.id, 'bm25');

    expect(ids).toHaveLength(2);
    expect(await idsOf(first.id, 'both')).toEqual(ids);
    expect(await idsOf(second.id, 'bm25')).toEqual(ids);
  });

  it('rescores stored rankings against a new version without a search', async () => {
    const before = await evaluate(app, request);
    const judgments = [{ questionId: 'q1', documentId: 'P1', grade: 2 }];
    await ask(app, 'POST', '/v1/question-sets/pumps/judgments', {
      body: { judge: 'jo', judgments },
    });
    const added = { id: 'q5', text: 'inspector', relevant: { P3: 1 } };
    const { questions } = await ask<{ questions: object[] }>(app, 'GET', '/v1/question-sets/pumps');
    await ask(app, 'PUT', '/v1/question-sets/pumps', {
      body: { questions: [added, ...questions] },
    });

    const rescored = await send(app, 'POST', `/v1/eval/${before.id}/rescore`, {
      headers: { prefer: 'wait=30' },
      body: { measures: ['R@1', 'P@2'] },
    });
    const same = await send(app, 'POST', `/v1/eval/${before.id}/rescore`, {
      headers: { prefer: 'wait=30' },
      body: { version: 1 },
    });
    const [row] = rescored.json<EvaluationAnswer>().scorecard;

    expect(rescored.json()).toMatchObject({
      status: 'succeeded',
      rescoreOf: before.id,
      questionSet: { version: 3 },
    });
    // q1 now has two relevant documents of which the first rank holds one: R@1 = (1/2 + 1 + 1) / 3.
    expect(row?.measures['R@1']).toBeCloseTo(2.5 / 3, 12);
    expect(row?.measures['P@2']).toBeCloseTo((1 + 0.5 + 0.5) / 3, 12);
    expect(row?.questions).toMatchObject({ scored: 3, failed: 1, unanswerable: 1 });
    expect(row?.failures).toMatchObject([{ code: 'not-in-rankings', questions: 1 }]);
    expect(row?.usage).toMatchObject({ searches: 0, searchAttempts: 0 });
    expect(same.json<EvaluationAnswer>().scorecard[0]?.measures).toEqual(
      before.scorecard[0]?.measures,
    );
  });

  it('keeps what a deleted question set held for the evaluations that read it', async () => {
    const { id } = await evaluate(app, request);
    const deleted = await app.inject({ method: 'DELETE', url: '/v1/question-sets/pumps' });
    const gone = await app.inject('/v1/question-sets/pumps');
    const questions = await app.inject(`/v1/eval/${id}/questions?configuration=bm25`);
    const anew = await ask<{ version: number }>(app, 'PUT', '/v1/question-sets/pumps', {
      body: { questions: pumpQuestions },
    });
    const versions = await ask<Page<object>>(app, 'GET', '/v1/question-sets/pumps/versions');
    const old = await app.inject('/v1/question-sets/pumps?version=1');

    expect([deleted.statusCode, gone.statusCode, questions.statusCode]).toEqual([204, 404, 200]);
    expect(anew.version).toBe(2);
    expect(versions.items).toHaveLength(1);
    expect(old.statusCode).toBe(404);
  });

  it('forgets a deleted question set with the last evaluation that reads it', async () => {
    const { id } = await evaluate(app, request);
    await app.inject({ method: 'DELETE', url: '/v1/question-sets/pumps' });
    const deleted = await app.inject({ method: 'DELETE', url: `/v1/eval/${id}` });
    const gone = await app.inject(`/v1/eval/${id}`);
    const anew = await ask<{ version: number }>(app, 'PUT', '/v1/question-sets/pumps', {
      body: { questions: pumpQuestions },
    });

    expect([deleted.statusCode, gone.statusCode]).toEqual([204, 404]);
    expect(anew.version).toBe(1);
  });
});

describe('what an evaluation warns of', () => {
  it('names what makes its numbers misleading', async () => {
    const app = await createTestApp();
    await putPumps(app);
    const labelled = [
      { id: 'q1', text: 'pump oil', relevant: { P2: 1, GONE: 2 } },
      { id: 'q2', text: 'yearly', user: 'anna', relevant: { P3: 1 }, forbidden: ['P1'] },
    ];
    await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: labelled } });
    const users = { anna: { documentMetadata: [{ key: 'plant', value: ['north'] }] } };
    const filters = [{ scoringConfiguration: { scoreThreshold: 0.3 } }];
    const { scorecard } = await evaluate(app, {
      questionSet: 'pumps',
      configurations: [{ name: 'a', ...bm25, depth: 2, users, filters }],
      measures: ['P@3'],
    });
    const codes = scorecard[0]?.warnings.map(({ code, questions }) => [code, questions]);

    expect(codes).toEqual([
      ['depth-below-cutoff', 2],
      ['short-ranking', 1],
      ['unknown-judged-documents', 1],
      ['ignored-filter-fields', 0],
    ]);
    expect(scorecard[0]?.warnings[2]?.message).toContain('GONE');
  });

  it('says when most of what came back was never judged', async () => {
    const app = await createTestApp();
    await putPumps(app);
    const labelled = [{ id: 'q1', text: 'pump', relevant: { P3: 1 } }];
    await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: labelled } });
    const { scorecard } = await evaluate(app, {
      questionSet: 'pumps',
      configurations: [{ name: 'a', ...bm25 }],
      measures: ['P@2'],
    });

    expect(scorecard[0]?.warnings).toMatchObject([{ code: 'low-judged', questions: 1 }]);
  });

  it('counts forbidden documents that came back, and fails users that the configuration does not know', async () => {
    const app = await createTestApp();
    await putPumps(app);
    const labelled = [
      { id: 'q1', text: 'pump', user: 'anna', relevant: { P1: 1 }, forbidden: ['P2'] },
      { id: 'q2', text: 'pump', user: 'bernd', relevant: { P1: 1 } },
      { id: 'q3', text: 'pump', relevant: { P1: 1 } },
    ];
    await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: labelled } });
    const everywhere = [{ key: 'plant', value: ['north', 'south'] }];
    const north = [{ key: 'plant', value: ['north'] }];
    const { id, scorecard } = await evaluate(app, {
      questionSet: 'pumps',
      configurations: [
        { name: 'open', ...bm25, users: { anna: { documentMetadata: everywhere } } },
        { name: 'closed', ...bm25, users: { anna: { documentMetadata: north } } },
      ],
      measures: ['P@1'],
    });
    const url = `/v1/eval/${id}/questions?configuration=open`;
    const page = await ask<Page<QuestionAnswer>>(app, 'GET', url);

    expect(scorecard[0]?.leaks).toEqual({ questions: 1, documents: 1 });
    expect(scorecard[0]?.warnings.map(({ code }) => code)).toContain('leaks');
    expect(scorecard[1]?.leaks).toEqual({ questions: 0, documents: 0 });
    expect(scorecard[0]?.questions).toMatchObject({ scored: 2, failed: 1 });
    expect(scorecard[0]?.failures).toMatchObject([{ code: 'unknown-user', questions: 1 }]);
    expect(page.items[0]?.leaks).toEqual(['P2']);
    expect(page.items[1]).toMatchObject({
      status: 'failed',
      error: { code: 'unknown-user' },
      ranking: [],
    });
  });
});

describe('an evaluation that does not go well', () => {
  it('fails when every search of a configuration failed, and still scores the others', async () => {
    const app = await createTestApp();
    await putPumps(app);
    const labelled = [{ id: 'q1', text: 'pump', user: 'anna', relevant: { P1: 1 } }];
    await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: labelled } });
    const users = { anna: { documentMetadata: [{ key: 'plant', value: ['north'] }] } };
    const evaluation = await evaluate(app, {
      questionSet: 'pumps',
      configurations: [
        { name: 'knows', ...bm25, users },
        { name: 'lacks', ...bm25 },
      ],
      measures: ['P@1'],
    });

    expect(evaluation.status).toBe('failed');
    expect(evaluation.error).toMatchObject({ code: 'every-search-failed' });
    expect(evaluation.error?.detail).toContain("'lacks'");
    expect(evaluation.scorecard[0]?.measures['P@1']).toBe(1);
    expect(evaluation.scorecard[1]?.measures['P@1']).toBeNull();
  });

  it('fails with a general word on a fault of the service, which shows nothing', async () => {
    const retrievers: RetrieverRegistry = {
      createRetriever: () => Promise.reject(new Error('password=hunter2')),
    };
    const app = await createTestApp({ retrievers });
    await putPumps(app);
    const answer = await send(app, 'POST', '/v1/eval', {
      body: request,
      headers: { prefer: 'wait=30' },
    });

    expect(answer.json<EvaluationAnswer>()).toMatchObject({
      status: 'failed',
      error: { code: 'internal' },
    });
    expect(answer.body).not.toContain('hunter2');
  });

  it('can be cancelled, deleted only after, and protects what it reads meanwhile', async () => {
    const search = holdSearches();
    const app = await createTestApp({ retrievers: search.retrievers });
    await putPumps(app);
    const { id } = await ask<{ id: string }>(app, 'POST', '/v1/eval', { body: request });
    await search.started;

    const waited = await send(app, 'POST', '/v1/eval', {
      body: request,
      headers: { prefer: 'respond-async, wait=0' },
    });
    const refusals = [
      await app.inject({ method: 'DELETE', url: `/v1/eval/${id}` }),
      await app.inject({ method: 'DELETE', url: '/v1/question-sets/pumps' }),
      await app.inject({ method: 'DELETE', url: '/v1/corpora/pumps' }),
      await send(app, 'PUT', '/v1/corpora/pumps', { body: { documents: pumpDocuments } }),
      await send(app, 'POST', `/v1/eval/${id}/rescore`, { body: {} }),
      await send(app, 'POST', '/v1/compare', {
        body: { evaluation: id, baseline: 'bm25', candidate: 'both', measure: 'RR' },
      }),
    ];
    const sameCorpus = await send(app, 'PUT', '/v1/corpora/pumps', {
      body: { documents: pumpDocuments, lexicon: pumpLexicon },
    });
    const cancelled = await app.inject({ method: 'POST', url: `/v1/eval/${id}/cancel` });
    const again = await app.inject({ method: 'POST', url: `/v1/eval/${id}/cancel` });
    const deleted = await app.inject({ method: 'DELETE', url: `/v1/eval/${id}` });

    expect(waited.statusCode).toBe(202);
    expect(refusals.map((answer) => answer.statusCode)).toEqual([409, 409, 409, 409, 409, 409]);
    expect(sameCorpus.statusCode).toBe(200);
    expect(cancelled.json<EvaluationAnswer>().status).toBe('cancelled');
    expect(again.statusCode).toBe(200);
    expect(deleted.statusCode).toBe(204);
  });

  it('cannot be cancelled after its end', async () => {
    const app = await createTestApp();
    await putPumps(app);
    const { id } = await evaluate(app, request);
    const answer = await app.inject({ method: 'POST', url: `/v1/eval/${id}/cancel` });

    expect(answer.statusCode).toBe(409);
  });
});

describe.each(databaseKinds)('a service that stopped in the middle on %s', (kind) => {
  it('goes on with the questions that have no outcome, and searches no other again', async () => {
    const databaseUrl = await createDatabase(kind);
    const first = holdSearches(3);
    const stopped = await startService({ databaseUrl, retrievers: first.retrievers });
    await putPumps(stopped.app);
    const { id } = await ask<{ id: string }>(stopped.app, 'POST', '/v1/eval', { body: request });
    await first.started;
    await stopped.close();

    const second = holdSearches(Infinity);
    const resumed = await startService({
      databaseUrl,
      retrievers: second.retrievers,
      resume: true,
    });
    const waited = await waitForEnd(resumed.app, id);
    await resumed.close();

    const searched = [...first.answered, ...second.answered];
    expect(waited).toMatchObject({ status: 'succeeded', progress: { done: 8, failed: 0 } });
    expect(first.answered).toHaveLength(3);
    expect(searched.toSorted()).toEqual([...new Set(searched)].toSorted());
    expect(searched).toHaveLength(8);
  });
});

describe.each(databaseKinds)('GET /v1/eval on %s', (kind) => {
  it('reads no plan and no scorecard, which may be large', async () => {
    const { app, db, close } = await startService({ databaseUrl: await createDatabase(kind) });
    onTestFinished(close);
    await putPumps(app);
    const { id } = await evaluate(app, request);
    await db.updateTable('evaluation').set({ plan: 'unread', scorecard: 'unread' }).execute();
    const { items } = await ask<Page<object>>(app, 'GET', '/v1/eval');

    expect(items).toMatchObject([{ id, label: 'first', status: 'succeeded' }]);
  });
});

async function putPumps(app: FastifyInstance): Promise<void> {
  const corpus = { documents: pumpDocuments, lexicon: pumpLexicon };
  await ask(app, 'PUT', '/v1/corpora/pumps', { body: corpus });
  await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: pumpQuestions } });
  await ask(app, 'PUT', '/v1/search-configurations/bm25', { body: bm25 });
}

async function waitForEnd(app: FastifyInstance, id: string): Promise<EvaluationAnswer> {
  const url = `/v1/eval/${id}`;
  let evaluation = await ask<EvaluationAnswer>(app, 'GET', url);
  while (evaluation.status === 'queued' || evaluation.status === 'running') {
    await new Promise((resolve) => setImmediate(resolve));
    evaluation = await ask<EvaluationAnswer>(app, 'GET', url);
  }
  return evaluation;
}

/** Answers so many searches, then holds every further one until it is aborted. */
function holdSearches(answers = 0) {
  const { promise: started, resolve: reportHold } = Promise.withResolvers<void>();
  const answered: string[] = [];
  const retrievers: RetrieverRegistry = {
    createRetriever: async (configuration) => ({
      retrieve(_text, { questionId, signal }) {
        if (answered.length < answers) {
          answered.push(`${'method' in configuration ? configuration.method : ''} ${questionId}`);
          const cost = { ...noCost, searches: 1, attempts: 1, latencyMs: 1 };
          return Promise.resolve({ hits: [], cost });
        }
        reportHold();
        return new Promise((_resolve, reject) => {
          const fail = () => reject(new RetrieverError('retriever-failed', 'aborted'));
          signal.addEventListener('abort', fail, { once: true });
        });
      },
    }),
  };
  return { retrievers, started, answered };
}
