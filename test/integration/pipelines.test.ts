import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';

import type { ChatModel, ChatRequest } from '../../src/retrieval/chat-model.ts';
import { createTestApp, startService } from '../helpers/app.ts';
import { ask, evaluate, send, type EvaluationAnswer } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { bm25, pumpDocuments, pumpLexicon, pumpQuestions } from '../helpers/fixtures.ts';
import { dataOf, failLate, type ScriptedChat, scriptChat } from '../helpers/scripted-chat.ts';

interface QuestionsAnswer {
  readonly items: readonly {
    readonly id: string;
    readonly ranking: readonly { readonly documentId: string }[];
    readonly pipeline?: Readonly<Record<string, unknown>>;
  }[];
}

const glossary = { type: 'glossary', terms: { trickles: 'leaks' } };
const rerank = { type: 'llm', model: 'gpt', window: 2, step: 1 };
const named = (name: string, pipeline: object) => ({ name, ...bm25, pipeline });

async function prepare(
  answer: (request: ChatRequest) => string = () => '[2] > [1]',
  databaseUrl?: string,
): Promise<ScriptedChat & { readonly app: FastifyInstance }> {
  const chat = scriptChat(answer);
  const { chatModel } = chat;
  const app = await createTestApp({ chatModel, ...(databaseUrl && { databaseUrl }) });
  await fill(app);
  return { ...chat, app };
}

async function fill(app: FastifyInstance): Promise<void> {
  const corpus = { documents: pumpDocuments, lexicon: pumpLexicon };
  await ask(app, 'PUT', '/v1/corpora/pumps', { body: corpus });
  await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: pumpQuestions } });
}

const run = (app: FastifyInstance, pipeline: object, more: object = {}) =>
  evaluate(app, {
    questionSet: 'pumps',
    configurations: [named('piped', pipeline)],
    measures: ['RR'],
    ...more,
  });

const listQuestions = (app: FastifyInstance, { id }: Pick<EvaluationAnswer, 'id'>) =>
  ask<QuestionsAnswer>(app, 'GET', `/v1/eval/${id}/questions?configuration=piped`);

describe.each(databaseKinds)('a pipeline on %s', (kind) => {
  it('is timed and counted for each question and in the scorecard', async () => {
    const { app } = await prepare(undefined, await createDatabase(kind));
    const evaluation = await run(app, { rewrite: glossary, candidates: 2, rerank });
    const { items } = await listQuestions(app, evaluation);

    // "replace fuse" finds P1 and P2, which the model exchanges.
    expect(items[1]?.ranking.map(({ documentId }) => documentId)).toEqual(['P2', 'P1']);
    expect(items[1]?.pipeline).toEqual({
      versions: [{ kind: 'original', ranking: ['P1', 'P2'] }],
      candidates: 2,
      reranked: ['P2', 'P1'],
      stages: [
        stage('rewrite', 'glossary', {}),
        stage('search', 'local', { searches: 1 }),
        stage('rerank', 'llm', {
          pairsReranked: 2,
          modelCalls: 1,
          promptTokens: 100,
          completionTokens: 10,
          promptHash: expect.stringMatching(/^[0-9a-f]{16}$/),
          replies: { texts: ['[2] > [1]'], omitted: 0 },
        }),
      ],
      fallbacks: [],
    });
    // Three of the four questions find two documents or more.
    expect(evaluation.scorecard[0]).toMatchObject({
      usage: { searches: 4, modelCalls: 3, pairsReranked: 6, promptTokens: 300 },
      pipeline: {
        stages: [
          { stage: 'rewrite', type: 'glossary', questions: 4 },
          { stage: 'search', type: 'local', questions: 4, searches: 4 },
          { stage: 'rerank', type: 'llm', questions: 3, completionTokens: 30 },
        ],
        fallbacks: { questions: 0, causes: [] },
        droppedCodes: 0,
      },
    });
  });

  it('counts what it left out, and says so', async () => {
    const { app } = await prepare(failLate, await createDatabase(kind));
    const evaluation = await run(app, { candidates: 2, rerank });
    const { items } = await listQuestions(app, evaluation);

    expect(items[1]?.ranking.map(({ documentId }) => documentId)).toEqual(['P1', 'P2']);
    expect(items[1]?.pipeline).toMatchObject({
      fallbacks: [{ stage: 'rerank', type: 'llm', code: 'timeout' }],
    });
    expect(evaluation.scorecard[0]).toMatchObject({
      usage: { modelCalls: 6 },
      pipeline: {
        fallbacks: {
          questions: 3,
          causes: [{ stage: 'rerank', type: 'llm', code: 'timeout', questions: 3 }],
        },
      },
    });
    expect(evaluation.scorecard[0]?.warnings).toContainEqual(
      expect.objectContaining({ code: 'stage-fallback', questions: 3 }),
    );
  });

  it('is not run again when its rankings are scored again', async () => {
    const { app, requests } = await prepare(failLate, await createDatabase(kind));
    const evaluation = await run(app, { candidates: 2, rerank });
    const asked = requests.length;
    const { id } = await ask<{ id: string }>(app, 'POST', `/v1/eval/${evaluation.id}/rescore`, {
      body: {},
    });
    const rescored = await waitFor(app, id);
    const { items } = await listQuestions(app, { id });

    expect(requests).toHaveLength(asked);
    expect(rescored.scorecard[0]).toMatchObject({
      usage: { searches: 0, modelCalls: 0, promptTokens: 0 },
      pipeline: { stages: [], fallbacks: { questions: 3 } },
    });
    expect(items[1]?.pipeline).toMatchObject({
      versions: [{ ranking: ['P1', 'P2'] }],
      stages: [],
    });
  });

  it.each([
    ['fail by default', {}, 'fail', ['fallbacks']],
    // Three questions are too few to pass.
    // Without its stages the search ranks as the baseline does, and identical rankings pass.
    ['are no obstacle where they are allowed', { allowedFallbackShare: 0.75 }, 'pass', []],
  ])('whose stages were left out: they %s at a gate', async (_case, rules, verdict, codes) => {
    const { app } = await prepare(failLate, await createDatabase(kind));
    const baseline = await evaluate(app, {
      questionSet: 'pumps',
      configurations: [{ name: 'plain', ...bm25 }],
      measures: ['RR'],
    });
    const body = { evaluation: baseline.id, configuration: 'plain' };
    await ask(app, 'PUT', '/v1/baselines/main', { body });
    const gate = { baseline: 'main', measure: 'RR', maxDrop: 0.9, ...rules };
    const gated = await run(app, { candidates: 2, rerank }, { gate });

    expect(gated).toMatchObject({
      gate: {
        verdict,
        configurations: [{ fallbackShare: { baseline: 0, candidate: 0.75 } }],
      },
    });
    expect(listObstacles(gated)).toEqual(codes);
  });

  it('whose stages were left out cannot be what a gate is held against', async () => {
    const { app } = await prepare(failLate, await createDatabase(kind));
    const baseline = await run(app, { candidates: 2, rerank });
    const body = { evaluation: baseline.id, configuration: 'piped' };
    await ask(app, 'PUT', '/v1/baselines/main', { body });
    const gate = { baseline: 'main', measure: 'RR', maxDrop: 0.9 };
    const gated = await run(app, { candidates: 2, rerank: { type: 'lexical' } }, { gate });

    expect(gated).toMatchObject({ gate: { verdict: 'inconclusive' } });
    expect(listObstacles(gated)).toEqual(['baseline-fallbacks']);
  });
});

describe('a pipeline that is interrupted', () => {
  it('asks models again for nothing but the questions that have no outcome', async () => {
    const databaseUrl = await createDatabase('sqlite');
    const { promise: held, resolve: tell } = Promise.withResolvers<void>();
    const first = scriptChat(() => 'other words');
    const chatModel: ChatModel = {
      findObstacle: () => undefined,
      async complete(request) {
        if (!dataOf(request).includes('replace fuse')) return first.chatModel.complete(request);
        tell();
        return untilStopped(request.signal);
      },
    };
    const before = await startService({ databaseUrl, chatModel });
    await fill(before.app);
    const rewrite = { type: 'llm', model: 'gpt' };
    const { id } = await ask<{ id: string }>(before.app, 'POST', '/v1/eval', {
      body: { questionSet: 'pumps', configurations: [named('piped', { rewrite })] },
    });
    await held;
    await waitUntil(async () => (await read(before.app, id)).progress.done === 3);
    await before.close();

    const second = scriptChat(() => 'other words');
    const app = await createTestApp({ databaseUrl, chatModel: second.chatModel, resume: true });
    const evaluation = await waitFor(app, id);

    expect(evaluation.status).toBe('succeeded');
    expect(first.requests).toHaveLength(3);
    expect(second.requests.map(dataOf)).toEqual([expect.stringContaining('replace fuse')]);
    expect(evaluation.scorecard[0]?.usage['modelCalls']).toBe(4);
  });
});

interface GatedAnswer {
  readonly gate: {
    readonly configurations: readonly {
      readonly obstacles: readonly { readonly code: string }[];
    }[];
  };
}

function listObstacles(evaluation: EvaluationAnswer): readonly string[] | undefined {
  const { configurations } = (evaluation as unknown as GatedAnswer).gate;
  return configurations[0]?.obstacles.map(({ code }) => code);
}

describe('a pipeline', () => {
  it('finds by a rewritten version what the question misses', async () => {
    const { app } = await prepare();
    await ask(app, 'PUT', '/v1/question-sets/pumps', {
      body: { questions: [{ id: 'q1', text: 'trickles out', relevant: { P2: 1 } }] },
    });
    const plain = await run(app, {});
    const piped = await run(app, { rewrite: glossary });

    expect(plain.scorecard[0]?.measures['RR']).toBe(0);
    expect(piped.scorecard[0]?.measures['RR']).toBe(1);
  });

  it('warns of the codes that rewriting drops', async () => {
    const { app } = await prepare(() => 'motor keeps still');
    await ask(app, 'PUT', '/v1/question-sets/pumps', {
      body: { questions: [{ id: 'q1', text: 'fuse F-12 blown', relevant: { P1: 1 } }] },
    });
    const { scorecard } = await run(app, { rewrite: { type: 'llm', model: 'gpt' } });

    expect(scorecard[0]?.warnings).toContainEqual({
      code: 'dropped-code',
      severity: 'note',
      message: expect.stringContaining('f-12'),
      questions: 1,
    });
  });

  it('completes follow-ups by their conversation, which is a part of the questions', async () => {
    const { app, requests } = await prepare(() => 'why does the pump leak');
    const question = { id: 'q1', text: 'and why does it leak', relevant: { P2: 1 } };
    const history = [{ role: 'user', text: 'tell me of the pump' }];
    const put = (each: object) =>
      ask<{ contentHash: string }>(app, 'PUT', '/v1/question-sets/pumps', {
        body: { questions: [each] },
      });
    const without = await put(question);
    const pipeline = { rewrite: { type: 'followUp', model: 'gpt' } };
    await run(app, pipeline);
    expect(requests).toEqual([]);

    const withHistory = await put({ ...question, history });
    await run(app, pipeline);
    const { questions } = await ask<{ questions: unknown }>(app, 'GET', '/v1/question-sets/pumps');

    expect(requests).toHaveLength(1);
    expect(requests[0]?.messages[1]?.content).toContain('user: tell me of the pump');
    expect(withHistory.contentHash).not.toBe(without.contentHash);
    expect(questions).toEqual([{ ...question, history }]);
  });

  it('has its prompts written out in the evaluation', async () => {
    const { app } = await prepare();
    const own = { type: 'llm', model: 'gpt', versions: 1, prompt: 'Say it otherwise.' };
    const { id } = await run(app, { rewrite: own, rerank });
    const { configurations } = await ask<{
      configurations: readonly { configuration: { pipeline: unknown } }[];
    }>(app, 'GET', `/v1/eval/${id}`);

    expect(configurations[0]?.configuration.pipeline).toMatchObject({
      rewrite: { prompt: 'Say it otherwise.' },
      rerank: { prompt: expect.stringContaining('You order passages') },
    });
  });

  it('says in a dry run what it may cost, and shows a probe of it', async () => {
    const { app, requests } = await prepare();
    const rewrite = [glossary, { type: 'llm', model: 'gpt', versions: 4 }];
    const body = {
      questionSet: 'pumps',
      configurations: [named('piped', { rewrite, candidates: 3, rerank })],
      probe: true,
    };
    const dryRun = await ask<Record<string, unknown>>(app, 'POST', '/v1/eval?dryRun=true', {
      body,
    });

    // 4 questions: the question, 1 version by glossary and 4 by the model; 1 call for these and 2 windows.
    expect(dryRun).toMatchObject({
      total: { searches: 24, modelCalls: 12 },
      probes: [{ pipeline: { versions: [{ kind: 'original' }, { kind: 'llm' }] } }],
    });
    expect(requests.length).toBeLessThanOrEqual(3);
  });

  it.each([
    [{ rerank: { type: 'lexical' }, versionTimeoutMs: 100 }, '"versionTimeoutMs" has no effect'],
    [{ fusion: { type: 'rrf' } }, 'neither rewrites nor re-ranks'],
    [{ rerank: { type: 'lexical' }, fusion: { type: 'scores' } }, '"fusion" has no effect'],
    [{ rewrite: glossary, candidates: 5 }, '"candidates" has no effect'],
    [{ rewrite: { type: 'followUp', model: 'gpt' } }, 'No question has a "history"'],
  ])('%j is warned of', async (pipeline, message) => {
    const { app } = await prepare();
    const body = { questionSet: 'pumps', configurations: [named('piped', pipeline)] };
    const dryRun = await ask<{ configurations: readonly { warnings: unknown }[] }>(
      app,
      'POST',
      '/v1/eval?dryRun=true',
      { body },
    );

    expect(dryRun.configurations[0]?.warnings).toEqual([
      {
        code: 'pointless-stage',
        severity: 'note',
        message: expect.stringContaining(message),
        questions: 0,
      },
    ]);
  });

  it.each([
    ['another version of a run', { rewrite: glossary }, '/body/pipeline/rewrite'],
    ['the texts of a run', { rerank: { type: 'lexical' } }, '/body/pipeline/rerank'],
  ])('cannot have %s', async (_case, pipeline, pointer) => {
    const { app } = await prepare();
    const body = { backend: 'run', run: 'r', pipeline };
    const answer = await send(app, 'PUT', '/v1/search-configurations/r', { body });

    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ pointer }] });
  });

  it.each([
    [{ rewrite: { type: 'glossary', terms: { 'two words': 'one' } } }, '/rewrite/terms/two words'],
    [{ rewrite: { type: 'glossary', terms: {} } }, '/rewrite/terms'],
    [{ rewrite: { type: 'llm', model: 'gpt', versions: 11 } }, '/rewrite/versions'],
    [{ rerank: { ...rerank, step: 2 } }, '/rerank/step'],
    [{ rerank: { ...rerank, stop: 2 } }, '/rerank/stop'],
    [{ candidates: 0 }, '/candidates'],
    [{ fuse: true }, '/fuse'],
  ])('%j is refused', async (pipeline, place) => {
    const { app } = await prepare();
    const body = { ...bm25, pipeline };
    const answer = await send(app, 'PUT', '/v1/search-configurations/c', { body });

    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ pointer: `/body/pipeline${place}` }] });
  });

  it('is refused where no model can be reached', async () => {
    const app = await createTestApp();
    await ask(app, 'PUT', '/v1/corpora/pumps', { body: { documents: pumpDocuments } });
    await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: pumpQuestions } });
    const answer = await send(app, 'POST', '/v1/eval', {
      body: { questionSet: 'pumps', configurations: [named('piped', { rerank })] },
    });

    expect(answer.statusCode).toBe(409);
  });
});

function stage(name: string, type: string, spent: object) {
  const nothing = { searches: 0, pairsReranked: 0, modelCalls: 0, promptTokens: 0 };
  const rest = { completionTokens: 0, latencyMs: expect.any(Number) };
  return { stage: name, type, ...nothing, ...rest, ...spent };
}

type Progressing = EvaluationAnswer & { readonly progress: { readonly done: number } };

const read = (app: FastifyInstance, id: string) => ask<Progressing>(app, 'GET', `/v1/eval/${id}`);

async function waitFor(app: FastifyInstance, id: string): Promise<EvaluationAnswer> {
  await waitUntil(async () => !['queued', 'running'].includes((await read(app, id)).status));
  return read(app, id);
}

async function waitUntil(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setImmediate(resolve));
}

function untilStopped(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
