import { beforeEach, describe, expect, it, vi } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { ask, send } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { bm25 } from '../helpers/fixtures.ts';
import {
  createClock,
  putPumps,
  startNightly,
  type NightlyService,
  type TestClock,
} from '../helpers/nightly.ts';

interface ScheduleAnswer {
  readonly name: string;
  readonly enabled: boolean;
  readonly nextRun: string | null;
  readonly lastRuns: readonly {
    readonly tick: string;
    readonly status: string;
    readonly evaluation: string | null;
    readonly error: { readonly code: string } | null;
  }[];
}

const evaluation = { questionSet: 'pumps', configurations: [{ name: 'bm25', ...bm25 }] };
const nightly = { cron: '15 2 * * *', timeZone: 'Europe/Berlin', evaluation };
const url = '/v1/schedules/nightly';
const minuteMs = 60_000;

describe.each(databaseKinds)('schedules on %s', (kind) => {
  let databaseUrl: string;
  let clock: TestClock;
  let service: NightlyService;
  beforeEach(async () => {
    databaseUrl = await createDatabase(kind);
    clock = createClock('2026-11-30T12:00:00Z');
    service = await startNightly({ databaseUrl, clock });
    await putPumps(service);
  });

  it('are stored with their next run, listed, and deleted', async () => {
    const saved = await send(service.app, 'PUT', url, { body: nightly });
    const again = await send(service.app, 'PUT', url, { body: nightly });
    const list = await ask<{ items: ScheduleAnswer[] }>(service.app, 'GET', '/v1/schedules');
    const after = `/v1/schedules?cursor=${btoa('nightly')}`;
    const rest = await ask(service.app, 'GET', after);
    const deleted = await service.app.inject({ method: 'DELETE', url });
    const gone = await service.app.inject(url);

    expect(saved.json()).toEqual({
      name: 'nightly',
      cron: '15 2 * * *',
      timeZone: 'Europe/Berlin',
      evaluation: expect.objectContaining({ questionSet: 'pumps' }) as object,
      enabled: true,
      notify: null,
      nextRun: '2026-12-01T01:15:00.000Z',
      lastRuns: [],
      updatedAt: '2026-11-30T12:00:00.000Z',
    });
    expect(list.items).toEqual([saved.json()]);
    expect(rest).toEqual({ items: [], nextCursor: null });
    expect([saved, again, deleted, gone].map(({ statusCode }) => statusCode)).toEqual([
      201, 200, 204, 404,
    ]);
  });

  it('start an evaluation at their time, and not before', async () => {
    await send(service.app, 'PUT', url, { body: nightly });
    clock.set('2026-12-01T01:14:59.999Z');
    await service.runDueTicks();
    const before = await read(service);
    clock.set('2026-12-01T01:15:00Z');
    await service.runDueTicks();
    await service.runDueTicks();
    const after = await read(service);
    const id = after.lastRuns[0]?.evaluation ?? '';
    const made = await ask<{ id: string }>(service.app, 'GET', `/v1/eval/${id}`);

    expect(before.lastRuns).toEqual([]);
    expect(after.lastRuns).toEqual([
      { tick: '2026-12-01T01:15:00.000Z', status: 'started', evaluation: made.id, error: null },
    ]);
    expect(after.nextRun).toBe('2026-12-02T01:15:00.000Z');
    expect(await countEvaluations(service)).toBe(1);
  });

  it('start by themselves while background work is under way', async () => {
    await send(service.app, 'PUT', url, { body: nightly });
    clock.set('2026-12-01T01:15:00Z');
    const work = service.startBackgroundWork();
    await vi.waitUntil(async () => (await read(service)).lastRuns[0]?.status === 'started');
    await work.close();

    expect(await countEvaluations(service)).toBe(1);
  });

  it('hold each other up in nothing', async () => {
    const [one, other] = ['/v1/schedules/one', '/v1/schedules/other'];
    await send(service.app, 'PUT', one, { body: nightly });
    await send(service.app, 'PUT', other, { body: nightly });
    const broken = { time_zone: 'Mars/Phobos' };
    await service.db.updateTable('schedule').set(broken).where('name', '=', 'one').execute();
    clock.set('2026-12-01T01:15:00Z');
    const round = service.runDueTicks();

    await expect(round).rejects.toThrow('Could not run every schedule');
    const { lastRuns } = await ask<ScheduleAnswer>(service.app, 'GET', other);
    expect(lastRuns).toMatchObject([{ status: 'started' }]);
  });

  it('make up for the latest tick that was missed within an hour, and record the others', async () => {
    await send(service.app, 'PUT', url, { body: { ...nightly, cron: '*/20 * * * *' } });
    await service.close();
    clock.set('2026-11-30T13:05:00Z');
    const restarted = await startNightly({ databaseUrl, clock });
    await restarted.runDueTicks();
    const { lastRuns, nextRun } = await read(restarted);

    expect(lastRuns.map(({ tick, status }) => [tick.slice(11, 16), status])).toEqual([
      ['13:00', 'started'],
      ['12:40', 'missed'],
      ['12:20', 'missed'],
    ]);
    expect(nextRun).toBe('2026-11-30T13:20:00.000Z');
    expect(await countEvaluations(restarted)).toBe(1);
  });

  it.each([
    ['59 minutes and 59 seconds', 60 * minuteMs - 1000, 'started', 1],
    ['an hour', 60 * minuteMs, 'missed', 0],
  ])('take a tick that is %s late as %s', async (_age, lateMs, status, evaluations) => {
    await send(service.app, 'PUT', url, { body: nightly });
    await service.close();
    clock.set('2026-12-01T01:15:00Z');
    clock.advance(lateMs);
    const restarted = await startNightly({ databaseUrl, clock });
    await restarted.runDueTicks();

    expect((await read(restarted)).lastRuns).toMatchObject([{ status }]);
    expect(await countEvaluations(restarted)).toBe(evaluations);
  });

  it('wait while they are disabled, and start anew when they are enabled', async () => {
    await send(service.app, 'PUT', url, { body: { ...nightly, enabled: false } });
    clock.set('2026-12-01T01:16:00Z');
    await service.runDueTicks();
    const disabled = await read(service);
    const enabled = await ask<ScheduleAnswer>(service.app, 'PUT', url, { body: nightly });

    expect(disabled).toMatchObject({ enabled: false, nextRun: null, lastRuns: [] });
    expect(enabled).toMatchObject({ nextRun: '2026-12-02T01:15:00.000Z', lastRuns: [] });
  });

  it('say why a tick could not start an evaluation', async () => {
    const lost = { ...evaluation, questionSet: 'lost' };
    await send(service.app, 'PUT', url, { body: { ...nightly, evaluation: lost } });
    clock.set('2026-12-01T01:15:00Z');
    await service.runDueTicks();

    expect((await read(service)).lastRuns).toMatchObject([
      { status: 'failed', evaluation: null, error: { code: 'not-found' } },
    ]);
  });

  it('have a tick taken over whose taker died, once', async () => {
    await send(service.app, 'PUT', url, { body: nightly });
    clock.set('2026-12-01T01:15:00Z');
    const retrievers = { ...service.retrievers, findObstacle: die };
    await service.close();
    const dying = await startNightly({ databaseUrl, clock, retrievers });
    await dying.runDueTicks();
    await dying.close();
    const restarted = await startNightly({ databaseUrl, clock });
    await restarted.runDueTicks();
    const early = await read(restarted);
    clock.advance(minuteMs);
    await restarted.runDueTicks();
    await restarted.runDueTicks();

    expect(early.lastRuns).toMatchObject([{ status: 'due', evaluation: null }]);
    expect((await read(restarted)).lastRuns).toMatchObject([{ status: 'started' }]);
    expect(await countEvaluations(restarted)).toBe(1);
  });
});

describe('several services on one PostgreSQL', () => {
  it('run each tick once, however often they look and restart', async () => {
    const databaseUrl = await createDatabase('postgres');
    const clock = createClock('2026-11-30T12:00:00Z');
    const services = await Promise.all(
      Array.from({ length: 3 }, () => startNightly({ databaseUrl, clock })),
    );
    const [first] = services;
    await putPumps(first!);
    const often = { ...nightly, cron: '* * * * *' };
    await send(first!.app, 'PUT', url, { body: often });
    const minutes = Array.from({ length: 10 }, (_, index) => index + 1);
    await minutes.reduce(async (before) => {
      await before;
      clock.advance(minuteMs);
      const rounds = services.flatMap((service) => [service.runDueTicks(), service.runDueTicks()]);
      await Promise.all(rounds);
    }, Promise.resolve());
    const { lastRuns } = await read(first!);

    expect(lastRuns.map(({ status }) => status)).toEqual(minutes.map(() => 'started'));
    expect(new Set(lastRuns.map((run) => run.evaluation)).size).toBe(10);
    expect(await countEvaluations(first!)).toBe(10);
  });
});

describe('PUT /v1/schedules/{name}', () => {
  it('refuses what never comes to pass, and targets that do not exist, with the places at fault', async () => {
    const app = await createTestApp();
    const never = { ...nightly, cron: '0 0 30 2 *', timeZone: 'Mars/Phobos' };
    const unread = await send(app, 'PUT', url, { body: never });
    const unheard = await send(app, 'PUT', url, { body: { ...nightly, notify: ['nobody'] } });

    expect(unread.statusCode).toBe(400);
    expect(unread.json()).toMatchObject({
      errors: [{ pointer: '/body/cron' }, { pointer: '/body/timeZone' }],
    });
    expect(unheard.statusCode).toBe(400);
    expect(unheard.json()).toMatchObject({ errors: [{ pointer: '/body/notify/0' }] });
  });
});

function die(): never {
  throw new Error('killed');
}

function read({ app }: NightlyService): Promise<ScheduleAnswer> {
  return ask<ScheduleAnswer>(app, 'GET', url);
}

async function countEvaluations({ app }: NightlyService): Promise<number> {
  const { items } = await ask<{ items: unknown[] }>(app, 'GET', '/v1/eval');
  return items.length;
}
