import { createHmac } from 'node:crypto';

import nock from 'nock';
import { beforeEach, describe, expect, it } from 'vitest';

import { raiseAlert } from '../../src/evaluation/monitoring/raise-alert.ts';
import type { AlertEvent } from '../../src/model/alert-event.ts';
import type { AlertDeliveryOptions } from '../../src/jobs/delivery/deliver-alert.ts';
import { ask, send } from '../helpers/client.ts';
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
import { startReceiver } from '../helpers/receiver.ts';
import { readShape } from '../helpers/published-shapes.ts';

const secret = 'made-up-secret-of-a-webhook';
const targetPolicy = { hosts: [], allowLoopback: true };
const event: AlertEvent = {
  type: 'gate-failed',
  about: 'e1',
  severity: 'warning',
  subject: 'nDCG@10 fell below the gate',
  detail: 'Evaluation e1 against baseline main: 0.612 instead of 0.655',
  evaluation: 'e1',
  occurredAt: '2026-04-13T02:17:00.000Z',
};
const evaluation = { questionSet: 'pumps', configurations: [{ name: 'bm25', ...bm25 }] };
const schedule = { cron: '15 2 * * *', timeZone: 'UTC', evaluation };
const dayMs = 24 * 60 * 60 * 1000;

describe.each(databaseKinds)('alerts on %s', (kind) => {
  let clock: TestClock;
  let databaseUrl: string;
  beforeEach(async () => {
    clock = createClock('2026-04-13T02:17:00Z');
    databaseUrl = await createDatabase(kind);
  });

  it('reach a webhook once, signed over time and body', async () => {
    const receiver = await startReceiver();
    const service = await start();
    await putWebhook(service, 'hook', receiver.url);
    await raiseAlert(service.db, event);
    await raiseAlert(service.db, { ...event, detail: 'told again' });
    await service.sendDueMessages();
    await service.sendDueMessages();
    const [request] = receiver.requests;
    const body = JSON.parse(request!.body) as object;
    const seconds = Date.parse('2026-04-13T02:17:00Z') / 1000;
    const digest = createHmac('sha256', secret).update(`${seconds}.${request!.body}`).digest('hex');

    expect(receiver.requests).toHaveLength(1);
    expect(request).toMatchObject({
      method: 'POST',
      path: '/alerts?team=a',
      headers: {
        'content-type': 'application/json',
        'x-grounding-eval-event': 'gate-failed',
        'x-grounding-eval-delivery': 'alert/gate-failed/e1/hook',
        'x-grounding-eval-signature': `t=${seconds},v1=${digest}`,
      },
    });
    expect(body).toEqual({ id: 'alert/gate-failed/e1/hook', ...event });
  });

  it('are tried again with longer and longer pauses until they arrive', async () => {
    const receiver = await startReceiver((_request, count) =>
      count === 1 ? 'reset' : { status: count < 4 ? 500 : 200 },
    );
    const service = await start();
    await putWebhook(service, 'hook', receiver.url);
    await raiseAlert(service.db, event);
    const counts = await sendAfter(service, receiver.requests, [
      0,
      1499,
      1,
      2999,
      1,
      5999,
      1,
      dayMs,
    ]);
    const target = await ask(service.app, 'GET', '/v1/alert-targets/hook');

    // Three quarters of 2, 4 and 8 seconds, since chance always says a half.
    expect(counts).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
    expect(target).toMatchObject({ deliveries: { waiting: 0, sent: 1, dead: 0, lastError: null } });
  });

  it('are given up after some days, with a line in the log and no secret in it', async () => {
    const receiver = await startReceiver(() => ({ status: 500, body: secret }));
    const service = await start();
    await putWebhook(service, 'hook', receiver.url);
    await raiseAlert(service.db, event);
    await sendAfter(service, receiver.requests, [0, 2 * dayMs, 2 * dayMs, dayMs]);
    const target = await ask(service.app, 'GET', '/v1/alert-targets/hook');

    expect(receiver.requests).toHaveLength(3);
    expect(target).toMatchObject({
      deliveries: { waiting: 0, sent: 0, dead: 1, lastError: 'The receiver responded with 500' },
    });
    expect(service.logged.join('\n')).toContain('message abandoned');
    expect(service.logged.join('\n')).not.toContain(secret);
    expect(JSON.stringify(target)).not.toContain(secret);
  });

  it('follow no redirect', async () => {
    const other = await startReceiver();
    const receiver = await startReceiver(() => ({ status: 307, headers: { location: other.url } }));
    const service = await start();
    await putWebhook(service, 'hook', receiver.url);
    await raiseAlert(service.db, event);
    await service.sendDueMessages();
    const target = await ask(service.app, 'GET', '/v1/alert-targets/hook');

    expect(other.requests).toEqual([]);
    expect(target).toMatchObject({
      deliveries: {
        waiting: 1,
        lastError: 'The receiver responded with 307; redirects are not followed',
      },
    });
  });

  it('go to no private address, whatever the name says by then', async () => {
    nock.enableNetConnect('hooks.example.com');
    const lookup = ((_name: string, _options: object, callback: (...answer: unknown[]) => void) =>
      callback(null, [{ address: '10.0.0.7', family: 4 }])) as unknown as NonNullable<
      AlertDeliveryOptions['lookup']
    >;
    const service = await start({ lookup });
    await putWebhook(service, 'hook', 'https://hooks.example.com');
    await raiseAlert(service.db, event);
    await service.sendDueMessages();
    const target = await ask(service.app, 'GET', '/v1/alert-targets/hook');

    expect(target).toMatchObject({
      deliveries: {
        waiting: 1,
        lastError: 'The host name of the receiver resolves to a private address',
      },
    });
  });

  it('go nowhere that was forbidden after the target was stored, and not to who is gone', async () => {
    const receiver = await startReceiver((_request, count) => ({
      status: count === 1 ? 500 : 410,
    }));
    const first = await start();
    await putWebhook(first, 'hook', receiver.url);
    await raiseAlert(first.db, event);
    await first.sendDueMessages();
    await first.close();
    clock.advance(dayMs);
    const strict = await start({ integrations: {} });
    await strict.sendDueMessages();
    const forbidden = await ask(strict.app, 'GET', '/v1/alert-targets/hook');
    await strict.close();
    clock.advance(dayMs);
    const open = await start();
    await open.sendDueMessages();
    const gone = await ask(open.app, 'GET', '/v1/alert-targets/hook');

    expect(receiver.requests).toHaveLength(2);
    expect(forbidden).toMatchObject({
      deliveries: { waiting: 1, lastError: "The target's URL must not be this machine" },
    });
    expect(gone).toMatchObject({
      deliveries: { waiting: 0, dead: 1, lastError: 'The receiver responded with 410' },
    });
  });

  it('tell of an evaluation that failed, once', async () => {
    const receiver = await startReceiver();
    const broken = { createRetriever: () => Promise.reject(new Error('who signs the protocol')) };
    const retrievers = broken as unknown as NonNullable<NightlyOptions['retrievers']>;
    const service = await start({ retrievers });
    await putPumps(service);
    await putWebhook(service, 'hook', receiver.url);
    clock.set(new Date().toISOString());
    const accepted = await send(service.app, 'POST', '/v1/eval', { body: evaluation });
    await finish(service, accepted);
    await service.reportEnds();
    await service.reportEnds();
    await service.sendDueMessages();
    const { id } = accepted.json<{ id: string }>();

    expect(receiver.requests).toHaveLength(1);
    expect(JSON.parse(receiver.requests[0]!.body)).toMatchObject({
      type: 'evaluation-failed',
      evaluation: id,
      detail: `Evaluation ${id} failed: internal`,
    });
  });

  it('tell of missed ticks and of ticks that made no evaluation', async () => {
    const receiver = await startReceiver();
    const service = await start();
    await putWebhook(service, 'hook', receiver.url);
    await send(service.app, 'PUT', '/v1/schedules/nightly', { body: schedule });
    clock.set('2026-04-14T04:00:00Z');
    await service.runDueTicks();
    clock.set('2026-04-15T02:15:00Z');
    await service.runDueTicks();
    await service.sendDueMessages();
    const bodies = receiver.requests.map(({ body }) => JSON.parse(body) as object);

    expect(bodies).toHaveLength(2);
    expect(bodies).toContainEqual(
      expect.objectContaining({ type: 'schedule-missed', schedule: 'nightly' }),
    );
    expect(bodies).toContainEqual(
      expect.objectContaining({ type: 'schedule-failed', schedule: 'nightly' }),
    );
  });

  it('go to the targets that the schedule of an evaluation names, of the types that they take', async () => {
    const named = await startReceiver();
    const picky = await startReceiver();
    const other = await startReceiver();
    const service = await start();
    await putPumps(service);
    await putWebhook(service, 'named', named.url);
    await putWebhook(service, 'picky', picky.url, { events: ['schedule-missed'] });
    await putWebhook(service, 'other', other.url);
    const notify = ['named', 'picky'];
    const body = { ...schedule, notify };
    await send(service.app, 'PUT', '/v1/schedules/nightly', { body });
    clock.set('2026-04-14T02:15:00Z');
    await service.runDueTicks();
    const { lastRuns } = await ask<{ lastRuns: { evaluation: string }[] }>(
      service.app,
      'GET',
      '/v1/schedules/nightly',
    );
    const [{ evaluation: id } = { evaluation: '' }] = lastRuns;
    await raiseAlert(service.db, { ...event, about: id, evaluation: id, occurredAt: clock.now() });
    await service.sendDueMessages();

    expect([named, picky, other].map(({ requests }) => requests.length)).toEqual([1, 0, 0]);
    expect(JSON.parse(named.requests[0]!.body)).toMatchObject({ schedule: 'nightly' });
  });

  it('are kept with the transaction that raises them, and lost with it', async () => {
    const receiver = await startReceiver();
    const service = await start();
    await putWebhook(service, 'hook', receiver.url);
    const undone = service.db.transaction().execute(async (trx) => {
      await raiseAlert(trx, event);
      throw new Error('undone');
    });

    await expect(undone).rejects.toThrow('undone');
    await service.sendDueMessages();
    expect(receiver.requests).toEqual([]);
  });

  it('survive a restart', async () => {
    const receiver = await startReceiver();
    const first = await start();
    await putWebhook(first, 'hook', receiver.url);
    await raiseAlert(first.db, event);
    await first.close();
    const second = await start();
    await second.sendDueMessages();

    expect(receiver.requests).toHaveLength(1);
  });

  it('are no longer sent to a target that was deleted, which no schedule may name', async () => {
    const receiver = await startReceiver();
    const service = await start();
    await putWebhook(service, 'hook', receiver.url);
    const body = { ...schedule, notify: ['hook'] };
    await send(service.app, 'PUT', '/v1/schedules/nightly', { body });
    await raiseAlert(service.db, event);
    const url = '/v1/alert-targets/hook';
    const refused = await service.app.inject({ method: 'DELETE', url });
    await service.app.inject({ method: 'DELETE', url: '/v1/schedules/nightly' });
    const deleted = await service.app.inject({ method: 'DELETE', url });
    const gone = await service.app.inject({ method: 'DELETE', url });
    await service.sendDueMessages();

    expect([refused, deleted, gone].map(({ statusCode }) => statusCode)).toEqual([409, 204, 404]);
    expect(receiver.requests).toEqual([]);
  });

  function start(options: Partial<NightlyOptions> = {}): Promise<NightlyService> {
    return startNightly({ databaseUrl, clock, integrations: { targetPolicy }, ...options });
  }

  /** The number of requests after each round, which comes so many milliseconds after the one before. */
  function sendAfter(
    service: NightlyService,
    requests: readonly unknown[],
    pauses: readonly number[],
  ): Promise<number[]> {
    return pauses.reduce<Promise<number[]>>(async (before, pause) => {
      const counts = await before;
      clock.advance(pause);
      await service.sendDueMessages();
      return [...counts, requests.length];
    }, Promise.resolve([]));
  }
});

describe('SAP Alert Notification', () => {
  it('gets events in its shape, with a token of the binding', async () => {
    const receiver = await startReceiver(() => ({ status: 202 }));
    const clock = createClock('2026-04-13T02:17:00Z');
    const application = { name: 'retrieval-eval', environment: 'test', instance: '0' };
    const integrations = { alertNotification: bindTo(receiver.url), application };
    const service = await startNightly({ databaseUrl: 'sqlite::memory:', clock, integrations });
    const body = { type: 'alert-notification' };
    const saved = await send(service.app, 'PUT', '/v1/alert-targets/ans', { body });
    await raiseAlert(service.db, event);
    await service.sendDueMessages();

    expect(saved.statusCode).toBe(201);
    expect(saved.json()).toMatchObject({ type: 'alert-notification', origin: null });
    expect(receiver.requests).toMatchObject([
      {
        method: 'POST',
        path: '/cf/producer/v1/resource-events',
        headers: { authorization: 'Bearer token-1', 'content-type': 'application/json' },
      },
    ]);
    expect(JSON.parse(receiver.requests[0]!.body)).toEqual({
      eventType: 'RetrievalQualityDropped',
      eventTimestamp: Date.parse('2026-04-13T02:17:00Z') / 1000,
      severity: 'WARNING',
      category: 'ALERT',
      subject: 'nDCG@10 fell below the gate',
      body: 'Evaluation e1 against baseline main: 0.612 instead of 0.655',
      tags: { evaluation: 'e1', 'ans:correlationId': 'retrieval-eval/e1' },
      resource: {
        resourceName: 'retrieval-eval',
        resourceType: 'app',
        resourceInstance: '0',
        tags: { env: 'test' },
      },
    });
  });

  it('gets every field of the published example, of its kind', async () => {
    const receiver = await startReceiver(() => ({ status: 202 }));
    const clock = createClock('2026-04-13T02:17:00Z');
    const integrations = { alertNotification: bindTo(receiver.url) };
    const service = await startNightly({ databaseUrl: 'sqlite::memory:', clock, integrations });
    const body = { type: 'alert-notification' };
    await send(service.app, 'PUT', '/v1/alert-targets/ans', { body });
    await raiseAlert(service.db, event);
    await service.sendDueMessages();
    const sent = JSON.parse(receiver.requests[0]!.body) as object;
    const example = readShape<object>('alert-notification-event');

    expect(kindsOf(sent)).toEqual(kindsOf(example));
  });

  it.each([
    ['refuses', { status: 401, body: secret }, 'The receiver responded with 401'],
    ['answers no JSON', { status: 200, body: secret }, 'The response contains no token'],
    ['answers without a token', { status: 200, body: '{}' }, 'The response contains no token'],
    ['answers without end', { status: 200, body: 'x'.repeat(300_000) }, 'The response is too long'],
  ])('gets nothing while its token endpoint %s', async (_how, answer, reason) => {
    const receiver = await startReceiver(undefined, answer);
    const clock = createClock('2026-04-13T02:17:00Z');
    const integrations = { alertNotification: bindTo(receiver.url) };
    const service = await startNightly({ databaseUrl: 'sqlite::memory:', clock, integrations });
    const body = { type: 'alert-notification' };
    await send(service.app, 'PUT', '/v1/alert-targets/ans', { body });
    await raiseAlert(service.db, event);
    await service.sendDueMessages();
    const target = await ask(service.app, 'GET', '/v1/alert-targets/ans');

    expect(receiver.requests).toEqual([]);
    expect(target).toMatchObject({
      deliveries: { waiting: 1, lastError: `Could not get a token: ${reason}` },
    });
    expect(service.logged.join()).not.toContain(secret);
  });

  it('keeps events waiting that were raised before it was unbound', async () => {
    const databaseUrl = await createDatabase('sqlite');
    const clock = createClock('2026-04-13T02:17:00Z');
    const integrations = { alertNotification: bindTo('http://127.0.0.1:9') };
    const bound = await startNightly({ databaseUrl, clock, integrations });
    const body = { type: 'alert-notification' };
    await send(bound.app, 'PUT', '/v1/alert-targets/ans', { body });
    await raiseAlert(bound.db, event);
    await bound.close();
    const unbound = await startNightly({ databaseUrl, clock });
    await unbound.sendDueMessages();
    const target = await ask(unbound.app, 'GET', '/v1/alert-targets/ans');

    expect(target).toMatchObject({
      deliveries: { waiting: 1, lastError: 'SAP Alert Notification is not bound' },
    });
  });

  it('cannot be a target while it is not bound', async () => {
    const clock = createClock('2026-04-13T02:17:00Z');
    const service = await startNightly({ databaseUrl: 'sqlite::memory:', clock });
    const body = { type: 'alert-notification' };
    const refused = await send(service.app, 'PUT', '/v1/alert-targets/ans', { body });

    expect(refused.statusCode).toBe(409);
  });
});

describe('several services on one PostgreSQL', () => {
  it('send each alert once', async () => {
    const receiver = await startReceiver();
    const databaseUrl = await createDatabase('postgres');
    const clock = createClock('2026-04-13T02:17:00Z');
    const integrations = { targetPolicy };
    const services = await Promise.all(
      Array.from({ length: 3 }, () => startNightly({ databaseUrl, clock, integrations })),
    );
    const [first] = services;
    await putWebhook(first!, 'hook', receiver.url);
    const abouts = Array.from({ length: 20 }, (_, index) => `e${index}`);
    await Promise.all(
      abouts.flatMap((about) =>
        services.map((service) => raiseAlert(service.db, { ...event, about })),
      ),
    );
    const rounds = () =>
      services.flatMap((service) => [service.sendDueMessages(), service.sendDueMessages()]);
    await Promise.all(rounds());
    await Promise.all(rounds());
    const told = receiver.requests.map(({ headers }) => headers['x-grounding-eval-delivery']);

    expect(told).toHaveLength(20);
    expect(new Set(told)).toEqual(
      new Set(abouts.map((about) => `alert/gate-failed/${about}/hook`)),
    );
  });
});

describe('PUT /v1/alert-targets/{name}', () => {
  it('takes a public webhook, and never shows path or secret', async () => {
    const { app } = await startPlain();
    const url = 'https://hooks.example.com/path-token';
    const body = { type: 'webhook', url, secret };
    const saved = await send(app, 'PUT', '/v1/alert-targets/hook', { body });
    const again = await send(app, 'PUT', '/v1/alert-targets/hook', { body });
    const list = await ask<{ items: object[] }>(app, 'GET', '/v1/alert-targets');
    const rest = await ask(app, 'GET', `/v1/alert-targets?cursor=${btoa('hook')}`);

    expect([saved.statusCode, again.statusCode]).toEqual([201, 200]);
    expect(saved.json()).toMatchObject({ origin: 'https://hooks.example.com' });
    expect(list.items).toEqual([saved.json()]);
    expect(rest).toEqual({ items: [], nextCursor: null });
    expect(saved.body).not.toContain(secret);
    expect(saved.body).not.toContain('path-token');
  });

  it('refuses other URLs, and short secrets without repeating them', async () => {
    const { app } = await startPlain();
    const inside = { type: 'webhook', url: 'https://10.0.0.7/a', secret };
    const short = { type: 'webhook', url: 'https://hooks.example.com', secret: 'brief' };
    const refused = await send(app, 'PUT', '/v1/alert-targets/hook', { body: inside });
    const answer = await send(app, 'PUT', '/v1/alert-targets/hook', { body: short });

    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({ errors: [{ pointer: '/body/url' }] });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ pointer: '/body/secret' }] });
    expect(answer.body).not.toContain('brief');
  });
});

function startPlain(): Promise<NightlyService> {
  const clock = createClock('2026-04-13T02:17:00Z');
  return startNightly({ databaseUrl: 'sqlite::memory:', clock });
}

async function putWebhook(
  { app }: NightlyService,
  name: string,
  url: string,
  more: object = {},
): Promise<void> {
  const body = { type: 'webhook', url: `${url}/alerts?team=a`, secret, ...more };
  await ask(app, 'PUT', `/v1/alert-targets/${name}`, { body });
}

function kindsOf(value: object): object {
  const kinds = Object.entries(value).map(([key, inner]: [string, unknown]) => [
    key,
    typeof inner === 'object' && inner !== null ? kindsOf(inner) : typeof inner,
  ]);
  return Object.fromEntries(kinds) as object;
}
