import { SearchFailure } from '../search-failure.ts';
import { drawBackoffMs } from './backoff.ts';
import type { Clock } from './clock.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';

export interface RetryOptions {
  readonly attempts: number;
  /** No retry starts later than this after the first call. */
  readonly totalMs: number;
  /** Until when the resource group asks to wait. */
  readonly pausedUntil: () => number;
  readonly stop: CircuitBreaker;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Calls until there is an answer, a failure that no retry mends, or nothing left of attempts or time. What
 * the server asks to wait is waited for by the calls themselves, at the gate of their group.
 */
export async function callWithRetries<Answer>(
  call: () => Promise<Answer>,
  options: RetryOptions,
): Promise<Answer> {
  const { attempts, totalMs, pausedUntil, stop, clock, signal } = options;
  let deadline = Number.POSITIVE_INFINITY;
  const start = () => {
    deadline = Math.min(deadline, clock.now() + totalMs);
    return call();
  };
  for (let failures = 1; ; failures += 1) {
    try {
      return await stop.run(start);
    } catch (error) {
      const isRetryable = error instanceof SearchFailure && error.isRetryable;
      if (!isRetryable || failures >= attempts) throw error;
      const waitMs = drawBackoffMs(failures, clock.random);
      if (Math.max(clock.now() + waitMs, pausedUntil()) > deadline) throw error;
      await clock.sleep(waitMs, signal);
    }
  }
}
