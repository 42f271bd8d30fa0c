import { availableParallelism } from 'node:os';

import { AppError } from '../../errors.ts';
import { createFairQueue } from './fair-queue.ts';

/** How many large computations run at a time, and how many wait. */
export interface ComputationLimits {
  readonly atOnce: number;
  readonly maxWaiting: number;
}

/** Turns for large computations, shared by all tenants of this process. */
export interface Computations {
  /**
   * Runs the work when its turn comes; tenants take turns. Refuses with `unavailable` when too many wait, and rejects
   * with the signal's reason when it aborts before the turn comes.
   */
  readonly run: <Value>(owner: TurnOwner, work: () => Promise<Value>) => Promise<Value>;
  readonly count: () => { readonly running: number; readonly waiting: number };
}

export interface TurnOwner {
  readonly tenant: string;
  readonly signal?: AbortSignal | undefined;
  /** Whether it had a turn before: then it waits, however many others do. */
  readonly isAdmitted?: boolean;
}

/** A core is left to the event loop where there are more than two. */
export function defaultComputationLimits(): ComputationLimits {
  return { atOnce: Math.max(2, availableParallelism() - 1), maxWaiting: 32 };
}

/** The pause that a refused sender is asked for. */
const retryAfterSeconds = 5;

export function createComputations({ atOnce, maxWaiting }: ComputationLimits): Computations {
  const waiting = createFairQueue<() => void>();
  let running = 0;

  function waitForTurn({ tenant, signal, isAdmitted = false }: TurnOwner): Promise<void> {
    signal?.throwIfAborted();
    if (running < atOnce) {
      running += 1;
      return Promise.resolve();
    }
    if (!isAdmitted && waiting.size() >= maxWaiting) throw tooMany();
    return new Promise((resolve, reject) => {
      const leave = () => {
        if (waiting.remove(tenant, start)) reject(signal?.reason as Error);
      };
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.add(tenant, start);
    });
  }

  function tooMany(): AppError {
    const message = `${running} computations are running and ${waiting.size()} are waiting, the most that this instance takes; try again later`;
    return new AppError('unavailable', message, { details: { retryAfterSeconds } });
  }

  /** The next one takes the place over. */
  function endTurn(): void {
    const start = waiting.take();
    if (start) start();
    else running -= 1;
  }

  return {
    async run(owner, work) {
      await waitForTurn(owner);
      try {
        owner.signal?.throwIfAborted();
        return await work();
      } finally {
        endTurn();
      }
    },
    count: () => ({ running, waiting: waiting.size() }),
  };
}
