import { describe, expect, it } from 'vitest';

import { SearchFailure, type FailureKind } from '../../../../src/retrieval/search-failure.ts';
import { createCircuitBreaker } from '../../../../src/retrieval/resilience/circuit-breaker.ts';
import { callWithRetries } from '../../../../src/retrieval/resilience/retry.ts';
import { createFakeClock } from './fake-clock.ts';

describe('callWithRetries', () => {
  it.each<[FailureKind, number | undefined, number]>([
    ['network', undefined, 4],
    ['timeout', undefined, 4],
    ['token', undefined, 4],
    ['token', 503, 4],
    ['status', 408, 4],
    ['status', 429, 4],
    ['status', 500, 4],
    ['status', 503, 4],
    ['status', 599, 4],
    ['status', 400, 1],
    ['status', 401, 1],
    ['status', 403, 1],
    ['status', 404, 1],
    ['status', 422, 1],
    ['destination', undefined, 1],
    ['answer', undefined, 1],
    ['filter', undefined, 1],
  ])('of a failure of kind %s with status %s makes %i calls', async (kind, status, expected) => {
    const { calls, outcome } = await run(() => new SearchFailure(kind, 'failed', { status }));
    expect([calls, outcome]).toEqual([expected, 'failed']);
  });

  it('returns the answer that comes after failures', async () => {
    const { outcome, calls, sleeps } = await run((call) =>
      call < 3 ? new SearchFailure('network', 'reset') : undefined,
    );
    expect([outcome, calls]).toEqual(['answered', 3]);
    // Half of 500 ms, then half of 1000 ms.
    expect(sleeps).toEqual([250, 500]);
  });

  it('gives up when the group asks to wait until it is too late', async () => {
    const { calls, outcome } = await run(() => new SearchFailure('network', 'reset'), {
      totalMs: 10_000,
      pausedUntil: 10_001,
    });
    expect([calls, outcome]).toEqual([1, 'reset']);
  });

  it('gives up when a retry would start too late', async () => {
    const { calls, outcome } = await run(() => new SearchFailure('network', 'reset'), {
      totalMs: 600,
    });
    // At 0 and 250 ms; the next would be at 750 ms.
    expect([calls, outcome]).toEqual([2, 'reset']);
  });

  it('throws at once what is no failure of AI Core', async () => {
    const { calls, outcome } = await run(() => new TypeError('a bug'));
    expect([calls, outcome]).toEqual([1, 'a bug']);
  });
});

async function run(
  reply: (call: number) => Error | undefined,
  { totalMs = 120_000, pausedUntil = 0 } = {},
) {
  const clock = createFakeClock();
  let calls = 0;
  const outcome = await callWithRetries(
    () => {
      calls += 1;
      const failure = reply(calls);
      return failure ? Promise.reject(failure) : Promise.resolve('answered');
    },
    {
      attempts: 4,
      totalMs,
      clock,
      pausedUntil: () => pausedUntil,
      stop: createCircuitBreaker(),
      signal: new AbortController().signal,
    },
  ).catch((error: unknown) => (error as Error).message);
  return { calls, outcome, sleeps: clock.sleeps };
}
