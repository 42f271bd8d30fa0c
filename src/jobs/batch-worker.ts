import { asOwner } from '../evaluation/lifecycle/as-owner.ts';
import { runBatch } from '../evaluation/running/run-batch.ts';
import type { EvaluationContext } from '../evaluation/running/run-evaluation.ts';
import type { Database } from '../storage/database/database.ts';
import {
  deleteBatchesOf,
  findLastBatch,
  type EvaluationBatch,
} from '../storage/evaluations/evaluation-batches.ts';
import { inSpan } from '../retrieval/in-span.ts';
import { finishEvaluation } from '../storage/evaluations/evaluation-life-cycle.ts';
import { forgetWork, type WorkPart } from '../storage/evaluations/work-in-hand.ts';
import { retryTransientErrors } from '../storage/database/transient-errors.ts';
import type { BatchClaim, BatchClaims } from './batch-claims.ts';
import type { DeathGuard } from './death-guard.ts';
import type { BatchQueue, QueuedBatch } from './batch-queue.ts';
import { toEvaluationFailure, type JobLog } from './evaluation-jobs.ts';
import { toLogContext } from './log-context.ts';
import type { StopSwitch } from './stop-switch.ts';

export interface BatchWorkerOptions extends EvaluationContext {
  readonly log: JobLog;
  readonly queue: BatchQueue;
  readonly claims: BatchClaims;
  readonly guard: DeathGuard;
  readonly stopSwitch: StopSwitch;
}

/** What an instance does with the batches that it is handed. */
export interface BatchWorker {
  /** Rejects when the batch must be handed out again. */
  readonly handle: (batch: Omit<QueuedBatch, 'priority'>) => Promise<void>;
  /** Hands out the scoring of an evaluation when nothing of it is left to be searched. */
  readonly passOn: (evaluationId: string) => Promise<void>;
  /** Takes the work on an evaluation off all instances. */
  readonly withdraw: (evaluationId: string) => Promise<void>;
}

export function createBatchWorker(options: BatchWorkerOptions): BatchWorker {
  const { db, log, now, queue, claims, guard, stopSwitch } = options;

  async function passOn(evaluationId: string): Promise<void> {
    const id = await retryTransientErrors(() => findLastBatch(db, evaluationId), stopSwitch.abort);
    if (id === undefined) return;
    const scoring = [{ id, evaluationId, priority: 1 }];
    await retryTransientErrors(() => queue.send(scoring), stopSwitch.abort);
    queue.wake();
  }

  async function withdraw(evaluationId: string): Promise<void> {
    const ids = await retryTransientErrors(() => deleteBatchesOf(db, evaluationId));
    claims.drop(ids);
    await queue.cancel(ids);
  }

  async function fail(evaluationId: string, error: unknown): Promise<void> {
    log.error({ ...(await toLogContext(db, evaluationId)), err: error }, 'evaluation failed');
    const failure = toEvaluationFailure(error);
    const end = { status: 'failed', scorecard: null, error: failure, at: now() } as const;
    const finish = async (own: Database) => {
      await finishEvaluation(own, evaluationId, end);
      await forgetWork(own, evaluationId);
    };
    await retryTransientErrors(() => asOwner(db, evaluationId, finish));
    await withdraw(evaluationId);
  }

  async function carryOut({ batch, lost, confirm }: BatchClaim): Promise<void> {
    const abort = AbortSignal.any([lost, stopSwitch.abort]);
    const control = { abort, drain: stopSwitch.drain, assertClaimHeld: confirm };
    const run = (own: Database) => runBatch({ ...options, db: own }, batch, control);
    try {
      const attributes = { 'grounding_eval.evaluation': batch.evaluationId };
      await inSpan('processing batch of an evaluation', { attributes }, () =>
        guard.run(toPart(batch), () => {
          abort.throwIfAborted();
          stopSwitch.drain.throwIfAborted();
          return retryTransientErrors(() => asOwner(db, batch.evaluationId, run), abort);
        }),
      );
      await claims.finish(batch.id);
      log.info(await toLogContext(db, batch.evaluationId), 'finished batch of an evaluation');
    } catch (error) {
      await claims.giveBack(batch.id);
      // Another instance continues the batch, unless the evaluation was cancelled.
      if (abort.aborted || stopSwitch.isStopping()) throw error;
      await fail(batch.evaluationId, error);
    }
  }

  return {
    async handle({ id, evaluationId }) {
      stopSwitch.drain.throwIfAborted();
      const claim = await claims.take(id);
      if (claim === 'held') throw new Error('Another instance is processing this batch');
      if (claim !== 'gone') await carryOut(claim);
      await passOn(evaluationId);
    },
    passOn,
    withdraw,
  };
}

function toPart({ id, evaluationId, configuration, from, to }: EvaluationBatch): WorkPart {
  const part = { evaluationId, part: id };
  return configuration === null ? part : { ...part, range: { configuration, from, to } };
}
