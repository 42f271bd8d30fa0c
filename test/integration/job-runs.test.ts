import { beforeEach, describe, expect, it } from 'vitest';

import { ask, send, type Answer } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { bm25 } from '../helpers/fixtures.ts';
import {
  bindTo,
  createClock,
  finish,
  putPumps,
  startNightly,
  type NightlyOptions,
  type NightlyService,
  type TestClock,
} from '../helpers/nightly.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';

const body = {
  questionSet: 'pumps',
  configurations: [
    { name: 'bm25', ...bm25 },
    { name: 'again', ...bm25 },
  ],
  label: 'of m.keller',
};
const run = {
  'x-sap-job-id': '118204',
  'x-sap-job-schedule-id': '3f5937bd-4ec8-401d-826a-ed36800dc214',
  'x-sap-job-run-id': '5a74ee43-a3ec-4a58-836f-e29612643070',
};
const updatePath =
  '/scheduler/jobs/118204/schedules/3f5937bd-4ec8-401d-826a-ed36800dc214/runs/5a74ee43-a3ec-4a58-836f-e29612643070';

describe.each(databaseKinds)('POST /v1/jobs/eval on %s', (kind) => {
  let clock: TestClock;
  let databaseUrl: string;
  beforeEach(async () => {
    clock = createClock('2026-11-30T02:17:00Z');
    databaseUrl = await createDatabase(kind);
  });

  it('answers 202 at once, and the run gets one update with a token when the evaluation has ended', async () => {
    const scheduler = await startReceiver();
    const service = await start(scheduler);
    const startedAt = performance.now();
    const accepted = await post(service, scheduler.url);
    const tookMs = performance.now() - startedAt;
    await finish(service, accepted);
    await report(service, 3);

    expect(accepted.statusCode).toBe(202);
    expect(accepted.headers['location']).toBe(`/v1/eval/${accepted.json<{ id: string }>().id}`);
    expect(tookMs).toBeLessThan(1000);
    expect(scheduler.requests).toHaveLength(1);
    expect(scheduler.requests[0]).toMatchObject({
      method: 'PUT',
      path: updatePath,
      headers: { authorization: 'Bearer token-1', 'content-type': 'application/json' },
    });
    expect(JSON.parse(scheduler.requests[0]!.body)).toEqual({
      success: true,
      message: 'evaluation succeeded: 2 configurations, 4 questions, 0 failed',
    });
    expect(scheduler.tokenRequests[0]).toMatchObject({
      body: 'grant_type=client_credentials',
      headers: {
        authorization: `Basic ${Buffer.from('made-up:made-up-secret').toString('base64')}`,
      },
    });
  });

  it('takes a run that comes twice, at once or after its end, for one', async () => {
    const scheduler = await startReceiver();
    const service = await start(scheduler);
    const [first, second] = await Promise.all([
      post(service, scheduler.url),
      post(service, scheduler.url),
    ]);
    await finish(service, first);
    await report(service, 1);
    const late = await post(service, scheduler.url);
    await report(service, 1);
    const ids = [first, second, late].map((answer) => answer.json<{ id: string }>().id);

    expect(new Set(ids).size).toBe(1);
    expect(late.json()).toMatchObject({ status: 'succeeded' });
    expect(scheduler.requests).toHaveLength(1);
  });

  it('sends nothing while the evaluation has not ended', async () => {
    const scheduler = await startReceiver();
    const service = await start(scheduler, { retrievers: neverAnswering });
    await post(service, scheduler.url);
    await report(service, 1);

    expect(scheduler.requests).toEqual([]);
  });

  it('tells a failure by its code alone', async () => {
    const scheduler = await startReceiver();
    const service = await start(scheduler, { retrievers: alwaysBroken });
    await finish(service, await post(service, scheduler.url));
    await report(service, 1);

    expect(JSON.parse(scheduler.requests[0]!.body)).toEqual({
      success: false,
      message: 'evaluation failed (internal): 2 configurations, 4 questions, 0 failed',
    });
  });

  it('tells of an evaluation that was cancelled, and of one that was deleted then', async () => {
    const scheduler = await startReceiver();
    const service = await start(scheduler, { retrievers: neverAnswering });
    const { id } = (await post(service, scheduler.url)).json<{ id: string }>();
    const other = { ...run, 'x-sap-job-run-id': 'other' };
    const deleted = (await post(service, scheduler.url, other)).json<{ id: string }>();
    await send(service.app, 'POST', `/v1/eval/${id}/cancel`);
    await send(service.app, 'POST', `/v1/eval/${deleted.id}/cancel`);
    await service.app.inject({ method: 'DELETE', url: `/v1/eval/${deleted.id}` });
    await report(service, 1);
    const messages = scheduler.requests.map((request) => JSON.parse(request.body) as object);

    expect(messages).toContainEqual({
      success: false,
      message: 'evaluation cancelled: 2 configurations, 4 questions, 0 failed',
    });
    expect(messages).toContainEqual({ success: false, message: 'evaluation deleted' });
  });

  it('sends the update after a restart, tried again until the receiver takes it, with a new token when one is refused', async () => {
    const statuses = [503, 401, 204];
    const scheduler = await startReceiver((_request, count) => ({
      status: statuses[count - 1] ?? 500,
    }));
    const first = await start(scheduler);
    await finish(first, await post(first, scheduler.url));
    await first.reportEnds();
    await first.close();
    const second = await startNightly({ databaseUrl, clock, integrations: bound(scheduler) });
    await report(second, 5);
    const tokens = scheduler.requests.map(({ headers }) => headers.authorization);

    expect(tokens).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
    expect(new Set(scheduler.requests.map((request) => request.body)).size).toBe(1);
  });

  async function start(
    scheduler: Receiver,
    options: Partial<NightlyOptions> = {},
  ): Promise<NightlyService> {
    const integrations = bound(scheduler);
    const service = await startNightly({ databaseUrl, clock, integrations, ...options });
    await putPumps(service);
    return service;
  }

  /** So many rounds of background work, a minute apart. */
  async function report(service: NightlyService, rounds: number): Promise<void> {
    await service.reportEnds();
    await service.sendDueMessages();
    clock.advance(60_000);
    if (rounds > 1) await report(service, rounds - 1);
  }
});

describe('POST /v1/jobs/eval of somebody else', () => {
  it.each([
    ['another host', 'https://evil.example.test', 403],
    ['another port', 'http://127.0.0.1:1', 403],
    ['a host that starts like the binding', (url: string) => `${url}.evil.example.test`, 403],
    [
      'the binding as a user',
      (url: string) => url.replace('//', '//127.0.0.1@evil.example.test'),
      403,
    ],
    ['a path', (url: string) => `${url}/elsewhere`, 403],
    ['no URL', 'nonsense', 403],
    ['no host', undefined, 400],
  ])('refuses %s, makes no evaluation and sends nothing anywhere', async (_name, host, status) => {
    const scheduler = await startReceiver();
    const clock = createClock('2026-11-30T02:17:00Z');
    const integrations = bound(scheduler);
    const databaseUrl = 'sqlite::memory:';
    const service = await startNightly({ databaseUrl, clock, integrations });
    await putPumps(service);
    const named = typeof host === 'function' ? host(scheduler.url) : host;
    const answer = await post(service, named);
    await service.reportEnds();
    await service.sendDueMessages();
    const list = await ask<{ items: unknown[] }>(service.app, 'GET', '/v1/eval');

    expect(answer.statusCode).toBe(status);
    expect(list.items).toEqual([]);
    expect([...scheduler.requests, ...scheduler.tokenRequests]).toEqual([]);
  });

  it.each([
    ['x-sap-job-run-id', '../../../other'],
    ['x-sap-job-id', ''],
    ['x-sap-job-schedule-id', 'a/b'],
  ])('refuses %s that would leave its path: %s', async (name, value) => {
    const scheduler = await startReceiver();
    const clock = createClock('2026-11-30T02:17:00Z');
    const integrations = bound(scheduler);
    const service = await startNightly({ databaseUrl: 'sqlite::memory:', clock, integrations });
    const answer = await post(service, scheduler.url, { ...run, [name]: value });

    expect(answer.statusCode).toBe(400);
  });

  it('refuses every run while no scheduler is bound', async () => {
    const clock = createClock('2026-11-30T02:17:00Z');
    const service = await startNightly({ databaseUrl: 'sqlite::memory:', clock });
    const answer = await post(service, 'https://jobscheduler-rest.example.test');

    expect(answer.statusCode).toBe(403);
  });

  it('leaves the key of a run out of the reach of clients', async () => {
    const scheduler = await startReceiver();
    const clock = createClock('2026-11-30T02:17:00Z');
    const integrations = bound(scheduler);
    const service = await startNightly({ databaseUrl: 'sqlite::memory:', clock, integrations });
    await putPumps(service);
    const key = Buffer.from(`job-run→${run['x-sap-job-run-id']}`).toString('latin1');
    const headers = { 'idempotency-key': key };
    const client = await send(service.app, 'POST', '/v1/eval', { body, headers });
    const accepted = await post(service, scheduler.url);

    expect(accepted.json<{ id: string }>().id).not.toBe(client.json<{ id: string }>().id);
  });
});

const neverAnswering = {
  createRetriever: () =>
    Promise.resolve({
      retrieve: (_text: string, { signal }: { signal?: AbortSignal | undefined }) =>
        new Promise<never>((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('stopped')));
        }),
    }),
  findObstacle: () => undefined,
} as unknown as NonNullable<NightlyOptions['retrievers']>;

const alwaysBroken = {
  createRetriever: () =>
    Promise.resolve({ retrieve: () => Promise.reject(new Error('who signs the protocol')) }),
  findObstacle: () => undefined,
} as unknown as NonNullable<NightlyOptions['retrievers']>;

function bound(scheduler: Receiver): { jobScheduler: ReturnType<typeof bindTo> } {
  return { jobScheduler: bindTo(scheduler.url) };
}

function post(
  { app }: NightlyService,
  host: string | undefined,
  headers: Record<string, string> = run,
): Promise<Answer> {
  const named = host === undefined ? {} : { 'x-sap-scheduler-host': host };
  return send(app, 'POST', '/v1/jobs/eval', { body, headers: { ...headers, ...named } });
}
