import { once } from 'node:events';

import { describe, expect, it } from 'vitest';

import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { pumpDocuments } from '../helpers/fixtures.ts';
import { startStub } from '../helpers/grounding.ts';
import { environmentOf, startLongEvaluation, waitForEnd } from '../helpers/long-evaluation.ts';
import { waitFor } from '../helpers/poll.ts';
import { startServer } from '../helpers/server-process.ts';

/** A stub that answers the searches let through, and none of the others. */
async function startHoldingStub(letThrough: () => number) {
  const seen = new Set<string>();
  return startStub({
    corpus: pumpDocuments,
    latencyMs: ({ question }) => {
      seen.add(question ?? '');
      return seen.size > letThrough() ? 3_600_000 : 0;
    },
  });
}

/** It takes minutes: three deaths on each database, each with a start of the service. */
const isSoak = process.env['SOAK'] === '1';
if (!isSoak) process.stderr.write('skipped: repeated deaths run with npm run test:soak\n');

describe.runIf(isSoak).each(databaseKinds)('an evaluation on %s', { timeout: 240_000 }, (kind) => {
  it('fails when the process died three times with it in hand', async () => {
    const stub = await startHoldingStub(() => 0);
    const environment = environmentOf(stub, await createDatabase(kind));
    let server = await startServer(environment);
    const id = await startLongEvaluation(server.url, 20);
    for (let death = 1; death <= 3; death += 1) {
      const before = stub.counters.requests.search;
      await waitFor(() => stub.counters.requests.search > before, { within: 60_000 });
      await server.kill();
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

  it('goes on however often the process dies or stops while it makes progress', async () => {
    let answered = 0;
    const stub = await startHoldingStub(() => answered);
    const environment = {
      ...environmentOf(stub, await createDatabase(kind)),
      SHUTDOWN_GRACE_MS: '500',
    };
    let server = await startServer(environment);
    const id = await startLongEvaluation(server.url, 20);
    // Stops do not count, with or without progress.
    for (let stop = 1; stop <= 4; stop += 1) {
      const before = stub.counters.requests.search;
      await waitFor(() => stub.counters.requests.search > before, { within: 60_000 });
      const end = once(server.child, 'exit');
      server.child.kill('SIGTERM');
      await end;
      server = await startServer(environment);
    }
    answered = 1_000_000;
    const stopped = once(server.child, 'exit');
    server.child.kill('SIGTERM');
    await stopped;
    server = await startServer(environment);

    expect(await waitForEnd(server.url, id)).toMatchObject({ status: 'succeeded' });
  });
});
