import type { FastifyInstance } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';

import {
  type AiCoreServer,
  type AiCoreServerOptions,
  type SeenRequest,
  startAiCoreServer,
} from '../helpers/aicore-server.ts';
import { createTestApp, type TestServiceOptions } from '../helpers/app.ts';
import { ask, evaluate, type EvaluationAnswer, type RowAnswer, send } from '../helpers/client.ts';
import { readShape } from '../helpers/published-shapes.ts';

const notes = {
  id: 'notes',
  dataRepositoryType: 'vector',
  dataRepositories: ['*'],
  searchConfiguration: { maxChunkCount: 20 },
};

const grounding = {
  name: 'grounding',
  backend: 'aicore',
  resourceGroup: 'default',
  filters: [notes],
  documentId: { from: 'documentMetadata', key: 'docId' },
};

const measures = ['hit@3', 'RR'];

interface ChunkSpec {
  readonly id?: string;
  readonly docId?: string | string[];
  readonly score?: number;
  readonly dense?: number;
  readonly text?: string;
  readonly document?: string;
}

describe('POST /v1/eval with the backend aicore', () => {
  it('scores what AI Core returns, by the labels of the question', async () => {
    const { app } = await start({
      onSearch: answer([
        { docId: 'D2', score: 0.9 },
        { docId: 'D1', score: 0.8 },
      ]),
    });
    const row = await score(app, [{ relevant: { D1: 1 } }]);
    expect(row).toMatchObject({
      questions: { scored: 1, failed: 0 },
      measures: { 'hit@3': 1, RR: 0.5 },
      usage: { searches: 1, searchAttempts: 1, modelCalls: 0 },
    });
  });

  it('takes an empty answer for a success that found nothing', async () => {
    const { app } = await start({});
    const row = await score(app, [{ relevant: { D1: 1 } }]);
    expect(row.questions).toMatchObject({ scored: 1, empty: 1, failed: 0 });
    expect(listCodes(row)).not.toContain('unanswered-filters');
  });

  it.each<[string, object, string]>([
    ['no entry of a filter that was sent', { results: [] }, 'no entry for this filter'],
    [
      'an entry without results and error',
      { results: [{ filterId: 'notes' }] },
      'neither a list of results nor an error',
    ],
    [
      'an entry whose results are null',
      { results: [{ filterId: 'notes', results: null }] },
      'neither a list of results nor an error',
    ],
    ['results that are null', { results: null }, 'not with search results'],
  ])('takes an answer with %s for a failed search', async (_case, body, reason) => {
    const { app } = await start({
      onSearch: (seen) =>
        seen.body.includes('question 1"') ? answer([{ docId: 'D1', score: 0.9 }])(seen) : { body },
    });
    const row = await score(app, [{ relevant: { D1: 1 } }, { relevant: { D1: 1 } }]);
    expect(row).toMatchObject({
      questions: { scored: 1, empty: 0, failed: 1 },
      measures: { 'hit@3': 1 },
    });
    expect(row.failures).toMatchObject([{ code: 'retriever-failed', questions: 1 }]);
    expect(JSON.stringify(row.failures)).toContain(reason);
  });

  it('warns of one of several filters that has no entry', async () => {
    const { app } = await start({ onSearch: answer([{ docId: 'D1', score: 0.9 }]) });
    const filters = [notes, { ...notes, id: 'archive' }];
    const row = await score(app, [{ relevant: { D1: 1 } }], {
      configurations: [{ ...grounding, filters }],
    });
    expect(row.questions).toMatchObject({ scored: 1, failed: 0 });
    expect(listCodes(row)).toContain('unanswered-filters');
  });

  it.each([
    ['decomposed labels', 'Pru\u0308fplan.pdf', 'Pr\u00fcfplan.pdf'],
    ['composed labels', 'Pr\u00fcfplan.pdf', 'Pru\u0308fplan.pdf'],
  ])('matches ids whatever their Unicode form: %s', async (_case, judged, found) => {
    const { app } = await start({ onSearch: answer([{ docId: found, score: 0.9 }]) });
    const row = await score(app, [{ relevant: { [judged]: 1 }, forbidden: [`${judged}.secret`] }]);
    expect(row.measures).toMatchObject({ RR: 1 });
  });

  it('counts forbidden documents that come back as leaks', async () => {
    const { app } = await start({ onSearch: answer([{ docId: 'Pr\u00fcf', score: 0.9 }]) });
    const row = await score(app, [{ relevant: { D1: 1 }, forbidden: ['Pru\u0308f'] }]);
    expect(row.leaks).toEqual({ questions: 1, documents: 1 });
    expect(listCodes(row)).toContain('leaks');
  });

  it.each<[string, readonly ChunkSpec[], string, readonly string[]]>([
    [
      'ids that nearly meet the labels',
      [{ docId: 'hub%20motor.PDF', score: 0.9 }],
      'near-miss-ids',
      ["'hub%20motor.PDF' for 'hub motor.pdf'"],
    ],
    [
      'labels that nothing meets',
      [{ docId: 'Z-1', score: 0.9 }],
      'no-judged-document-returned',
      ['Z-1', 'documentMetadata.docId'],
    ],
    [
      'chunks with and without a score',
      [{ docId: 'D1', score: 0.9 }, { docId: 'D2' }],
      'scores-not-comparable',
      ['aggregated with none'],
    ],
    [
      'scores of two kinds',
      [
        { docId: 'D1', score: 0.9 },
        { docId: 'D2', dense: 0.5 },
      ],
      'scores-not-comparable',
      ['aggregated with dense'],
    ],
    [
      'several document ids',
      [{ docId: ['D1', 'D9'], score: 0.9 }],
      'several-document-ids',
      ['2 chunks'],
    ],
    [
      'two documents behind one id',
      [
        { docId: 'D1', score: 0.9, document: 'a' },
        { docId: 'D1', score: 0.8, document: 'b' },
      ],
      'shared-document-ids',
      ['D1'],
    ],
    [
      'chunks without a document id',
      [{ score: 0.9 }, { docId: 'D1', score: 0.8 }],
      'unmapped-chunks',
      ['2 chunks', 'chunkMetadata.index'],
    ],
  ])('warns of %s', async (_case, chunks, code, parts) => {
    const { app } = await start({ onSearch: answer(chunks) });
    const row = await score(app, [{ relevant: { 'hub motor.pdf': 1 } }, { relevant: { D3: 1 } }]);
    const message = row.warnings.find((warning) => warning.code === code)?.message ?? '(none)';
    expect(parts.filter((part) => !message.includes(part))).toEqual([]);
  });

  it('does not say that labels are missed when one question meets them', async () => {
    const { app } = await start({ onSearch: answer([{ docId: 'D1', score: 0.9 }]) });
    const row = await score(app, [{ relevant: { D1: 1 } }, { relevant: { D7: 1 } }]);
    expect(listCodes(row)).not.toContain('no-judged-document-returned');
  });

  it.each([
    ['an operation without a count', { maxChunkCount: undefined }, 10, true],
    ['an operation with enough', { maxChunkCount: 10 }, 10, false],
    ['a cut-off of 5', { maxChunkCount: undefined }, 5, false],
  ])('knows how deep a ranking can go: %s', async (_case, count, cutoff, isShort) => {
    const { app } = await start({ onSearch: answer([{ docId: 'D1', score: 0.9 }], 'rerank') });
    const operation = { id: 'rerank', strategy: { type: 'reranker' }, inputs: [{ id: 'notes' }] };
    const configuration = { ...grounding, postProcessing: [{ ...operation, ...count }] };
    const row = await score(app, [{ relevant: { D1: 1 } }], {
      configurations: [configuration],
      measures: [`hit@${cutoff}`],
    });
    expect(listCodes(row).includes('depth-below-cutoff')).toBe(isShort);
  });

  it('fails a question of an unknown user unsearched, and no other', async () => {
    const { app, server } = await start({ onSearch: answer([{ docId: 'D1', score: 0.9 }]) });
    const users = { anna: { documentMetadata: [{ key: 'company_code', value: ['1000'] }] } };
    const row = await score(
      app,
      [
        { relevant: { D1: 1 }, user: 'anna' },
        { relevant: { D1: 1 }, user: 'bob' },
      ],
      { configurations: [{ ...grounding, users }] },
    );
    expect(row.questions).toMatchObject({ scored: 1, failed: 1 });
    expect(row.failures).toMatchObject([{ code: 'unknown-user', questions: 1 }]);
    expect(row.usage).toMatchObject({ searches: 1 });
    const sent = server.searches.map(({ body }) => JSON.parse(body) as { filters: unknown });
    expect(sent).toMatchObject([{ filters: [users.anna] }]);
  });

  it('counts failures with equal causes as one, and tells each request id', async () => {
    let searches = 0;
    const { app } = await start({
      onSearch: ({ body }) => {
        searches += 1;
        if (!body.includes('question 1"') && !body.includes('question 3"')) {
          return { body: makeAnswer([{ docId: 'D1', score: 0.9 }]) };
        }
        return { status: 400, body: { error: { message: 'No.', requestId: `r-${searches}` } } };
      },
    });
    const evaluation = await run(
      app,
      Array.from({ length: 5 }, () => ({ relevant: { D1: 1 } })),
    );
    const [row] = evaluation.scorecard;
    expect(row?.questions).toMatchObject({ scored: 3, failed: 2 });
    expect(row?.failures).toMatchObject([{ code: 'retriever-failed', questions: 2 }]);
    const errors = (await listQuestions(app, evaluation.id)).flatMap(({ error }) => error ?? []);
    expect(errors.map(({ requestId }) => requestId)).toHaveLength(2);
    expect(errors.filter(({ detail, requestId }) => !detail.includes(requestId))).toEqual([]);
  });

  it('stops a configuration that AI Core refuses, and fails what was not sent with the cause', async () => {
    const { app, server } = await start({ onSearch: () => ({ status: 403 }) });
    const evaluation = await run(
      app,
      Array.from({ length: 40 }, () => ({ relevant: { D1: 1 } })),
    );
    expect(server.searches).toHaveLength(5);
    expect(evaluation).toMatchObject({ status: 'failed', progress: { done: 40, failed: 40 } });
    expect(evaluation.error?.detail).toContain('document-grounding');
    expect(evaluation.scorecard[0]?.usage).toMatchObject({ searches: 5, searchAttempts: 5 });
  });

  it('refuses the evaluation without any way to AI Core, with the reason', async () => {
    const app = await createTestApp();
    await putQuestions(app, [{ relevant: { D1: 1 } }]);
    const body = { questionSet: 'set', configurations: [grounding] };
    const refusal = await send(app, 'POST', '/v1/eval', { body });
    expect(refusal.statusCode).toBe(409);
    expect(refusal.json<{ detail: string }>().detail).toContain('AICORE_SERVICE_KEY');
  });

  it('refuses a configuration that SAP would refuse, with a pointer', async () => {
    const app = await createTestApp();
    const filters = [{ ...notes, searchConfiguration: { maxChunkCount: 5, maxDocumentCount: 5 } }];
    const refusal = await send(app, 'PUT', '/v1/search-configurations/both', {
      body: { ...grounding, name: undefined, filters },
    });
    expect(refusal.statusCode).toBe(400);
    expect(refusal.json()).toMatchObject({
      errors: [{ pointer: '/body/filters/0/searchConfiguration' }],
    });
  });
});

describe('the chunks behind a ranking', () => {
  const chunks: readonly ChunkSpec[] = [
    { id: 'c1', docId: 'D9', score: 0.9, text: 'x'.repeat(400), document: 'a' },
    { id: 'c2', docId: 'D9', score: 0.4, text: 'second', document: 'a' },
  ];

  it('are shown with each question, and by the pool', async () => {
    const { app } = await start({ onSearch: answer(chunks) });
    const { id } = await run(app, [{ relevant: { D1: 1 } }]);
    const [question] = await listQuestions(app, id);
    expect(question?.ranking).toMatchObject([
      {
        documentId: 'D9',
        chunkId: 'c1',
        chunks: [
          {
            chunkId: 'c1',
            score: 0.9,
            scoreSource: 'aggregated',
            repository: 'notes',
            snippet: `${'x'.repeat(299)}…`,
          },
          { chunkId: 'c2', score: 0.4, snippet: 'second' },
        ],
      },
    ]);
    const pool = await ask<{ questions: { documents: unknown[] }[] }>(app, 'POST', '/v1/pool', {
      body: { evaluation: id },
    });
    expect(pool.questions[0]?.documents).toMatchObject([
      { documentId: 'D9', title: null, snippet: `${'x'.repeat(299)}…` },
    ]);
  });

  it('are not stored when snippets are not', async () => {
    const { app } = await start({ onSearch: answer(chunks) }, { storeSnippets: false });
    const { id } = await run(app, [{ relevant: { D1: 1 } }]);
    const [question] = await listQuestions(app, id);
    expect(question?.ranking).toEqual([
      { documentId: 'D9', rank: 1, score: 0.9, chunkId: 'c1', grade: null },
    ]);
  });
});

describe('POST /v1/eval?dryRun=true', () => {
  const operation = { strategy: { type: 'reranker' }, inputs: [{ id: 'notes' }] };

  it('says what the evaluation would cost, and sends nothing', async () => {
    const { app, server } = await start({});
    const answered = await dryRun(app, {
      configurations: [
        { ...grounding, postProcessing: [operation] },
        { ...grounding, name: 'unbounded', filters: [{ id: 'notes' }] },
      ],
      measures: ['hit@10'],
    });
    expect(answered).toMatchObject({
      questions: 3,
      configurations: [
        {
          configuration: 'grounding',
          searches: 3,
          rerankerCalls: 3,
          maxChunks: 60,
          warnings: [{ code: 'depth-below-cutoff' }],
        },
        { configuration: 'unbounded', searches: 3, rerankerCalls: 0, maxChunks: null },
      ],
      total: { searches: 6, rerankerCalls: 3, maxChunks: null },
      probes: null,
    });
    expect(server.searches).toHaveLength(0);
    expect(server.tokenRequests).toHaveLength(0);
    await expect(ask(app, 'GET', '/v1/eval')).resolves.toMatchObject({ items: [] });
  });

  it('sends the first question alone with probe, and shows how its answer was read', async () => {
    const { app, server } = await start({
      onSearch: answer([{ id: 'c1', docId: 'D1', score: 0.9, text: 'text' }, { score: 0.5 }]),
    });
    const { probes } = await dryRun(app, { configurations: [grounding], probe: true });
    expect(probes).toMatchObject([
      {
        configuration: 'grounding',
        question: { id: 'q0' },
        error: null,
        attempts: 1,
        reading: {
          filters: [{ id: 'notes', chunks: 2 }],
          keys: ['documentMetadata.docId', 'chunkMetadata.index'],
          unmappedKeys: ['chunkMetadata.index'],
        },
        documentIds: ['D1'],
        ranking: [
          { documentId: 'D1', rank: 1, grade: 1 },
          { documentId: null, rank: 2 },
        ],
      },
    ]);
    expect(server.searches).toHaveLength(1);
  });

  it('shows why a probe failed', async () => {
    const { app } = await start({ onSearch: () => ({ status: 403 }) });
    const { probes } = await dryRun(app, { configurations: [grounding], probe: true });
    expect(probes).toMatchObject([{ error: { code: 'retriever-failed' }, reading: null }]);
  });

  it('names the users that the configuration does not know', async () => {
    const { app } = await start({});
    const answered = await dryRun(app, { configurations: [grounding] }, { user: 'bob' });
    expect(answered.configurations).toMatchObject([
      { searches: 0, warnings: [{ code: 'unknown-users', questions: 3 }] },
    ]);
  });

  it('is the only place for a probe', async () => {
    const { app } = await start({});
    await putQuestions(app, [{ relevant: { D1: 1 } }]);
    const body = { questionSet: 'set', configurations: [grounding], probe: true };
    const refusal = await send(app, 'POST', '/v1/eval', { body });
    expect(refusal.json()).toMatchObject({ status: 400, errors: [{ pointer: '/body/probe' }] });
  });

  it('refuses what an evaluation would refuse', async () => {
    const app = await createTestApp();
    await putQuestions(app, [{ relevant: { D1: 1 } }]);
    const body = { questionSet: 'set', configurations: [grounding] };
    const refusal = await send(app, 'POST', '/v1/eval?dryRun=true', { body });
    expect(refusal.statusCode).toBe(409);
  });
});

describe('GET /v1/aicore/repositories', () => {
  it('lists the repositories of a resource group page by page', async () => {
    const { app, server } = await start({
      onSearch: ({ path }) => {
        const query = new URL(path, 'http://localhost').searchParams;
        const [skip, top] = [Number(query.get('$skip')), Number(query.get('$top'))];
        const resources = listPublished().slice(skip, skip + top);
        return { body: { resources, count: 3 } };
      },
    });
    const url = '/v1/aicore/repositories?resourceGroup=team-a&limit=2';
    const first = await ask<{ items: object[]; nextCursor: string }>(app, 'GET', url);
    expect(first.items).toEqual(listPublished().slice(0, 2));
    const second = await ask(app, 'GET', `${url}&cursor=${first.nextCursor}`);
    expect(second).toEqual({ items: listPublished().slice(2), nextCursor: null });
    expect(server.searches.map(({ method, resourceGroup }) => [method, resourceGroup])).toEqual([
      ['GET', 'team-a'],
      ['GET', 'team-a'],
    ]);
  });

  it('tells what AI Core says when it refuses', async () => {
    const body = readShape('error-403-flat');
    const { app } = await start({ onSearch: () => ({ status: 403, body }) });
    const refusal = await app.inject('/v1/aicore/repositories?resourceGroup=default');
    expect(refusal.statusCode).toBe(502);
    expect(refusal.json<{ detail: string }>().detail).toContain('has no document grounding');
  });

  it.each([
    ['', 400],
    ['?resourceGroup=a', 400],
    ['?resourceGroup=default', 409],
  ])('answers %j with %i where there is no AI Core', async (query, status) => {
    const app = await createTestApp();
    expect((await app.inject(`/v1/aicore/repositories${query}`)).statusCode).toBe(status);
  });
});

async function start(
  server: AiCoreServerOptions,
  options: TestServiceOptions = {},
): Promise<{ app: FastifyInstance; server: AiCoreServer }> {
  const started = await startAiCoreServer(server);
  onTestFinished(started.close);
  const aiCore = { serviceKey: started.key, concurrency: 4, timeoutMs: 5000, attempts: 1 };
  return { app: await createTestApp({ aiCore, ...options }), server: started };
}

function listPublished(): readonly object[] {
  return readShape<{ resources: object[] }>('data-repositories').resources;
}

function answer(chunks: readonly ChunkSpec[], filterId = 'notes') {
  return (_request: SeenRequest) => ({ body: makeAnswer(chunks, filterId) });
}

function makeAnswer(chunks: readonly ChunkSpec[], filterId = 'notes'): object {
  const documents = chunks.map((chunk, index) => ({
    id: chunk.document ?? `document-${index}`,
    metadata: chunk.docId === undefined ? [] : [{ key: 'docId', value: [chunk.docId].flat() }],
    chunks: [
      {
        id: chunk.id ?? `chunk-${index}`,
        content: chunk.text ?? '',
        metadata: [{ key: 'index', value: ['0'] }],
        searchScores: {
          aggregatedScore: { value: chunk.score },
          denseRetrievalScore: { value: chunk.dense },
        },
      },
    ],
  }));
  const dataRepository = { id: 'repository', title: 'notes', documents };
  return { results: [{ filterId, results: [{ dataRepository }] }] };
}

async function putQuestions(app: FastifyInstance, questions: readonly object[]): Promise<void> {
  const numbered = questions.map((question, index) => {
    return { id: `q${index}`, text: `question ${index}`, ...question };
  });
  await ask(app, 'PUT', '/v1/question-sets/set', { body: { questions: numbered } });
}

async function run(
  app: FastifyInstance,
  questions: readonly object[],
  change: object = {},
): Promise<EvaluationAnswer> {
  await putQuestions(app, questions);
  const body = { questionSet: 'set', configurations: [grounding], measures, ...change };
  return evaluate(app, body);
}

async function score(
  app: FastifyInstance,
  questions: readonly object[],
  change: object = {},
): Promise<RowAnswer> {
  return (await run(app, questions, change)).scorecard[0]!;
}

interface DryRunAnswer {
  readonly configurations: readonly object[];
  readonly probes: readonly object[] | null;
}

async function dryRun(app: FastifyInstance, change: object, question: object = {}) {
  const one = { relevant: { D1: 1 }, ...question };
  await putQuestions(app, [one, one, one]);
  const body = { questionSet: 'set', ...change };
  return ask<DryRunAnswer>(app, 'POST', '/v1/eval?dryRun=true', { body });
}

interface QuestionAnswer {
  readonly error?: { readonly detail: string; readonly requestId: string };
  readonly ranking: readonly object[];
}

async function listQuestions(app: FastifyInstance, id: string) {
  const url = `/v1/eval/${id}/questions?configuration=grounding`;
  return (await ask<{ items: readonly QuestionAnswer[] }>(app, 'GET', url)).items;
}

function listCodes({ warnings }: RowAnswer): readonly string[] {
  return warnings.map(({ code }) => code);
}
