import { describe, expect, it } from 'vitest';

import { upsertAlertTarget } from '../../src/storage/monitoring/alert-targets.ts';
import type { Database } from '../../src/storage/database/database.ts';
import { listEvaluations } from '../../src/storage/evaluations/evaluation-heads.ts';
import { upsertSchedule } from '../../src/storage/monitoring/schedules.ts';
import { scopeToTenant } from '../../src/storage/database/tenant-scope.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { bm25 } from '../helpers/fixtures.ts';
import { createClock, putPumps, startNightly } from '../helpers/nightly.ts';
import { startReceiver } from '../helpers/receiver.ts';

const now = '2026-04-13T02:17:00.000Z';
const evaluation = {
  questionSet: 'pumps',
  configurations: [{ name: 'bm25', ...bm25, filters: [] }],
  sliceBy: [],
};

describe.each(databaseKinds)('what goes on without a request, on %s', (kind) => {
  it('keeps schedules and alert targets of one name apart', async () => {
    const databaseUrl = await createDatabase(kind);
    const integrations = { targetPolicy: { hosts: [], allowLoopback: true } };
    const service = await startNightly({ databaseUrl, clock: createClock(now), integrations });
    const own = service.db;
    const other = scopeToTenant(own, 'other');
    const [ownReceiver, otherReceiver] = [await startReceiver(), await startReceiver()];
    // Only one of the two has what both schedules evaluate.
    await putPumps(service);
    await schedule(own, ownReceiver.url);
    await schedule(other, otherReceiver.url);
    await service.runDueTicks();
    await service.sendDueMessages();
    const page = { limit: 10 };

    expect((await listEvaluations(own, page)).items).toMatchObject([
      { questionSet: 'pumps', createdBy: 'schedule/nightly' },
    ]);
    expect((await listEvaluations(other, page)).items).toEqual([]);
    expect(ownReceiver.requests).toEqual([]);
    expect(otherReceiver.requests.map(({ headers }) => headers['x-grounding-eval-event'])).toEqual([
      'schedule-failed',
    ]);
  });
});

/** A schedule that is due, and who hears of it. */
async function schedule(db: Database, url: string): Promise<void> {
  const secret = 'made-up-secret-of-a-webhook';
  await upsertAlertTarget(db, {
    name: 'ops',
    target: { type: 'webhook', url, secret },
    updatedAt: now,
  });
  await upsertSchedule(db, {
    name: 'nightly',
    cron: '15 2 * * *',
    timeZone: 'UTC',
    evaluation: JSON.stringify(evaluation),
    isEnabled: true,
    notify: ['ops'],
    nextAt: '2026-04-13T02:15:00.000Z',
    updatedAt: now,
  });
}
