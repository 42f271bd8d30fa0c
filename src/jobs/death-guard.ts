import { asOwner } from '../evaluation/lifecycle/as-owner.ts';
import type { Database } from '../storage/database/database.ts';
import { startEvaluation } from '../storage/evaluations/evaluation-life-cycle.ts';
import { retryTransientErrors } from '../storage/database/transient-errors.ts';
import {
  beginWork,
  countDeaths,
  deathsAtMost,
  endWork,
  giveBackWork,
  type WorkPart,
} from '../storage/evaluations/work-in-hand.ts';
import { createTurnLock } from './turn-lock.ts';

/** The process died too often during the same work, which is not started again. */
export class DiedTooOftenError extends Error {
  override readonly name = 'DiedTooOftenError';

  constructor() {
    super(`The process died ${deathsAtMost} times while it worked on this evaluation`);
  }
}

/** Keeps work that ends the process from ending it for ever. */
export interface DeathGuard {
  /**
   * Counts a beginning in the store, does the work, and takes it off the count when the work fails or is stopped:
   * only a process that dies leaves it there. The end of the work and progress set the count to zero. Work that a process
   * died with is done alone, so that work beside it is not blamed. Rejects with DiedTooOftenError when the count is full.
   */
  readonly run: (work: WorkPart, action: () => Promise<void>) => Promise<void>;
  /** Removes the current work from the counts: a requested stop is not a death. */
  readonly release: () => Promise<void>;
}

export function createDeathGuard(db: Database, now: () => string): DeathGuard {
  const turns = createTurnLock();
  const inHand = new Set<WorkPart>();

  const store = (work: WorkPart, change: (own: Database) => Promise<unknown>) =>
    retryTransientErrors(() => asOwner(db, work.evaluationId, change));

  async function findDeaths(work: WorkPart): Promise<number> {
    let deaths = 0;
    await store(work, async (own) => {
      deaths = await countDeaths(own, work);
    });
    return deaths;
  }

  async function refuse(work: WorkPart): Promise<never> {
    // Only what runs can fail.
    await store(work, (own) => startEvaluation(own, work.evaluationId, now()));
    throw new DiedTooOftenError();
  }

  async function giveBack(work: WorkPart): Promise<void> {
    if (!inHand.delete(work)) return;
    await store(work, (own) => giveBackWork(own, work));
  }

  return {
    async run(work, action) {
      const deaths = await findDeaths(work);
      if (deaths >= deathsAtMost) return refuse(work);
      return turns.run(deaths === 0 ? 'beside' : 'alone', async () => {
        await store(work, (own) => beginWork(own, work));
        inHand.add(work);
        try {
          await action();
        } catch (error) {
          await giveBack(work);
          throw error;
        }
        inHand.delete(work);
        await store(work, (own) => endWork(own, work));
      });
    },
    async release() {
      await Promise.all([...inHand].map(giveBack));
    },
  };
}
