import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { RetrieverError } from '../../src/errors.ts';
import type { RetrieverRegistry } from '../../src/retrieval/registry.ts';
import { createTestApp, type TestServiceOptions } from '../helpers/app.ts';
import { ask, evaluate, send } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { pumpDocuments } from '../helpers/fixtures.ts';
import { noCost } from '../../src/model/outcome.ts';

interface ParetoAnswer {
  readonly questions: number;
  readonly leftOut: number;
  readonly prices: object | null;
  readonly configurations: readonly {
    readonly configuration: string;
    readonly quality: number;
    readonly interval: { readonly low: number; readonly high: number };
    readonly latencyP95Ms: number | null;
    readonly callsPerQuestion: number | null;
    readonly costPerQuestion: number | null;
    readonly missingPrices: readonly string[];
    readonly isOnFront: boolean | null;
    readonly dominatedBy: readonly string[];
    readonly possiblyDominatedBy: readonly string[];
    readonly perhapsDominatedBy: readonly string[];
  }[];
}

/** Each method finds the answer at a rank (0: not at all, -1: it fails), in a time and with calls of its own. */
const methods: Record<
  string,
  { ranks: number[]; latencyMs: number; calls: number; pairs: number }
> = {
  bm25: { ranks: [1, 2, 4, 1, 1], latencyMs: 10, calls: 0, pairs: 0 },
  vector: { ranks: [2, 2, 4, 1, 1], latencyMs: 20, calls: 0, pairs: 0 },
  hybrid: { ranks: [1, 1, 2, 1, -1], latencyMs: 20, calls: 0, pairs: 0 },
  rerank: { ranks: [1, 1, 1, 1, 1], latencyMs: 90, calls: 1, pairs: 8 },
};
/** As `rerank`, and three of its five searches fail. */
const failing = { ranks: [1, -1, -1, 1, -1], latencyMs: 90, calls: 1, pairs: 8 };

/** With `repaired`, the method that fails searches as the best one does. */
const createRetrievers = (state = { repaired: false }): RetrieverRegistry => ({
  createRetriever: async (configuration) => ({
    async retrieve(_text, { questionId = '' }) {
      const asked = configuration.backend === 'local' ? configuration.method : '';
      const method = methods[state.repaired ? 'rerank' : asked];
      const { ranks = [], latencyMs = 5, calls = 0, pairs = 0 } = method ?? {};
      const rank = ranks[Number(questionId)] ?? 0;
      if (rank < 0) throw new RetrieverError('retriever-failed', 'told to fail', { attempts: 1 });
      const hits = Array.from({ length: rank }, (_, index) => ({
        documentId: index === rank - 1 ? 'yes' : `no${index}`,
        chunkId: null,
        score: -index,
      }));
      const spent = { searches: 1, attempts: 1, pairsReranked: pairs, modelCalls: calls };
      return { hits, cost: { ...noCost, ...spent, latencyMs } };
    },
  }),
});

const questions = Array.from({ length: 5 }, (_, index) => ({
  id: `${index}`,
  text: `question ${index}`,
  relevant: { yes: 1 },
}));
const local = (method: string) => ({ name: method, backend: 'local', corpus: 'pumps', method });
const prices = { currency: 'EUR', perSearch: 0.002, perRerankedPair: 0.0001, perModelCall: 0.01 };

async function prepare(
  options: Pick<TestServiceOptions, 'databaseUrl' | 'retrievers' | 'now'> = {},
): Promise<FastifyInstance> {
  const app = await createTestApp({ retrievers: createRetrievers(), ...options });
  await ask(app, 'PUT', '/v1/corpora/pumps', { body: { documents: pumpDocuments } });
  await ask(app, 'PUT', '/v1/question-sets/s', { body: { questions } });
  return app;
}

describe('GET /v1/eval/{id}/pareto', () => {
  let app: FastifyInstance;
  let id: string;
  const pareto = async (query: string) =>
    ask<ParetoAnswer>(app, 'GET', `/v1/eval/${id}/pareto?measure=RR&${query}`);

  const readCosts = async () =>
    (await pareto('against=cost')).configurations.map((each) => each.costPerQuestion);

  beforeEach(async () => {
    app = await prepare();
    const configurations = Object.keys(methods).map(local);
    ({ id } = await evaluate(app, { questionSet: 's', configurations, measures: ['RR'] }));
  });

  it('holds quality over the common questions against time and calls', async () => {
    const { questions: common, leftOut, prices: none, configurations } = await pareto('');

    // By hand, over the four questions that hybrid did not fail on: (1 + 1/2 + 1/4 + 1) / 4,
    // (1/2 + 1/2 + 1/4 + 1) / 4, (1 + 1 + 1/2 + 1) / 4 and 1.
    expect({ common, leftOut, none }).toEqual({ common: 4, leftOut: 1, none: null });
    expect(configurations).toMatchObject([
      {
        configuration: 'bm25',
        quality: 2.75 / 4,
        latencyP95Ms: 10,
        callsPerQuestion: 1,
        isOnFront: true,
      },
      {
        configuration: 'vector',
        quality: 2.25 / 4,
        isOnFront: false,
        dominatedBy: ['bm25', 'hybrid'],
      },
      {
        configuration: 'hybrid',
        quality: 3.5 / 4,
        latencyP95Ms: 20,
        callsPerQuestion: 1,
        isOnFront: true,
      },
      {
        configuration: 'rerank',
        quality: 1,
        latencyP95Ms: 90,
        callsPerQuestion: 2,
        isOnFront: true,
      },
    ]);
    expect(configurations[2]?.interval.low).toBeLessThan(3.5 / 4);
    expect(configurations.map(({ costPerQuestion }) => costPerQuestion)).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it('lets no configuration win by failing, and shows the failures', async () => {
    const before = methods['hybrid'];
    methods['hybrid'] = failing;
    onTestFinished(() => {
      if (before) methods['hybrid'] = before;
    });
    await ask(app, 'PUT', '/v1/prices', { body: prices });
    const configurations = [local('rerank'), local('hybrid')];
    ({ id } = await evaluate(app, { questionSet: 's', configurations, measures: ['RR'] }));
    const answer = await pareto('against=latency&against=calls&against=cost');
    const report = (await app.inject(`/v1/eval/${id}/report?format=markdown`)).body;

    // Over the two questions that both answered: a search, 8 pairs and a model call each.
    const same = {
      quality: 1,
      latencyP95Ms: 90,
      callsPerQuestion: 2,
      costPerQuestion: expect.closeTo(0.0128, 12),
    };
    expect(answer).toMatchObject({
      questions: 2,
      leftOut: 3,
      configurations: [
        { configuration: 'rerank', ...same, failed: 0, isOnFront: true, dominatedBy: [] },
        { configuration: 'hybrid', ...same, failed: 3, isOnFront: false, dominatedBy: ['rerank'] },
      ],
    });
    expect(report).toMatch(/rerank .*\| 0 +\| none is both better and faster/);
    expect(report).toMatch(
      /hybrid .*\| 3 +\| no worse, and better, faster or failing less: rerank/,
    );
  });

  it('is no table in a report of one configuration', async () => {
    const configurations = [local('bm25')];
    ({ id } = await evaluate(app, { questionSet: 's', configurations, measures: ['RR'] }));
    const report = (await app.inject(`/v1/eval/${id}/report?format=markdown`)).body;

    expect(report).not.toContain('Quality versus');
    expect(report).not.toContain('none is both better and faster');
  });

  it('is no table in a report where no search was timed', async () => {
    for (const name of ['old', 'new']) {
      const rankings = { 0: [{ documentId: 'yes' }], 1: [{ documentId: name }] };
      await ask(app, 'PUT', `/v1/runs/${name}`, { body: { rankings } });
    }
    const configurations = ['old', 'new'].map((name) => ({ name, backend: 'run', run: name }));
    ({ id } = await evaluate(app, { questionSet: 's', configurations, measures: ['RR'] }));
    const report = (await app.inject(`/v1/eval/${id}/report?format=markdown`)).body;

    expect(report).not.toContain('Quality versus');
  });

  // Of 94 ms, 5 % are 4.7 ms; of 2.2 ms, 1 ms is more than 5 %.
  it.each([
    ['within 5 %', 90, 94, true],
    ['beyond 5 %', 90, 96, false],
    ['within 1 ms', 1.3, 2.2, true],
    ['beyond 1 ms', 1.3, 2.4, false],
  ])('takes times %s of each other for what they are', async (_case, fast, slow, isEqual) => {
    const [bm25, vector] = [methods['bm25']!, methods['vector']!];
    onTestFinished(() => void Object.assign(methods, { bm25, vector }));
    Object.assign(methods, {
      bm25: { ...bm25, latencyMs: fast },
      vector: { ...bm25, latencyMs: slow },
    });
    const configurations = [local('bm25'), local('vector')];
    ({ id } = await evaluate(app, { questionSet: 's', configurations, measures: ['RR'] }));
    const { configurations: found } = await ask<ParetoAnswer>(
      app,
      'GET',
      `/v1/eval/${id}/pareto?measure=RR&against=latency`,
    );
    const report = (await app.inject(`/v1/eval/${id}/report?format=markdown`)).body;

    expect(found.map(({ isOnFront }) => isOnFront)).toEqual([true, isEqual]);
    expect(report).toContain('Latencies within 5 % or 1 ms, and calls within 5 %, count as equal.');
    expect(report.split('none is both better and faster')).toHaveLength(isEqual ? 3 : 2);
  });

  it('reckons the cost by the price table, and names it', async () => {
    await ask(app, 'PUT', '/v1/prices', { body: prices });
    const { prices: named, configurations } = await pareto('against=cost&against=latency');

    expect(named).toMatchObject({ version: 1, currency: 'EUR' });
    const costs = configurations.map(({ costPerQuestion }) => costPerQuestion);
    // A search is 0.002; re-ranking adds 8 × 0.0001 and a model call of 0.01.
    expect(costs).toEqual([0.002, 0.002, 0.002, 0.0128].map((cost) => expect.closeTo(cost, 12)));
  });

  it('knows no cost where something used has no price', async () => {
    await ask(app, 'PUT', '/v1/prices', { body: { currency: 'EUR', perSearch: 0.002 } });
    const { configurations } = await pareto('against=cost');

    const [bm25, , , rerank] = configurations;
    expect(bm25).toMatchObject({ costPerQuestion: 0.002, missingPrices: [] });
    expect(rerank).toMatchObject({
      costPerQuestion: null,
      missingPrices: ['perRerankedPair', 'perModelCall'],
    });
  });

  it('keeps to the version of the prices that is asked for', async () => {
    await ask(app, 'PUT', '/v1/prices', { body: { currency: 'EUR', perSearch: 1 } });
    await ask(app, 'PUT', '/v1/prices', { body: { currency: 'EUR', perSearch: 2 } });

    const [{ costPerQuestion } = {}] = (await pareto('against=cost&prices=1')).configurations;
    expect(costPerQuestion).toBe(1);
  });

  it('follows the prices when it is asked again, and so does the report', async () => {
    const report = async () => (await app.inject(`/v1/eval/${id}/report?format=markdown`)).body;
    const before = [await readCosts(), await report()];
    await ask(app, 'PUT', '/v1/prices', { body: prices });
    const priced = [await readCosts(), await report()];
    await ask(app, 'PUT', '/v1/prices', { body: { ...prices, perSearch: 1 } });

    expect(before).toEqual([[null, null, null, null], expect.not.stringContaining('EUR')]);
    expect(priced).toEqual([
      [0.002, 0.002, 0.002, expect.closeTo(0.0128, 12)],
      expect.stringContaining('prices 1'),
    ]);
    expect(await readCosts()).toEqual([1, 1, 1, expect.closeTo(1.0108, 12)]);
    expect(await report()).toContain('prices 2');
  });

  it('follows what is searched again, even at the same time of day', async () => {
    const state = { repaired: false };
    app = await prepare({
      retrievers: createRetrievers(state),
      now: () => '2026-12-01T00:00:00.000Z',
    });
    const configurations = Object.keys(methods).map(local);
    ({ id } = await evaluate(app, { questionSet: 's', configurations, measures: ['RR'] }));
    const before = await pareto('');
    state.repaired = true;
    await ask(app, 'POST', `/v1/eval/${id}/retry-failed`, { headers: { prefer: 'wait=30' } });
    const after = await pareto('');
    const report = await app.inject(`/v1/eval/${id}/report?format=markdown`);

    // By hand: hybrid finds the answer to the last question at rank 1 now.
    expect([before.questions, after.questions]).toEqual([4, 5]);
    expect(after.configurations.map(({ quality }) => quality)).toEqual(
      [3.75 / 5, 3.25 / 5, 4.5 / 5, 1].map((quality) => expect.closeTo(quality, 12)),
    );
    expect(report.body).toContain('Over the 5 questions');
  });

  it('says unknown, not 0, of rankings that were brought in', async () => {
    const rankings = { 0: [{ documentId: 'yes' }] };
    await ask(app, 'PUT', '/v1/runs/own', { body: { rankings } });
    const own = { name: 'own', backend: 'run', run: 'own' };
    const configurations = [local('bm25'), own];
    ({ id } = await evaluate(app, { questionSet: 's', configurations, measures: ['RR'] }));

    const unknown = { latencyP95Ms: null, callsPerQuestion: null, costPerQuestion: null };
    const perhaps = {
      isOnFront: null,
      possiblyDominatedBy: ['bm25'],
      perhapsDominatedBy: ['bm25'],
    };
    const answer = await pareto('');
    expect(answer.configurations[1]).toMatchObject({
      configuration: 'own',
      ...unknown,
      ...perhaps,
    });
  });

  it('says unknown, not 0, of an evaluation that was scored again', async () => {
    const rescored = await send(app, 'POST', `/v1/eval/${id}/rescore`, {
      body: {},
      headers: { prefer: 'wait=30' },
    });
    ({ id } = rescored.json<{ id: string }>());

    const { configurations } = await pareto('');
    expect(configurations.map((each) => [each.latencyP95Ms, each.callsPerQuestion])).toEqual(
      configurations.map(() => [null, null]),
    );
  });

  it.each([
    ['against=nothing', 400],
    ['prices=7', 404],
  ])('refuses ?%s', async (query, status) => {
    const url = `/v1/eval/${id}/pareto?measure=RR&${query}`;
    expect((await app.inject({ url })).statusCode).toBe(status);
  });
});

describe.each(databaseKinds)('/v1/prices on %s', (kind) => {
  it('makes a version for each change, and keeps the earlier ones', async () => {
    const app = await prepare({ databaseUrl: await createDatabase(kind) });
    const put = (body: unknown) => send(app, 'PUT', '/v1/prices', { body });

    expect((await app.inject({ url: '/v1/prices' })).statusCode).toBe(404);
    const answers = [await put(prices), await put({ ...prices }), await put({ currency: 'USD' })];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 200, 201]);
    expect(answers.map((answer) => answer.json<{ version: number }>().version)).toEqual([1, 1, 2]);
    expect(await ask(app, 'GET', '/v1/prices')).toMatchObject({
      version: 2,
      prices: { currency: 'USD' },
    });
    expect(await ask(app, 'GET', '/v1/prices?version=1')).toMatchObject({ version: 1, prices });
  });

  it('counts versions up when many change it at once', async () => {
    const app = await prepare({ databaseUrl: await createDatabase(kind) });
    const bodies = Array.from({ length: 8 }, (_, index) => ({ currency: 'EUR', perSearch: index }));

    const answers = await Promise.all(
      bodies.map((body) => ask<{ version: number }>(app, 'PUT', '/v1/prices', { body })),
    );

    const versions = answers.map(({ version }) => version).toSorted((a, b) => a - b);
    expect(versions).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it.each([
    [{ currency: 'eur' }, '/body/currency'],
    [{ currency: 'EUR', perSearch: -1 }, '/body/perSearch'],
    [
      { currency: 'EUR', models: { m: { per1000PromptTokens: 1 } } },
      '/body/models/m/per1000CompletionTokens',
    ],
  ])('refuses %j', async (body, pointer) => {
    const app = await prepare({ databaseUrl: await createDatabase(kind) });
    const answer = await send(app, 'PUT', '/v1/prices', { body });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ pointer }] });
  });
});
