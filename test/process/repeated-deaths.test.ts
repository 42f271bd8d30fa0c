import type { FastifyInstance } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';

import {
  beginWork,
  countDeaths,
  endWork,
  giveBackWork,
} from '../../src/storage/evaluations/work-in-hand.ts';
import type { AiCoreStub } from 'grounding-eval-testing';
import { openDatabase } from '../../src/storage/database/database.ts';
import { localTenant, scopeToTenant } from '../../src/storage/database/tenant-scope.ts';
import { startService, type TestService } from '../helpers/app.ts';
import { ask, type EvaluationAnswer } from '../helpers/client.ts';
import { createDatabase, databaseKinds, type DatabaseKind } from '../helpers/databases.ts';
import { pumpDocuments } from '../helpers/fixtures.ts';
import { startStub } from '../helpers/grounding.ts';
import { environmentOf, startLongEvaluation } from '../helpers/long-evaluation.ts';
import { putPumps } from '../helpers/nightly.ts';
import { waitFor } from '../helpers/poll.ts';
import { query } from '../helpers/query.ts';
import { startServer, type ServerProcess } from '../helpers/server-process.ts';
import { steerSearches, type SteeredSearches } from '../helpers/steered-searches.ts';

const neverMs = 3_600_000;
const local = { name: 'bm25', backend: 'local', corpus: 'pumps', method: 'bm25' };
const request = { questionSet: 'pumps', configurations: [local] };

/** What the dead process left is found by others after about ten seconds; these have passed now. */
async function passTimeOfClaims(kind: DatabaseKind, databaseUrl: string): Promise<void> {
  // A SQLite file belongs to one process: what it left is taken up at the next start.
  if (kind === 'sqlite') return;
  const minuteAgo = `clock_timestamp() - interval '1 minute'`;
  await query(
    databaseUrl,
    `update pgboss.job set heartbeat_on = ${minuteAgo} where state = 'active';
     update evaluation_batch set claimed_until = ${minuteAgo} where claimed_until is not null`,
  );
}

describe.each(databaseKinds)('an evaluation on %s', { timeout: 240_000 }, (kind) => {
  it('fails when the process died three times with it in hand', async () => {
    const stub = await startStub({ corpus: pumpDocuments, latencyMs: neverMs });
    const databaseUrl = await createDatabase(kind);
    const environment = environmentOf(stub, databaseUrl);
    const first = await startServer(environment);
    const id = await startLongEvaluation(first.url, 10);
    await dieSearching(first, stub);
    await passTimeOfClaims(kind, databaseUrl);
    await dieSearching(await startServer(environment), stub);
    await passTimeOfClaims(kind, databaseUrl);
    await dieSearching(await startServer(environment), stub);
    await passTimeOfClaims(kind, databaseUrl);
    const searches = steerSearches('answer');
    const { app } = await resume(databaseUrl, searches);
    const evaluation = await waitForEndOf(app, id);

    expect(evaluation).toMatchObject({
      status: 'failed',
      error: {
        code: 'process-died',
        detail: 'The process died 3 times while it worked on this evaluation',
      },
    });
    expect(searches.searched).toEqual([]);
  });

  it('goes on however often it is stopped, and each stop leaves the deaths before it', async () => {
    const databaseUrl = await createDatabase(kind);
    const searches = steerSearches('hold');
    const first = await resume(databaseUrl, searches);
    await putPumps(first);
    const { id } = await ask<{ id: string }>(first.app, 'POST', '/v1/eval', { body: request });
    await waitFor(() => searches.searched.length > 0);
    await first.close();
    await setCounts(databaseUrl, 2);
    const second = await resume(databaseUrl, searches);
    await waitFor(async () => (await readCounts(second)).includes(3));
    await second.close();
    const third = await resume(databaseUrl, searches);
    await waitFor(async () => (await readCounts(third)).includes(3));
    await third.close();
    searches.steer('answer');
    const fourth = await resume(databaseUrl, searches);

    expect(await waitForEndOf(fourth.app, id)).toMatchObject({ status: 'succeeded' });
  });
});

async function dieSearching(server: ServerProcess, stub: AiCoreStub): Promise<void> {
  const before = stub.counters.requests.search;
  await waitFor(() => stub.counters.requests.search > before, { within: 60_000 });
  await server.kill();
}

/** A service in this process that takes up what is unfinished. */
async function resume(databaseUrl: string, { retrievers }: SteeredSearches): Promise<TestService> {
  const service = await startService({ databaseUrl, retrievers, resume: true });
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await service.close();
  };
  onTestFinished(close);
  return { ...service, close };
}

/** As so many deaths leave what is in hand. */
async function setCounts(databaseUrl: string, begun: number): Promise<void> {
  const db = scopeToTenant(openDatabase(databaseUrl, {}), localTenant);
  await db.updateTable('work_in_hand').set({ begun }).execute();
  await db.destroy();
}

async function readCounts({ db }: TestService): Promise<readonly number[]> {
  const rows = await db.selectFrom('work_in_hand').select('begun').execute();
  return rows.map(({ begun }) => begun);
}

function waitForEndOf(app: FastifyInstance, id: string): Promise<EvaluationAnswer> {
  return waitFor(
    async () => {
      const found = await ask<EvaluationAnswer>(app, 'GET', `/v1/eval/${id}`);
      return !['queued', 'running'].includes(found.status) && found;
    },
    { within: 60_000 },
  );
}

describe.each(databaseKinds)('the count of deaths on %s', (kind) => {
  it('grows with each beginning, shrinks when work is given back, and ends with progress', async () => {
    const searches = steerSearches('hold');
    const { retrievers } = searches;
    const { app, db, close } = await startService({
      databaseUrl: await createDatabase(kind),
      retrievers,
    });
    onTestFinished(close);
    await putPumps({ app });
    const { id } = await ask<{ id: string }>(app, 'POST', '/v1/eval', { body: request });
    const work = { evaluationId: id, part: 'part' };
    const counts: number[] = [];
    const count = async () => counts.push(await countDeaths(db, work));
    await count();
    await beginWork(db, work);
    await beginWork(db, work);
    await count();
    await giveBackWork(db, work);
    await count();
    await beginWork(db, work);
    await count();
    searches.steer('answer');
    await waitFor(async () => {
      const { status } = await ask<{ status: string }>(app, 'GET', `/v1/eval/${id}`);
      return status === 'succeeded';
    });
    await count();
    await beginWork(db, work);
    await count();
    await endWork(db, work);
    await count();

    expect(counts).toEqual([0, 2, 1, 2, 0, 1, 0]);
  });
});
