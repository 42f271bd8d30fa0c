import { AiCoreFailure } from '../ai-core-failure.ts';
import { drawBackoffMs } from './backoff.ts';
import type { Clock } from './clock.ts';
import type { GroupGate } from './group-gate.ts';
import type { RefusalStop } from './refusal-stop.ts';

export interface RetryOptions {
  readonly attempts: number;
  /** No retry starts later than this after the first call. */
  readonly totalMs: number;
  readonly gate: GroupGate;
  readonly stop: RefusalStop;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Calls through the gate of a resource group until there is an answer, a failure that no retry mends, or
 * nothing left of attempts or time. What the server asks to wait holds back every caller of the group.
 */
export async function callWithRetries<Answer>(
  call: () => Promise<Answer>,
  options: RetryOptions,
): Promise<Answer> {
  const { attempts, totalMs, gate, stop, clock, signal } = options;
  let deadline = Number.POSITIVE_INFINITY;
  const start = () => {
    deadline = Math.min(deadline, clock.now() + totalMs);
    return call();
  };
  for (let failures = 1; ; failures += 1) {
    try {
      return await stop.run(() => callInside(start, options));
    } catch (error) {
      const isRetryable = error instanceof AiCoreFailure && error.isRetryable;
      if (!isRetryable || failures >= attempts) throw error;
      const waitMs = drawBackoffMs(failures, clock.random);
      if (Math.max(clock.now() + waitMs, gate.pausedUntil()) > deadline) throw error;
      await clock.sleep(waitMs, signal);
    }
  }
}

async function callInside<Answer>(
  call: () => Promise<Answer>,
  { gate, clock, signal }: RetryOptions,
): Promise<Answer> {
  const place = await gate.enter(signal);
  try {
    const answer = await call();
    place.leave('answered');
    return answer;
  } catch (error) {
    const failure = error instanceof AiCoreFailure ? error : undefined;
    if (failure?.retryAfterMs !== undefined) gate.pauseUntil(clock.now() + failure.retryAfterMs);
    place.leave(failure?.isOverload === true ? 'overloaded' : 'failed');
    throw error;
  }
}
