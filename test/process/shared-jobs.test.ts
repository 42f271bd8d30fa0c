import { once } from 'node:events';

import { describe, expect, it, onTestFinished } from 'vitest';

import { createClient } from '../../scripts/demo/client.ts';
import { startAiCoreServer } from '../helpers/aicore-server.ts';
import type { EvaluationAnswer } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import {
  countRepeats,
  environmentOf,
  searchConcurrency,
  startLongEvaluation,
  startPumpStub,
  waitForEnd,
  waitForSearches,
} from '../helpers/long-evaluation.ts';
import { waitFor } from '../helpers/poll.ts';
import { startServer } from '../helpers/server-process.ts';

/** Several services as processes on one PostgreSQL. */
describe('instances that share a database', { timeout: 120_000 }, () => {
  it('start together on an empty one, and share what there is to do', async () => {
    // Slow enough that all three take up work before the last batch is taken.
    const stub = await startPumpStub(50);
    const environment = environmentOf(stub, await createDatabase('postgres'));
    const all = await Promise.all([1, 2, 3].map(() => startServer(environment)));
    const [first, , third] = all;
    const id = await startLongEvaluation(first!.url, 2400);
    const evaluation = await waitForEnd(third!.url, id);
    const loads = all.flatMap(({ lines }) =>
      lines.filter((line) => /loaded the sample/.test(line)),
    );

    expect(evaluation).toMatchObject({ status: 'succeeded', progress: { done: 2400, failed: 0 } });
    expect(loads).toHaveLength(1);
    expect(countRepeats(stub)).toBe(0);
    expect(stub.counters.mostSearchesAtOnce).toBeGreaterThan(2 * searchConcurrency);
    expect(stub.counters.mostSearchesAtOnce).toBeLessThanOrEqual(3 * searchConcurrency);
  });

  it('all stop when one is told to cancel', async () => {
    const stub = await startPumpStub(20);
    const environment = environmentOf(stub, await createDatabase('postgres'));
    const [first, second] = await Promise.all([startServer(environment), startServer(environment)]);
    const id = await startLongEvaluation(first.url, 3000);
    await waitForSearches(stub, 200);
    const { post } = createClient(second.url);
    const cancelled = await post<EvaluationAnswer>(`/v1/eval/${id}/cancel`, undefined);
    const atCancel = stub.counters.requests.search;
    const next = await startLongEvaluation(second.url, 40);
    const after = await waitForEnd(first.url, next);

    expect(cancelled.status).toBe('cancelled');
    expect(after).toMatchObject({ status: 'succeeded', progress: { done: 40 } });
    // The other instance notices at its next renewal, within about two seconds of 8 searches in 20 ms each.
    expect(stub.counters.requests.search - atCancel).toBeLessThan(40 + 1500);
    expect(stub.counters.requests.search).toBeLessThan(3000);
  });
});

describe('a configuration that AI Core refuses', { timeout: 120_000 }, () => {
  it('costs five calls, over all batches and instances, and five more when it is tried again', async () => {
    let refused = 0;
    const server = await startAiCoreServer({
      onSearch: () => {
        refused += 1;
        return { status: 403, body: { error: { message: 'No grounding here.' } } };
      },
    });
    onTestFinished(server.close);
    const environment = {
      DATABASE_URL: await createDatabase('postgres'),
      AICORE_SERVICE_KEY: JSON.stringify(server.key),
    };
    const [first, second] = await Promise.all([startServer(environment), startServer(environment)]);
    // More than one batch for each instance.
    const id = await startLongEvaluation(first.url, 600);
    const evaluation = await waitForEnd(second.url, id);
    const atEnd = refused;
    const { post } = createClient(second.url);
    await post(`/v1/eval/${id}/retry-failed`, undefined);
    await waitForEnd(first.url, id);

    expect(evaluation).toMatchObject({ status: 'failed', progress: { done: 600, failed: 600 } });
    expect(atEnd).toBe(5);
    expect(refused).toBe(10);
  });
});

describe('an instance that stands still for a while', { timeout: 90_000 }, () => {
  it('finds its work taken over, and searches no more of it', async () => {
    const stub = await startPumpStub(50);
    const environment = environmentOf(stub, await createDatabase('postgres'));
    const [first, second] = await Promise.all([startServer(environment), startServer(environment)]);
    const id = await startLongEvaluation(first.url, 1000);
    await waitForSearches(stub, 100);
    first.child.kill('SIGSTOP');
    const evaluation = await waitForEnd(second.url, id);
    const atEnd = stub.counters.requests.search;
    first.child.kill('SIGCONT');
    const after = await waitForEnd(first.url, id);

    expect(evaluation).toMatchObject({ status: 'succeeded', progress: { done: 1000, failed: 0 } });
    expect(after).toEqual(evaluation);
    // Calls that were half written when it was stopped go out when it wakes; none is begun after that.
    expect(stub.counters.requests.search - atEnd).toBeLessThanOrEqual(searchConcurrency);
    // What it had under way, and what it held to be stored.
    expect(countRepeats(stub)).toBeLessThanOrEqual(searchConcurrency + 50);
  });
});

describe.each(databaseKinds)('SIGTERM on %s', { timeout: 60_000 }, (kind) => {
  it('lets searches end, gives the rest back, frees who watches, and ends in time', async () => {
    const stub = await startPumpStub(100);
    const environment = environmentOf(stub, await createDatabase(kind));
    const first = await startServer(environment);
    const id = await startLongEvaluation(first.url, 120);
    const events = await fetch(`${first.url}/v1/eval/${id}/events`);
    await waitForSearches(stub, 30);
    const start = performance.now();
    first.child.kill('SIGTERM');
    const [code] = (await once(first.child, 'exit')) as [number | null];
    const seconds = (performance.now() - start) / 1000;
    await events.text();
    const second = await startServer(environment);
    const evaluation = await waitForEnd(second.url, id);

    expect(code).toBe(0);
    expect(seconds).toBeLessThan(8);
    expect(evaluation).toMatchObject({ status: 'succeeded', progress: { done: 120, failed: 0 } });
    expect(countRepeats(stub)).toBe(0);
  });
});

describe('two batches of one evaluation', () => {
  it(
    'are taken up within 20 seconds when their instance is killed',
    { timeout: 60_000 },
    async () => {
      const stub = await startPumpStub(100);
      const environment = environmentOf(stub, await createDatabase('postgres'));
      const [first, second] = await Promise.all([
        startServer(environment),
        startServer(environment),
      ]);
      const id = await startLongEvaluation(first.url, 160);
      await waitForSearches(stub, 40);
      await first.kill();
      const start = performance.now();
      const { get } = createClient(second.url);
      await waitFor(
        async () => {
          const { progress } = await get<EvaluationAnswer>(`/v1/eval/${id}`);
          return progress.done === 160;
        },
        { within: 40_000 },
      );

      expect((performance.now() - start) / 1000).toBeLessThan(20);
    },
  );
});
