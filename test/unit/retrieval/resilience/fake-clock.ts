import type { Clock } from '../../../../src/retrieval/resilience/clock.ts';

export interface FakeClock extends Clock {
  /** Every sleep that was asked for, in milliseconds. */
  readonly sleeps: readonly number[];
  readonly pass: (ms: number) => void;
}

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/**
 * Time that passes in sleeps alone: whoever has to wake first wakes next, without any waiting. They
 * wake in companies of `together`, whose members all sleep before the first of them wakes.
 */
export function createFakeClock({
  random = () => 0.5,
  together = 1,
}: { random?: () => number; together?: number } = {}): FakeClock {
  let time = 0;
  const sleeps: number[] = [];
  const sleepers: Sleeper[] = [];

  function wakeNext(): void {
    const [next] = sleepers.toSorted((a, b) => a.until - b.until);
    if (!next) return;
    sleepers.splice(sleepers.indexOf(next), 1);
    time = Math.max(time, next.until);
    next.wake();
  }

  return {
    now: () => time,
    random,
    sleeps,
    pass: (ms) => {
      time += ms;
    },
    async sleep(ms, signal) {
      signal.throwIfAborted();
      sleeps.push(ms);
      await new Promise<void>((resolve) => {
        sleepers.push({ until: time + ms, wake: resolve });
        if (sleepers.length < together) return;
        for (let count = 0; count < together; count += 1) setImmediate(wakeNext);
      });
    },
  };
}
