import { randomUUID } from 'node:crypto';

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { createEvaluation } from '../../src/evaluation/planning/create-evaluation.ts';
import { hashSearch } from '../../src/evaluation/outcomes/search-hash.ts';
import { searchUnfiltered } from '../../src/evaluation/searching/search-unfiltered.ts';
import { noIntegrations } from '../../src/jobs/delivery/integrations.ts';
import { runDueTicks } from '../../src/jobs/run-due-ticks.ts';
import { parseServiceKey } from '../../src/retrieval/ai-core/service-key.ts';
import type { AllowedAccess } from '../../src/model/allowances.ts';
import { readDiagnosisSearches } from '../../src/storage/evaluations/diagnosis-searches.ts';
import { listConfigurations } from '../../src/storage/evaluations/evaluation-configurations.ts';
import { findEvaluation } from '../../src/storage/evaluations/evaluations.ts';
import { readScheduledRequest } from '../../src/schemas/schedule.ts';
import { scopeToTenant } from '../../src/storage/database/tenant-scope.ts';
import { type AiCoreStub, type Fault, faults } from 'grounding-eval-testing';
import { allow } from '../helpers/allowances.ts';
import { startService, type TestService } from '../helpers/app.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { pumpDocuments, pumpQuestions } from '../helpers/fixtures.ts';
import { startStub } from '../helpers/grounding.ts';
import { bindTo } from '../helpers/nightly.ts';
import { waitFor } from '../helpers/poll.ts';
import {
  nameThings,
  ownThings,
  schedulerHost,
  storeThings,
  type Things,
  walk,
} from '../helpers/tenant-walk.ts';
import { createSender, type Sender } from '../helpers/tenants.ts';
import { createTestSignIn, zoneA } from '../helpers/tokens.ts';

const resourceGroup = 'acme-group';
const model = 'small';
const everything = { resourceGroups: [resourceGroup], models: [model], deployments: ['*'] };
const filters = [{ id: 'f', dataRepositoryType: 'vector', dataRepositories: ['*'] }];
const documentId = { from: 'chunkMetadata', key: 'docId' };
const aicore = { backend: 'aicore', resourceGroup, filters, documentId };
const reranker = { type: 'reranker', model };
const reranked = { id: 'r', maxChunkCount: 5, strategy: reranker, inputs: [{ id: 'f' }] };
const local = { backend: 'local', corpus: 'acme-corpus', method: 'bm25' };
const asked = { model, resourceGroup };
const searched = ['createEvaluation', 'retryFailedQuestions', 'startJobRun'];
const listed = 'listDataRepositories';

interface Way {
  readonly way: string;
  readonly configuration: object;
  /** What is left of the list; undefined: nothing. */
  readonly narrowed: readonly AllowedAccess[] | undefined;
  /** Operations that reach AI Core while all that the configuration uses is listed. */
  readonly reaching: readonly string[];
  /** Those that still may, as the list still has the resource group. */
  readonly left?: readonly string[];
}

const reachingByModel = ['createEvaluation', listed, 'startJobRun'];
const all = [...searched, listed];
const ways: readonly Way[] = [
  { way: 'the Retrieval API', configuration: aicore, narrowed: undefined, reaching: all },
  {
    way: 'the Retrieval API with a re-ranker',
    configuration: { ...aicore, postProcessing: [reranked] },
    narrowed: [{ ...everything, models: ['other'] }],
    reaching: all,
    left: [listed],
  },
  {
    way: 'the orchestration service',
    configuration: { ...aicore, backend: 'orchestration', model },
    narrowed: [{ ...everything, deployments: [] }],
    reaching: all,
    left: [listed],
  },
  {
    way: 'rewriting by a model',
    configuration: { ...local, pipeline: { rewrite: { type: 'llm', ...asked } } },
    narrowed: [{ ...everything, resourceGroups: ['other'] }],
    reaching: reachingByModel,
  },
  {
    way: 'hypothetical passages',
    configuration: { ...local, pipeline: { rewrite: { type: 'hyde', ...asked } } },
    narrowed: [{ ...everything, destination: 'ELSEWHERE' }],
    reaching: reachingByModel,
  },
  {
    way: 'follow-ups',
    configuration: { ...local, pipeline: { rewrite: { type: 'followUp', ...asked } } },
    narrowed: [{ ...everything, models: [] }],
    reaching: reachingByModel,
    left: [listed],
  },
  {
    way: 're-ranking by a model',
    configuration: { ...local, pipeline: { rerank: { type: 'llm', ...asked } } },
    narrowed: [],
    reaching: reachingByModel,
  },
];
const integrations = { ...noIntegrations, jobScheduler: bindTo(schedulerHost) };

let stub: AiCoreStub;
/** What AI Core answers; undefined: as it should. */
let fault: Fault | undefined;

beforeEach(async () => {
  fault = undefined;
  const choose = () => fault;
  stub = await startStub({
    resourceGroups: [resourceGroup],
    faults: choose,
    corpus: pumpDocuments,
  });
});

describe('a tenant reaches AI Core by what is listed for it alone, by every route', () => {
  it.each(ways)('$way', { timeout: 240_000 }, async (way) => {
    const { app } = await start('sqlite');
    const allowed = await fill(app, way, randomUUID());
    const narrowed = await fill(app, way, randomUUID());
    await allow(app, narrowed.zone, way.narrowed);

    expect(await findReaching(allowed)).toEqual(way.reaching.toSorted());
    expect(await findReaching(narrowed)).toEqual(way.left ?? []);
  });
});

describe.each(databaseKinds)('a list that became shorter, on %s', (kind) => {
  it('ends an evaluation before its first search, and lets it go on when it is longer again', async () => {
    const databaseUrl = await createDatabase(kind);
    const made = await start(kind, { databaseUrl });
    const tenant = await fill(made.app, ways[0] as Way, zoneA);
    const before = stub.requests.length;
    const request = {
      questionSet: 'own',
      configurations: [
        { name: 'r', backend: 'run', run: 'own', depth: 10 } as const,
        'acme-configuration',
      ],
      sliceBy: [],
    };
    const now = new Date().toISOString();
    // As if the process had ended right after it stored the evaluation.
    await createEvaluation(scopeToTenant(made.db, zoneA), request, { id: 'interrupted', now });
    await allow(made.app, zoneA, undefined);
    await made.close();
    const { app } = await start(kind, { databaseUrl, resume: true });
    const send = await createSender(app);
    const ended = await readEnd(send, 'interrupted');

    expect(ended).toMatchObject({ status: 'failed', error: { code: 'not-allowed' } });
    expect(JSON.stringify(ended)).toContain("configuration 'acme-configuration'");
    expect(stub.requests).toHaveLength(before);
    const retry = { method: 'POST', url: '/v1/eval/interrupted/retry-failed' } as const;
    expect((await send(retry)).statusCode).toBe(403);
    await allow(app, zoneA, [everything]);
    expect((await send(retry)).statusCode).toBeLessThan(300);
    expect(await readEnd(send, 'interrupted')).toMatchObject({ status: 'succeeded' });
    expect(tenant.zone).toBe(zoneA);
  });

  it('fails the ticks of schedules', async () => {
    const service = await start(kind);
    const { send } = await fill(service.app, ways[0] as Way, zoneA);
    const before = stub.requests.length;
    const evaluation = { questionSet: 'own', configurations: ['acme-configuration'] };
    const payload = { cron: '* * * * *', timeZone: 'UTC', evaluation };
    const url = '/v1/schedules/each-minute';
    expect((await send({ method: 'PUT', url, payload })).statusCode).toBe(201);
    await allow(service.app, zoneA, undefined);
    const later = new Date(Date.now() + 90_000).toISOString();
    const log = { info: () => undefined, error: () => undefined };
    const readRequest = readScheduledRequest;
    await runDueTicks({ ...service, readRequest, log, createId: randomUUID, now: () => later });

    const refused = expect.objectContaining({ code: 'not-allowed' }) as unknown;
    expect((await send({ url })).json()).toMatchObject({
      lastRuns: expect.arrayContaining([
        expect.objectContaining({ status: 'failed', error: refused }),
      ]) as unknown,
    });
    expect(stub.requests).toHaveLength(before);
  });

  it('keeps deep diagnoses from searching', async () => {
    const service = await start(kind);
    const users = { anna: { documentMetadata: [{ key: 'docId', value: ['none'] }] } };
    const way = { ...(ways[0] as Way), configuration: { ...aicore, users } };
    const { send } = await fill(service.app, way, zoneA);
    const questions = pumpQuestions.slice(0, 3).map((question) => ({ ...question, user: 'anna' }));
    await send({ method: 'PUT', url: '/v1/question-sets/own', payload: { questions } });
    const request = { questionSet: 'own', configurations: ['acme-configuration'] };
    const headers = { prefer: 'wait=30' };
    const made = await send({ method: 'POST', url: '/v1/eval', payload: request, headers });
    const { id } = made.json<{ id: string }>();
    const db = scopeToTenant(service.db, zoneA);
    const evaluation = await findEvaluation(db, id);
    const [configuration] = await listConfigurations(db, id);
    if (!evaluation || !configuration) throw new Error('The evaluation is not there');
    const before = stub.requests.length;
    await allow(service.app, zoneA, undefined);
    const { signal } = new AbortController();
    const context = { ...service, db, searchConcurrency: 2, now: () => new Date().toISOString() };
    await searchUnfiltered(context, evaluation, { configuration, abort: signal, drain: signal });
    const failed = await readDiagnosisSearches(db, id, hashSearch(configuration));

    expect(made.json()).toMatchObject({ status: 'succeeded' });
    expect(stub.requests).toHaveLength(before);
    expect([...failed.values()].map(({ documentIds }) => documentIds)).toEqual(
      questions.map(() => null),
    );
  });
});

interface Filled {
  readonly zone: string;
  readonly send: Sender;
  readonly things: Things;
}

async function start(
  kind: (typeof databaseKinds)[number],
  options: { readonly databaseUrl?: string; readonly resume?: boolean } = {},
): Promise<TestService> {
  const databaseUrl = options.databaseUrl ?? (await createDatabase(kind));
  const serviceKey = parseServiceKey(stub.serviceKey);
  const service = await startService({
    ...options,
    databaseUrl,
    integrations,
    aiCore: { serviceKey, concurrency: 8, timeoutMs: 10_000, attempts: 1 },
    signIn: await createTestSignIn(),
  });
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await service.close();
  };
  onTestFinished(close);
  return { ...service, close };
}

/** Gives a tenant one of everything, with an evaluation of which as much failed as can. */
async function fill(
  app: TestService['app'],
  { configuration }: Way,
  zone: string,
): Promise<Filled> {
  const send = await createSender(app, { zone });
  await allow(app, zone, [everything]);
  const unfinished = nameThings('acme', '');
  const history = [{ role: 'user', text: 'what about the pump' }];
  const questions = pumpQuestions.map((question) => ({ ...question, history }));
  const stored = [...storeThings(unfinished), ...ownThings].map((request) => {
    if (request.url === '/v1/search-configurations/acme-configuration') {
      return { ...request, payload: configuration };
    }
    return request.url === '/v1/question-sets/own'
      ? { ...request, payload: { questions } }
      : request;
  });
  for (const request of stored) expect((await send(request)).statusCode).toBeLessThan(300);
  fault = faults.internalError();
  const payload = { questionSet: 'own', configurations: ['acme-configuration'], measures: ['RR'] };
  const headers = { prefer: 'wait=30' };
  const made = await send({ method: 'POST', url: '/v1/eval', payload, headers });
  fault = undefined;
  expect(made.statusCode).toBe(200);
  return { zone, send, things: nameThings('acme', made.json<{ id: string }>().id) };
}

/** Reads first, what deletes last, so that each operation finds what it is about. */
const order = [/^(get|list|watch)/, /^(create|retry|start)/, /^(?!delete)/, /^delete/];

/** The operations that call AI Core, each sent by the tenant with things of its own. */
async function findReaching({ send, things }: Filled): Promise<readonly string[]> {
  const operations = Object.keys(walk).toSorted((a, b) => rankOf(a) - rankOf(b));
  const reaching: string[] = [];
  for (const operation of operations) {
    const before = stub.requests.length;
    for (const request of walk[operation]?.(things, things.evaluation) ?? []) await send(request);
    await waitFor(() => isIdle(send));
    if (stub.requests.length > before) reaching.push(operation);
  }
  return reaching.toSorted();
}

function rankOf(operation: string): number {
  return order.findIndex((pattern) => pattern.test(operation));
}

async function isIdle(send: Sender): Promise<boolean> {
  const { items } = (await send({ url: '/v1/eval?limit=1000' })).json<{
    items: readonly { readonly status: string }[];
  }>();
  return items.every(({ status }) => status !== 'queued' && status !== 'running');
}

/** An evaluation once it has ended. */
function readEnd(send: Sender, id: string): Promise<object> {
  return waitFor(async () => {
    const found = (await send({ url: `/v1/eval/${id}` })).json<{ readonly status: string }>();
    return found.status !== 'queued' && found.status !== 'running' && found;
  });
}
