import { randomUUID } from 'node:crypto';

import type { FastifyInstance, InjectOptions } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';

import { accessByOperation } from '../../src/http/access/scopes.ts';
import { noIntegrations } from '../../src/jobs/delivery/integrations.ts';
import { allow } from '../helpers/allowances.ts';
import { createTestApp } from '../helpers/app.ts';
import type { Answer } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { bindTo } from '../helpers/nightly.ts';
import {
  evaluateThings,
  nameThings,
  ownEvaluation,
  ownThings,
  readThings,
  runJob,
  schedulerHost,
  secret,
  storeThings,
  type Things,
  walk,
} from '../helpers/tenant-walk.ts';
import { createSender, type Sender } from '../helpers/tenants.ts';
import { createTestSignIn, zoneA } from '../helpers/tokens.ts';

const integrations = {
  ...noIntegrations,
  jobScheduler: bindTo(schedulerHost),
  targetPolicy: { hosts: ['hooks.example.test'], allowLoopback: false },
};

describe.each(databaseKinds)('tenants on %s', (kind) => {
  let app: FastifyInstance;
  let acme: Sender;
  let things: Things;

  beforeEach(async () => {
    const databaseUrl = await createDatabase(kind);
    app = await createTestApp({ databaseUrl, integrations, signIn: await createTestSignIn() });
    acme = await createSender(app, { user: secret });
    await allow(app, zoneA, [{ resourceGroups: [secret], models: [secret], deployments: ['*'] }]);
    things = await fill(acme);
  });

  it('learn and change nothing of each other by any route', { timeout: 300_000 }, async () => {
    const before = await sendAll(acme, readThings(things));
    const unknown = nameThings('zero', randomUUID());

    const strangers = await walkAll(app, things);
    const nobodys = await walkAll(app, unknown);

    expect(strangers.map(normalize(things))).toEqual(nobodys.map(normalize(unknown)));
    expect(strangers.filter(({ text }) => text.includes(secret))).toEqual([]);
    expect(await sendAll(acme, readThings(things))).toEqual(before);
  });

  it('have something to lose: whose it is gets it by the same requests', async () => {
    const answers = await Promise.all(readThings(things).map((request) => acme(request)));
    const found = answers.filter(({ statusCode }) => statusCode < 300);

    expect(found.length / answers.length).toBeGreaterThan(0.8);
    expect(found.filter(({ body }) => body.includes(secret)).length).toBeGreaterThan(15);
  });

  it('find in lists what is theirs alone', async () => {
    const stranger = await createSender(app, { zone: randomUUID() });
    const lists = Object.entries(walk).filter(([operation]) => operation.startsWith('list'));
    const urls = lists.map(([, requests]) => requests(things, '')[0]?.url as string);
    const paged = urls.filter((url) => url.endsWith('limit=1000'));
    const pages = await Promise.all(paged.map((url) => stranger({ url })));

    expect(paged).toHaveLength(9);
    expect(pages.map((page) => page.json())).toEqual(
      paged.map(() => ({ items: [], nextCursor: null })),
    );
  });
});

it('the walk has every operation of the service', () => {
  expect(Object.keys(walk).toSorted()).toEqual(Object.keys(accessByOperation).toSorted());
});

const evaluateOwn = { method: 'POST', url: '/v1/eval', payload: ownEvaluation } as const;
const needOwnEvaluation = new Set(['compareRuns', 'buildPool', 'putBaseline']);
const needOwnThings = new Set([
  ...needOwnEvaluation,
  'createEvaluation',
  'startJobRun',
  'putSchedule',
]);

interface Walked {
  readonly operation: string;
  readonly status: number;
  readonly text: string;
}

/** Each operation is tried by a stranger of its own, so that none sees what another one did. */
async function walkAll(app: FastifyInstance, things: Things): Promise<readonly Walked[]> {
  const walked: Walked[] = [];
  for (const [operation, requests] of Object.entries(walk)) {
    const stranger = await createSender(app, { zone: randomUUID() });
    const given = needOwnThings.has(operation) ? ownThings : [];
    for (const request of given) await stranger(request);
    const hasOwn = needOwnEvaluation.has(operation);
    const own = hasOwn ? await finish(stranger, evaluateOwn) : 'none';
    for (const request of requests(things, own)) {
      const { statusCode: status, headers, body } = await stranger(request);
      const { etag, location } = headers;
      const text = JSON.stringify({ etag, location, body }).replaceAll(own, 'OWN');
      walked.push({ operation, status, text });
    }
  }
  return walked;
}

/** Takes out what differs though it says nothing: the names that were sent, new ids, and times. */
function normalize({ set, evaluation }: Things): (walked: Walked) => Walked {
  const prefix = set.replace(/-set$/, '');
  return ({ text, ...rest }) => ({
    ...rest,
    text: text
      .replaceAll(evaluation, 'GIVEN')
      .replaceAll(`${prefix}-`, 'NAME-')
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'NEW')
      .replaceAll(/urn:request:[\w-]+/g, 'REQUEST')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replaceAll(/\\"(mean|p50|p95|max|searchesPerSecond)\\":[\d.e-]+/g, '$1')
      .replaceAll(/"etag":"[^,]*",/g, ''),
  });
}

/** Gives a tenant one of everything. */
async function fill(send: Sender): Promise<Things> {
  const unfinished = nameThings('acme', '');
  for (const request of storeThings(unfinished)) expectDone(await send(request));
  const evaluation = await finish(send, evaluateThings(unfinished));
  const things = nameThings('acme', evaluation);
  const { baseline, configuration } = things;
  const named = { evaluation, configuration };
  expectDone(await send({ method: 'PUT', url: `/v1/baselines/${baseline}`, payload: named }));
  const started = await send(runJob(things, things.set, things.run));
  // Answered when the evaluation has ended.
  expectDone(await send({ url: `/v1/eval/${started.json<{ id: string }>().id}/events` }));
  return things;
}

async function finish(send: Sender, request: InjectOptions): Promise<string> {
  const answer = await send({ ...request, headers: { prefer: 'wait=30', ...request.headers } });
  expectDone(answer);
  return answer.json<{ id: string }>().id;
}

function expectDone({ statusCode, body }: Answer): void {
  if (statusCode >= 300) throw new Error(`${statusCode}: ${body}`);
}

async function sendAll(
  send: Sender,
  requests: readonly InjectOptions[],
): Promise<readonly string[]> {
  const answers = await Promise.all(requests.map((request) => send(request)));
  return answers.map(({ statusCode, body }) => {
    const text = body.replace(/urn:request:[\w-]+/g, '');
    return `${statusCode} ${text}`;
  });
}
