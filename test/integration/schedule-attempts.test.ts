import { beforeEach, describe, expect, it } from 'vitest';

import type { RetrieverRegistry } from '../../src/retrieval/registry.ts';
import { localTenant, scopeToTenant } from '../../src/storage/database/tenant-scope.ts';
import { ask, send } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import {
  createClock,
  putPumps,
  startNightly,
  type NightlyService,
  type TestClock,
} from '../helpers/nightly.ts';
import { waitFor } from '../helpers/poll.ts';

interface Tick {
  readonly status: string;
  readonly evaluation: string | null;
  readonly error: { readonly code: string; readonly detail: string } | null;
}

const url = '/v1/schedules/nightly';
const local = { name: 'bm25', backend: 'local', corpus: 'pumps', method: 'bm25' };
const evaluation = { questionSet: 'pumps', configurations: [local] };
const nightly = { cron: '15 2 * * *', timeZone: 'Europe/Berlin', evaluation };
const minuteMs = 60_000;

describe.each(databaseKinds)('the tick of a schedule on %s', (kind) => {
  let databaseUrl: string;
  let clock: TestClock;
  let service: NightlyService;
  beforeEach(async () => {
    databaseUrl = await createDatabase(kind);
    clock = createClock('2026-11-30T12:00:00Z');
    service = await startNightly({ databaseUrl, clock });
    await putPumps(service);
    await send(service.app, 'PUT', url, { body: nightly });
    clock.set('2026-12-01T01:15:00Z');
  });

  it('gives today’s defaults to a request that an earlier release stored without them', async () => {
    await storeRequest(service, evaluation);
    await service.runDueTicks();
    const [tick] = await readTicks(service);
    const path = `/v1/eval/${tick?.evaluation}`;
    const ended = await waitFor(async () => {
      const found = await ask<{ status: string }>(service.app, 'GET', path);
      return !['queued', 'running'].includes(found.status) && found;
    });

    expect(tick).toMatchObject({ status: 'started', error: null });
    expect(ended).toMatchObject({ status: 'succeeded' });
  });

  it('fails at once, and says where, when this release does not accept the stored request', async () => {
    await storeRequest(service, { ...evaluation, configurations: [{ ...local, retired: 1 }] });
    await service.runDueTicks();

    const [tick] = await readTicks(service);
    expect(tick).toMatchObject({ status: 'failed', error: { code: 'invalid-input' } });
    expect(tick?.error?.detail).toContain('/evaluation/configurations/0');
  });

  it('fails after the third attempt that ended with an unexpected error', async () => {
    let attempts = 0;
    const broken = await restart(service, () => {
      attempts += 1;
      throw new TypeError('filters is not iterable');
    });
    const statuses = await runForMinutes(broken, clock, 5);

    expect(statuses).toEqual(['due', 'due', 'failed', 'failed', 'failed']);
    expect(attempts).toBe(3);
    expect(await readTicks(broken)).toMatchObject([{ error: { code: 'internal' } }]);
    expect(JSON.stringify(await readTicks(broken))).not.toContain('iterable');
  });

  it('is tried again for as long as the store is away', async () => {
    let attempts = 0;
    const waiting = await restart(service, () => {
      attempts += 1;
      if (attempts <= 5) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
      return undefined;
    });
    const statuses = await runForMinutes(waiting, clock, 6);

    expect(statuses).toEqual(['due', 'due', 'due', 'due', 'due', 'started']);
  });

  it('fails when the process died in the third attempt', async () => {
    const broken = await restart(service, () => {
      throw new Error('killed');
    });
    await runForMinutes(broken, clock, 2);
    // The third one begins, and its process says nothing more.
    await scopeToTenant(broken.db, localTenant)
      .updateTable('schedule_tick')
      .set({ begun: 3 })
      .execute();
    await runForMinutes(broken, clock, 1);

    expect(await readTicks(broken)).toMatchObject([
      { status: 'failed', error: { code: 'process-died' } },
    ]);
  });

  /** The first one is closed: a SQLite file belongs to one service. */
  async function restart(
    { retrievers, close }: NightlyService,
    findObstacle: NonNullable<RetrieverRegistry['findObstacle']>,
  ): Promise<NightlyService> {
    await close();
    return startNightly({ databaseUrl, clock, retrievers: { ...retrievers, findObstacle } });
  }
});

/** As an earlier release stored it, past all checks of this one. */
async function storeRequest({ db }: NightlyService, request: object): Promise<void> {
  await scopeToTenant(db, localTenant)
    .updateTable('schedule')
    .set({ evaluation: JSON.stringify(request) })
    .where('name', '=', 'nightly')
    .execute();
}

async function readTicks({ app }: NightlyService): Promise<readonly Tick[]> {
  return (await ask<{ lastRuns: readonly Tick[] }>(app, 'GET', url)).lastRuns;
}

/** Looks for due ticks once a minute. Returns the status of the one tick after each look. */
async function runForMinutes(
  service: NightlyService,
  clock: TestClock,
  minutes: number,
): Promise<readonly (string | undefined)[]> {
  const statuses: (string | undefined)[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    await service.runDueTicks();
    const [tick] = await readTicks(service);
    statuses.push(tick?.status);
    clock.advance(minuteMs);
  }
  return statuses;
}
