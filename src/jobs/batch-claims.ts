import { setTimeout as sleep } from 'node:timers/promises';

import type { Database } from '../storage/database/database.ts';
import {
  claimBatch,
  claimMs,
  deleteBatch,
  releaseBatch,
  renewClaims,
  type EvaluationBatch,
} from '../storage/evaluations/evaluation-batches.ts';
import { retryTransientErrors } from '../storage/database/transient-errors.ts';

/** One instance's right to work on a batch. */
export interface BatchClaim {
  readonly batch: EvaluationBatch;
  /** Aborts when the right is lost: the work was cancelled, or others may have taken it over. */
  readonly lost: AbortSignal;
  /** Resolves when no other instance can be working on the batch. Rejects when the claim is lost. */
  readonly confirm: () => Promise<void>;
}

export interface BatchClaims {
  /** `gone`: there is nothing to do. `held`: another instance has it. */
  readonly take: (batchId: string) => Promise<BatchClaim | 'gone' | 'held'>;
  /** The work is done. */
  readonly finish: (batchId: string) => Promise<void>;
  /** The work is not done, and anybody may take it. */
  readonly giveBack: (batchId: string) => Promise<void>;
  /** The work is not wanted any more. */
  readonly drop: (batchIds: readonly string[]) => void;
  readonly close: () => void;
}

const renewEveryMs = 2000;

/** After this time without a renewal no search is started any more. */
const staleAfterMs = claimMs - 3000;

/** After this time what is under way is cut off, just before others may take it over. */
const lostAfterMs = claimMs - 500;

const tickMs = 250;

interface HeldClaim {
  readonly loss: AbortController;
  renewedAt: number;
}

/** Keeps the claims of one instance. The database's clock decides when one has run out; here, time counts from before a renewal was asked for. */
export function createBatchClaims(db: Database, owner: string): BatchClaims {
  const held = new Map<string, HeldClaim>();
  let renewal: Promise<void> | undefined;
  let renewedLast = performance.now();

  function lose(id: string, reason: string): void {
    held.get(id)?.loss.abort(new Error(reason));
  }

  async function renew(): Promise<void> {
    const askedAt = performance.now();
    const asked = [...held];
    const ids = await renewClaims(db, owner);
    for (const [id, claim] of asked) {
      if (ids.has(id)) claim.renewedAt = askedAt;
      else lose(id, 'The batch was cancelled or taken over');
    }
  }

  const timer = setInterval(() => {
    const now = performance.now();
    for (const [id, { renewedAt }] of held) {
      if (now - renewedAt >= lostAfterMs) lose(id, 'The database did not respond in time');
    }
    if (renewal || held.size === 0 || now - renewedLast < renewEveryMs) return;
    renewedLast = now;
    // What does not succeed is tried again at the next tick; the claims grow old meanwhile.
    renewal = renew()
      .catch(() => {
        renewedLast = now - renewEveryMs;
      })
      .finally(() => {
        renewal = undefined;
      });
  }, tickMs);

  return {
    async take(id) {
      if (held.has(id)) return 'held';
      const claim = { loss: new AbortController(), renewedAt: performance.now() };
      const batch = await retryTransientErrors(() => claimBatch(db, id, owner));
      if (batch === 'gone') return 'gone';
      if (!batch || held.has(id)) return 'held';
      held.set(id, claim);
      return { batch, lost: claim.loss.signal, confirm: () => confirm(claim) };
    },
    async finish(id) {
      await retryTransientErrors(() => deleteBatch(db, id));
      held.delete(id);
    },
    async giveBack(id) {
      await retryTransientErrors(() => releaseBatch(db, id, owner));
      held.delete(id);
    },
    drop: (ids) => ids.forEach((id) => lose(id, 'The evaluation was cancelled')),
    close: () => clearInterval(timer),
  };
}

async function confirm(claim: HeldClaim): Promise<void> {
  const pauseMs = 50;
  while (performance.now() - claim.renewedAt >= staleAfterMs) {
    await sleep(pauseMs, undefined, { signal: claim.loss.signal });
  }
  claim.loss.signal.throwIfAborted();
}
