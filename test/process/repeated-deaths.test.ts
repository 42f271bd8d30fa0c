import { once } from 'node:events';

import { describe, expect, it, onTestFinished } from 'vitest';

import {
  beginWork,
  countDeaths,
  endWork,
  giveBackWork,
} from '../../src/storage/evaluations/work-in-hand.ts';
import { startService } from '../helpers/app.ts';
import { ask } from '../helpers/client.ts';
import { createDatabase, databaseKinds, type DatabaseKind } from '../helpers/databases.ts';
import { pumpDocuments } from '../helpers/fixtures.ts';
import { startStub } from '../helpers/grounding.ts';
import { environmentOf, startLongEvaluation, waitForEnd } from '../helpers/long-evaluation.ts';
import { putPumps } from '../helpers/nightly.ts';
import { waitFor } from '../helpers/poll.ts';
import { query } from '../helpers/query.ts';
import { startServer, type ServerProcess } from '../helpers/server-process.ts';
import { steerSearches } from '../helpers/steered-searches.ts';

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

async function stop({ child }: ServerProcess): Promise<void> {
  const end = once(child, 'exit');
  child.kill('SIGTERM');
  await end;
}

describe.each(databaseKinds)('an evaluation on %s', { timeout: 240_000 }, (kind) => {
  it('fails when the process died three times with it in hand, and a stop does not count', async () => {
    const stub = await startStub({ corpus: pumpDocuments, latencyMs: neverMs });
    const databaseUrl = await createDatabase(kind);
    const environment = { ...environmentOf(stub, databaseUrl), SHUTDOWN_GRACE_MS: '1000' };
    const first = await startServer(environment);
    const id = await startLongEvaluation(first.url, 10);
    let server = first;
    for (const end of ['kill', 'stop', 'kill', 'kill']) {
      const before = stub.counters.requests.search;
      await waitFor(() => stub.counters.requests.search > before, { within: 60_000 });
      await (end === 'stop' ? stop(server) : server.kill());
      await passTimeOfClaims(kind, databaseUrl);
      server = await startServer(environment);
    }
    const searches = stub.counters.requests.search;

    const evaluation = await waitForEnd(server.url, id, 60_000);

    expect(evaluation).toMatchObject({
      status: 'failed',
      error: {
        code: 'process-died',
        detail: 'The process died 3 times while it worked on this evaluation',
      },
    });
    expect(stub.counters.requests.search).toBe(searches);
  });
});

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
