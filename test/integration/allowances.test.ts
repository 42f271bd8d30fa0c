import { randomUUID } from 'node:crypto';

import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';

import { allow, createOperator } from '../helpers/allowances.ts';
import { createTestApp } from '../helpers/app.ts';
import type { Answer } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { createSender, type Sender } from '../helpers/tenants.ts';
import { createTestSignIn, providerZone, zoneA, zoneB } from '../helpers/tokens.ts';

const urlOfA = `/v1/tenants/${zoneA}/allowances`;
const access = [
  { resourceGroups: ['acme'], models: ['small', 'reranker'], deployments: ['d1'] },
  { destination: 'ACME', resourceGroups: ['*'], models: [], deployments: [] },
];
const filters = [{ id: 'f', dataRepositoryType: 'vector', dataRepositories: ['*'] }];
const aicore = {
  backend: 'aicore',
  resourceGroup: 'acme',
  filters,
  documentId: { from: 'chunkMetadata', key: 'docId' },
};
const orchestration = { ...aicore, backend: 'orchestration', model: 'small' };
const local = { backend: 'local', corpus: 'mine', method: 'bm25' };
const group = { resourceGroup: 'acme' };
const rerank = (strategy: object) => [
  { id: 'r', maxChunkCount: 5, strategy, inputs: [{ id: 'f' }] },
];

describe.each(databaseKinds)('lists of allowances on %s', (kind) => {
  let app: FastifyInstance;
  let operator: Sender;

  beforeEach(async () => {
    const databaseUrl = await createDatabase(kind);
    app = await createTestApp({ databaseUrl, signIn: await createTestSignIn() });
    operator = await createOperator(app);
  });

  it('are kept by operators of the provider, and each tenant reads its own', async () => {
    const acme = await createSender(app);
    const other = await createSender(app, { zone: zoneB });
    const first = await operator({ method: 'PUT', url: urlOfA, payload: { access } });
    const again = await operator({ method: 'PUT', url: urlOfA, payload: { access } });

    expect([first.statusCode, again.statusCode]).toEqual([201, 200]);
    expect(again.json()).toEqual(first.json());
    expect((await operator({ url: urlOfA })).json()).toMatchObject({ tenant: zoneA, access });
    expect((await acme({ url: '/v1/allowances' })).json()).toEqual({ keeper: 'provider', access });
    expect((await other({ url: '/v1/allowances' })).json()).toEqual(nothing);
    expect((await operator({ method: 'DELETE', url: urlOfA })).statusCode).toBe(204);
    expect((await operator({ method: 'DELETE', url: urlOfA })).statusCode).toBe(404);
    expect((await operator({ url: urlOfA })).statusCode).toBe(404);
    expect((await acme({ url: '/v1/allowances' })).json()).toEqual(nothing);
  });

  it('are out of reach for every other zone, whatever roles its administrators make', async () => {
    await allow(app, zoneA, access);
    const scopes = ['Read', 'Evaluate', 'Label', 'Admin', 'JOBSCHEDULER', 'Operate'];
    const senders = [
      await createSender(app, { zone: zoneA, scopes }),
      await createSender(app, { zone: zoneB, scopes }),
      await createSender(app, { zone: zoneB, scopes, client: 'sb-grounding-eval!t1' }),
      await createSender(app, { zone: providerZone, scopes: scopes.slice(0, -1) }),
    ];
    const answers: Answer[] = [];
    for (const send of senders) {
      answers.push(
        await send({ url: urlOfA }),
        await send({ method: 'PUT', url: urlOfA, payload: { access: [] } }),
        await send({ method: 'DELETE', url: urlOfA }),
      );
    }

    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 403));
    expect((await operator({ url: urlOfA })).json()).toMatchObject({ access });
  });

  it('are noted: by the name of the operator for the provider, and without it for the tenant', async () => {
    await allow(app, zoneA, access);
    await allow(app, zoneA, access);
    await allow(app, zoneA, []);
    await allow(app, zoneA, undefined);
    const acme = await readAudit(await createSender(app));
    const provider = await readAudit(await createSender(app, { zone: providerZone }));

    expect(acme).toMatchObject([
      { action: 'delete', actor: 'service/provider', kind: 'allowances', name: zoneA, after: null },
      { action: 'change', actor: 'service/provider' },
      { action: 'create', actor: 'service/provider', before: null },
    ]);
    expect(provider).toEqual(acme.map((entry) => ({ ...entry, actor: 'olga' })));
    expect(acme[1]?.before).toBe(acme[2]?.after);
    expect(await readAudit(await createSender(app, { zone: zoneB }))).toEqual([]);
  });

  it('say whether the tenant was ever here, so that a misspelt id is seen', async () => {
    const unknown = `/v1/tenants/${randomUUID()}/allowances`;
    const put = await operator({ method: 'PUT', url: unknown, payload: { access } });

    expect(put.json()).toMatchObject({ isKnown: false });
  });

  it.each([
    ['no list', {}, '/body/access'],
    [
      'an unknown field',
      { access: [{ resourceGroups: ['acme'], model: ['small'] }] },
      '/body/access/0',
    ],
    ['no resource group', { access: [{ resourceGroups: [] }] }, '/body/access/0/resourceGroups'],
    [
      'a name that is none',
      { access: [{ resourceGroups: ['a b'] }] },
      '/body/access/0/resourceGroups/0',
    ],
  ])('are refused with %s', async (_case, payload, pointer) => {
    const { statusCode, body } = await operator({ method: 'PUT', url: urlOfA, payload });

    expect(statusCode).toBe(400);
    expect(body).toContain(pointer);
  });

  it.each([
    ['the Retrieval API', aicore],
    ['a destination', { ...aicore, resourceGroup: 'any', destination: 'ACME' }],
    [
      'a re-ranker of AI Core',
      { ...aicore, postProcessing: rerank({ type: 'reranker', model: 'reranker' }) },
    ],
    ['the orchestration service', orchestration],
    ['a model', { ...local, pipeline: { rerank: { type: 'llm', model: 'small', ...group } } }],
    ['no model at all', { ...local, pipeline: { rerank: { type: 'lexical' } } }],
  ])('let configurations be saved that use what is listed: %s', async (_case, payload) => {
    await allow(app, zoneA, access);

    expect((await save(app, payload)).statusCode).toBe(201);
  });

  it.each<readonly [string, object, string]>([
    ['another group', { ...aicore, resourceGroup: 'rival' }, '/body/resourceGroup'],
    ['a group of other letters', { ...aicore, resourceGroup: 'ACME' }, '/body/resourceGroup'],
    ['another destination', { ...aicore, destination: 'RIVAL' }, '/body/destination'],
    [
      'another group by orchestration',
      { ...orchestration, resourceGroup: 'rival' },
      '/body/resourceGroup',
    ],
    ['another model', { ...orchestration, model: 'large' }, '/body/model'],
    ['a model by a way without', { ...orchestration, destination: 'ACME' }, '/body/model'],
    [
      'another re-ranker',
      { ...aicore, postProcessing: rerank({ type: 'reranker', model: 'dear' }) },
      '/body/postProcessing/0/strategy/model',
    ],
    [
      'a re-ranker that is not named',
      { ...aicore, postProcessing: rerank({ type: 'reranker' }) },
      '/body/postProcessing/0/strategy/model',
    ],
    [
      'a re-ranker in another shape',
      { ...aicore, postProcessing: rerank({ type: 'new', model: { name: 'small' } }) },
      '/body/postProcessing/0/strategy/model',
    ],
    [
      'an llm re-ranking',
      stage('rerank', 'llm', { model: 'large', ...group }),
      '/body/pipeline/rerank/model',
    ],
    [
      'an llm rewriting',
      stage('rewrite', 'llm', { model: 'large', ...group }),
      '/body/pipeline/rewrite/model',
    ],
    [
      'a hypothetical passage',
      stage('rewrite', 'hyde', { model: 'small', resourceGroup: 'rival' }),
      '/body/pipeline/rewrite/resourceGroup',
    ],
    [
      'a follow-up',
      stage('rewrite', 'followUp', { model: 'small', destination: 'RIVAL' }),
      '/body/pipeline/rewrite/destination',
    ],
    [
      'the group that is usual',
      stage('rewrite', 'hyde', { model: 'small' }),
      '/body/pipeline/rewrite',
    ],
    [
      'a stage around AI Core',
      {
        ...aicore,
        pipeline: {
          rewrite: [
            { type: 'glossary', terms: { a: 'b' } },
            { type: 'hyde', model: 'large' },
          ],
        },
      },
      '/body/pipeline/rewrite/1/model',
    ],
  ])('refuse configurations that use what is not listed: %s', async (_case, payload, pointer) => {
    await allow(app, zoneA, access);
    await allow(app, zoneB, [{ resourceGroups: ['*'], models: ['*'], deployments: ['*'] }]);
    const answer = await save(app, payload);

    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({
      type: 'urn:problem:grounding-eval:not-allowed',
      detail: expect.stringMatching(
        /^Not allowed: .+ is not listed\. The provider .+ operators of the provider can change it$/,
      ) as string,
      errors: [{ pointer }],
    });
  });

  it('refuse a model where no deployment is listed that answers with it', async () => {
    await allow(app, zoneA, [{ resourceGroups: ['acme'], models: ['small'], deployments: [] }]);

    expect((await save(app, orchestration)).body).toContain('no deployment');
    expect((await save(app, aicore)).statusCode).toBe(201);
  });

  it('refuse all where nothing is listed', async () => {
    const answers = [await save(app, aicore), await save(app, orchestration)];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403]);
    expect((await save(app, local)).statusCode).toBe(201);
  });

  it('name the place in requests that refer to configurations', async () => {
    await allow(app, zoneA, access);
    const acme = await createSender(app);
    await save(app, aicore);
    await allow(app, zoneA, undefined);
    const questions = [{ id: 'q1', text: 'asked', relevant: { D1: 1 } }];
    await acme({ method: 'PUT', url: '/v1/question-sets/mine', payload: { questions } });
    const evaluation = { questionSet: 'mine', configurations: ['c', { name: 'd', ...aicore }] };
    const schedule = { cron: '15 2 * * *', timeZone: 'UTC', evaluation };
    const answers = [
      await acme({ method: 'POST', url: '/v1/eval', payload: evaluation }),
      await acme({ method: 'POST', url: '/v1/eval?dryRun=true', payload: evaluation }),
      await acme({ method: 'PUT', url: '/v1/schedules/nightly', payload: schedule }),
      await acme({ url: '/v1/aicore/repositories?resourceGroup=acme' }),
    ];
    const pointers = answers.map((answer) =>
      answer.json<{ errors: { pointer: string }[] }>().errors.map(({ pointer }) => pointer),
    );

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403]);
    expect(pointers).toEqual([
      ['/body/configurations/0', '/body/configurations/1/resourceGroup'],
      ['/body/configurations/0', '/body/configurations/1/resourceGroup'],
      ['/body/evaluation/configurations/0', '/body/evaluation/configurations/1/resourceGroup'],
      ['/query/resourceGroup'],
    ]);
  });
});

it('a list of the environment is shown, and is not changed by requests', async () => {
  const allowed = [{ resourceGroups: ['mine'], models: ['*'], deployments: ['*'] }];
  const app = await createTestApp({ allowed });
  const put = await app.inject({
    method: 'PUT',
    url: '/v1/tenants/x/allowances',
    payload: { access },
  });
  const saved = await app.inject({
    method: 'PUT',
    url: '/v1/search-configurations/c',
    payload: { ...aicore, resourceGroup: 'default' },
  });

  expect((await app.inject('/v1/allowances')).json()).toEqual({
    keeper: 'environment',
    access: allowed,
  });
  expect(put.statusCode).toBe(409);
  expect(saved.statusCode).toBe(403);
  expect(saved.body).toContain('AICORE_RESOURCE_GROUPS');
});

const nothing = { keeper: 'provider', access: [] };

function stage(step: 'rewrite' | 'rerank', type: string, change: object): object {
  return { ...local, pipeline: { [step]: { type, ...change } } };
}

async function save(app: FastifyInstance, payload: object): Promise<Answer> {
  const acme = await createSender(app);
  return acme({ method: 'PUT', url: '/v1/search-configurations/c', payload });
}

interface Noted {
  readonly id: number;
  readonly before: string | null;
  readonly after: string | null;
}

async function readAudit(send: Sender): Promise<readonly Noted[]> {
  const page = await send({ url: '/v1/audit?kind=allowances' });
  return page.json<{ items: readonly Noted[] }>().items;
}
