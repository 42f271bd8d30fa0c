import { asOwner } from '../evaluation/lifecycle/as-owner.ts';
import { planBatches } from '../evaluation/searching/plan-batches.ts';
import type { EvaluationContext } from '../evaluation/running/run-evaluation.ts';
import type { Database } from '../storage/database/database.ts';
import {
  listBatches,
  listUnbatched,
  type EvaluationBatch,
} from '../storage/evaluations/evaluation-batches.ts';
import type { DatabaseAddress } from '../storage/database/database.ts';
import { listUnfinishedIds } from '../storage/evaluations/evaluations-of-all-tenants.ts';
import { retryTransientErrors } from '../storage/database/transient-errors.ts';
import { createBatchClaims } from './batch-claims.ts';
import { openBatchQueue, type QueuedBatch } from './batch-queue.ts';
import { createDeathGuard } from './death-guard.ts';
import { createBatchWorker } from './batch-worker.ts';
import type { EvaluationJobs, JobLog } from './evaluation-jobs.ts';
import { createStopSwitch } from './stop-switch.ts';

export interface SharedJobsOptions extends EvaluationContext {
  readonly databaseUrl: string;
  readonly databaseTls?: DatabaseAddress['tls'];
  readonly log: JobLog;
  readonly createId: () => string;
  /** How long searches under way may take when the process stops. */
  readonly drainMs: number;
}

/** How often each instance looks for evaluations that an instance left between two steps. */
const sweepEveryMs = 5000;

/** Outcomes held by each batch. With as many being written, fewer than 50 are unsaved. */
const maxHeldOutcomes = 8;

/** What is left after the searches: storing, and handing back. */
const handBackMs = 2000;

/**
 * Runs evaluations in batches that all instances on one PostgreSQL share. pg-boss hands them out, again when
 * an instance dies; a claim in the store sees to it that a batch is in one hand at a time even when pg-boss
 * takes an instance for dead that is not.
 */
export async function createSharedJobs(options: SharedJobsOptions): Promise<EvaluationJobs> {
  const { db, log, now, createId, drainMs } = options;
  const { databaseUrl: url, databaseTls: tls } = options;
  const queue = await openBatchQueue({ url, tls }, log);
  const claims = createBatchClaims(db, createId());
  const stopSwitch = createStopSwitch();
  const guard = createDeathGuard(db, now);
  const hands = { maxHeldOutcomes, queue, claims, guard, stopSwitch };
  const worker = createBatchWorker({ ...options, ...hands });
  const pending = new Set<Promise<void>>();

  function inBackground(task: Promise<void>, failed: string): void {
    const end = task
      .catch((error: unknown) => {
        if (!stopSwitch.isStopping()) log.error({ err: error }, failed);
      })
      .finally(() => pending.delete(end));
    pending.add(end);
  }

  async function plan(evaluationId: string): Promise<void> {
    const splitIntoBatches = (own: Database) =>
      own.transaction().execute(async (trx) => {
        const batches = await planBatches(trx, evaluationId, { now, createId });
        const searches = batches.filter(isSearch);
        await queue.send(toQueued(searches.length > 0 ? searches : batches), trx);
      });
    await retryTransientErrors(() => asOwner(db, evaluationId, splitIntoBatches), stopSwitch.drain);
    queue.wake();
  }

  async function sweep(): Promise<void> {
    for (const id of await listUnbatched(db)) await plan(id);
  }

  await queue.work(worker.handle);
  const timer = setInterval(() => {
    if (pending.size === 0) inBackground(sweep(), 'looking for unfinished evaluations failed');
  }, sweepEveryMs);

  return {
    enqueue: (id) => inBackground(plan(id), 'could not split an evaluation into batches'),
    async resume() {
      await sweep();
      const ids = await listUnfinishedIds(db);
      if (ids.length > 0) log.info({ evaluations: ids }, 'distributing unfinished evaluations');
      for (const id of ids) {
        const left = await listBatches(db, id);
        await queue.send(toQueued(left.filter(isSearch)));
        await worker.passOn(id);
      }
    },
    abort: (id) => inBackground(worker.withdraw(id), 'could not withdraw a cancelled evaluation'),
    async close() {
      clearInterval(timer);
      const end = queue.close(drainMs + handBackMs);
      await stopSwitch.stop(Promise.all([end, guard.release(), ...pending]), drainMs);
      claims.close();
    },
  };
}

function isSearch({ configuration }: EvaluationBatch): boolean {
  return configuration !== null;
}

/** The first batches of a late evaluation come before the last ones of an early one: small ones need not wait for large ones. */
function toQueued(batches: readonly EvaluationBatch[]): readonly QueuedBatch[] {
  return batches.map(({ id, evaluationId }, index) => ({ id, evaluationId, priority: -index }));
}
