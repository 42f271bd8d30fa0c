import { describe, expect, it } from 'vitest';

import { raiseAlert } from '../../src/evaluation/monitoring/raise-alert.ts';
import type { AlertEvent } from '../../src/model/alert-event.ts';
import { insertJobRun } from '../../src/storage/monitoring/job-runs.ts';
import type { Database } from '../../src/storage/database/database.ts';
import type { Tables } from '../../src/storage/tables/tables.ts';
import { ask, send } from '../helpers/client.ts';
import { createDatabase, databaseKinds, type DatabaseKind } from '../helpers/databases.ts';
import { bm25 } from '../helpers/fixtures.ts';
import { createClock, putPumps, startNightly, type NightlyService } from '../helpers/nightly.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { evaluateRanks, rankedQuestions } from '../helpers/runs.ts';

const now = '2026-04-13T02:17:00.000Z';
const noJson = '{"planted-content';
const event: AlertEvent = {
  type: 'gate-failed',
  about: 'e1',
  severity: 'error',
  subject: 'Evaluation did not pass its gate',
  detail: 'Evaluation e1 does not reach a minimum of its gate',
  occurredAt: now,
};
const schedule = {
  cron: '15 2 * * *',
  timeZone: 'UTC',
  evaluation: { questionSet: 'pumps', configurations: [{ name: 'bm25', ...bm25 }] },
};

describe.each(databaseKinds)('on %s, a broken alert target', (kind) => {
  it('keeps no alert from the others, and gets its own when it is replaced', async () => {
    const service = await start(kind);
    const [broken, whole] = [await startReceiver(), await startReceiver()];
    await putWebhook(service, 'broken', broken.url);
    await putWebhook(service, 'whole', whole.url);
    await damage(service.db, 'alert_target', 'body', 'broken');
    await raiseAlert(service.db, event);
    await service.sendDueMessages();
    const sentBefore = [broken.requests.length, whole.requests.length];
    const replaced = await putWebhook(service, 'broken', broken.url);
    service.clock.advance(60_000);
    await service.sendDueMessages();

    expect(sentBefore).toEqual([0, 1]);
    expect(replaced.statusCode).toBe(200);
    expect(broken.requests.map(({ body }) => JSON.parse(body) as object)).toMatchObject([
      { type: 'gate-failed', about: 'e1' },
    ]);
    expect(whole.requests).toHaveLength(1);
  });

  it('can be deleted, and its deletion is recorded', async () => {
    const service = await start(kind);
    await putWebhook(service, 'broken', 'http://127.0.0.1:9');
    await damage(service.db, 'alert_target', 'body', 'broken');
    const deleted = await service.app.inject({
      method: 'DELETE',
      url: '/v1/alert-targets/broken',
    });
    const gone = await service.app.inject('/v1/alert-targets/broken');
    const { items } = await ask<{ items: object[] }>(service.app, 'GET', '/v1/audit');

    expect([deleted.statusCode, gone.statusCode]).toEqual([204, 404]);
    expect(items[0]).toMatchObject({ kind: 'alert-target', name: 'broken', after: null });
  });
});

describe.each(databaseKinds)('on %s, a broken schedule', (kind) => {
  it.each(['notify', 'evaluation'])(
    'in its %s keeps no other from its tick, and can be replaced and deleted',
    async (column) => {
      const service = await start(kind);
      await putPumps(service);
      await putWebhook(service, 'hook', 'http://127.0.0.1:9');
      const body = { ...schedule, notify: ['hook'] };
      await ask(service.app, 'PUT', '/v1/schedules/broken', { body });
      await ask(service.app, 'PUT', '/v1/schedules/whole', { body });
      await damage(service.db, 'schedule', column, 'broken');
      service.clock.set('2026-04-14T02:15:00Z');
      await service.runDueTicks();
      const replaced = await send(service.app, 'PUT', '/v1/schedules/broken', { body });
      await damage(service.db, 'schedule', column, 'broken');
      const url = '/v1/schedules/broken';
      const deleted = await service.app.inject({ method: 'DELETE', url });
      const whole = await ask(service.app, 'GET', '/v1/schedules/whole');

      expect(whole).toMatchObject({ lastRuns: [{ status: 'started' }] });
      expect([replaced.statusCode, deleted.statusCode]).toEqual([200, 204]);
      expect(service.logged.join()).not.toContain('planted-content');
    },
  );

  it('raises its alerts at every target, none of which it keeps from deletion', async () => {
    const receiver = await startReceiver();
    const service = await start(kind);
    await putWebhook(service, 'hook', receiver.url);
    const body = { ...schedule, notify: [] };
    await ask(service.app, 'PUT', '/v1/schedules/broken', { body });
    await damage(service.db, 'schedule', 'notify', 'broken');
    await raiseAlert(service.db, { ...event, schedule: 'broken' });
    await service.sendDueMessages();
    const deleted = await service.app.inject({ method: 'DELETE', url: '/v1/alert-targets/hook' });

    expect(receiver.requests).toHaveLength(1);
    expect(deleted.statusCode).toBe(204);
  });
});

describe.each(databaseKinds)('on %s, a broken end', (kind) => {
  it.each<[keyof Tables, string, string, readonly string[]]>([
    ['gate_decision', 'body', 'evaluation_id', ['Gate cannot be read']],
    ['evaluation', 'plan', 'id', ['Gate cannot be read']],
    ['evaluation', 'scorecard', 'id', ['Evaluation did not pass its gate']],
  ])(
    'in %s.%s stops neither the next verdict nor is it silent',
    async (table, column, id, told) => {
      const service = await start(kind);
      const [first, second] = await failTwoGates(service);
      await damage(service.db, table, column, first, id);
      await service.reportEnds();
      await service.reportEnds();
      const logged = service.logged.find((line) => line.includes('not reported'));

      expect(await subjectsOf(service.db, first)).toEqual(told);
      expect(await subjectsOf(service.db, second)).toEqual(['Evaluation did not pass its gate']);
      expect(logged).toContain(first);
      expect(service.logged.join()).not.toContain('planted-content');
    },
  );

  it('is reported to the scheduler as no success', async () => {
    const service = await start(kind);
    const [first, second] = await failTwoGates(service);
    const { db } = service;
    await insertJobRun(db, { runId: 'r1', jobId: 'j', scheduleId: 's', evaluationId: first }, now);
    await insertJobRun(db, { runId: 'r2', jobId: 'j', scheduleId: 's', evaluationId: second }, now);
    await damage(db, 'gate_decision', 'body', first, 'evaluation_id');
    await service.reportEnds();
    const rows = await db
      .selectFrom('outbox')
      .where('kind', '=', 'job-run')
      .orderBy('id')
      .select('payload')
      .execute();

    expect(rows.map(({ payload }) => JSON.parse(payload) as object)).toMatchObject([
      {
        runId: 'r1',
        success: false,
        message:
          'evaluation succeeded: 1 configurations, 30 questions, 0 failed, gate decision unreadable',
      },
      {
        runId: 'r2',
        success: false,
        message: 'evaluation succeeded: 1 configurations, 30 questions, 0 failed, gate fail',
      },
    ]);
  });
});

async function start(kind: DatabaseKind) {
  const clock = createClock(now);
  const integrations = { targetPolicy: { hosts: [], allowLoopback: true } };
  const databaseUrl = await createDatabase(kind);
  return { ...(await startNightly({ databaseUrl, clock, integrations })), clock };
}

function putWebhook({ app }: NightlyService, name: string, url: string) {
  const body = { type: 'webhook', url, secret: 'made-up-secret-of-a-webhook' };
  return send(app, 'PUT', `/v1/alert-targets/${name}`, { body });
}

/** Leaves a text in a row that is no JSON. */
async function damage(
  db: Database,
  table: keyof Tables,
  column: string,
  row: string,
  key = 'name',
): Promise<void> {
  const result = await db
    .updateTable(table)
    .set({ [column]: noJson })
    .where(db.dynamic.ref(key), '=', row)
    .executeTakeFirst();
  expect(result.numUpdatedRows).toBe(1n);
}

/** The ids of two evaluations that both fail their gate, in the order of their ends. */
async function failTwoGates({ app }: NightlyService): Promise<readonly [string, string]> {
  const count = 30;
  const all = (rank: number) => Array.from({ length: count }, () => rank);
  await ask(app, 'PUT', '/v1/question-sets/s', { body: { questions: rankedQuestions(count) } });
  const { id } = await evaluateRanks(app, { nightly: all(1) });
  await ask(app, 'PUT', '/v1/baselines/main', {
    body: { evaluation: id, configuration: 'nightly' },
  });
  const gate = { baseline: 'main', measure: 'RR', maxDrop: 0.02 };
  const first = await evaluateRanks(app, { nightly: all(4) }, { gate });
  const second = await evaluateRanks(app, { nightly: all(4) }, { gate });
  return [first.id, second.id];
}

/** What was told of the gate of an evaluation. */
async function subjectsOf(db: Database, id: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('alert_event')
    .where('id', '=', `gate-failed/${id}`)
    .select('body')
    .execute();
  return rows.map(({ body }) => (JSON.parse(body) as AlertEvent).subject);
}
