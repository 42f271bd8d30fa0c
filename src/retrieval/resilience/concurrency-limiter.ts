import type { Clock } from './clock.ts';

/** Limits the concurrent calls to one resource group, and pauses them while it asks to wait. */
export interface ConcurrencyLimiter {
  /** Waits for a place. Rejects when the signal aborts. The place must be left again. */
  readonly acquire: (signal: AbortSignal) => Promise<Place>;
  /** Nobody enters before this time. */
  readonly pauseUntil: (time: number) => void;
  readonly pausedUntil: () => number;
  /** How many may be inside at present. */
  readonly limit: () => number;
  readonly underWay: () => number;
  /** Those that wait for a place, not for the end of a pause. */
  readonly waiting: () => number;
}

export interface Place {
  /** `overloaded`: the group could not take the call, so fewer are let in from now on. */
  readonly release: (outcome: 'answered' | 'overloaded' | 'failed') => void;
}

/** Those who waited for the end of a pause come back within this time, not all in one instant. */
const spreadMs = 1000;

/**
 * A gate that starts at the highest limit, halves it when the group is overloaded, and raises it by one for
 * about as many answers as it lets in at once.
 */
export function createConcurrencyLimiter(highest: number, clock: Clock): ConcurrencyLimiter {
  let limit = highest;
  let inside = 0;
  let paused = Number.NEGATIVE_INFINITY;
  let era = 0;
  let waiting: (() => void)[] = [];

  function wakeAll(): void {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  }

  function waitForTurn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason as Error);
      signal.addEventListener('abort', abort, { once: true });
      waiting.push(() => {
        signal.removeEventListener('abort', abort);
        resolve();
      });
    });
  }

  function lower(entered: number): void {
    // Calls that were under way together tell of the same overload: it counts once.
    if (entered !== era) return;
    era += 1;
    limit = Math.max(1, limit / 2);
  }

  function takePlace(): Place {
    const entered = era;
    inside += 1;
    return {
      release(outcome) {
        inside -= 1;
        if (outcome === 'answered') limit = Math.min(highest, limit + 1 / limit);
        if (outcome === 'overloaded') lower(entered);
        wakeAll();
      },
    };
  }

  return {
    async acquire(signal) {
      for (;;) {
        signal.throwIfAborted();
        const pause = paused - clock.now();
        if (pause > 0) await clock.sleep(pause + clock.random() * spreadMs, signal);
        else if (inside < Math.floor(limit)) return takePlace();
        else await waitForTurn(signal);
      }
    },
    pauseUntil(time) {
      paused = Math.max(paused, time);
    },
    pausedUntil: () => paused,
    limit: () => limit,
    underWay: () => inside,
    waiting: () => waiting.length,
  };
}
