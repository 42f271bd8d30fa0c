import { asOwner } from '../evaluation/lifecycle/as-owner.ts';
import { runEvaluation, type EvaluationContext } from '../evaluation/running/run-evaluation.ts';
import type { WorkControl } from '../evaluation/searching/work-control.ts';
import { inSpan } from '../retrieval/in-span.ts';
import { finishEvaluation } from '../storage/evaluations/evaluation-life-cycle.ts';
import { listUnfinishedIds } from '../storage/evaluations/evaluations-of-all-tenants.ts';
import { forgetWork } from '../storage/evaluations/work-in-hand.ts';
import { retryTransientErrors } from '../storage/database/transient-errors.ts';
import { createDeathGuard, type DeathGuard } from './death-guard.ts';
import { toEvaluationFailure, type EvaluationJobs, type JobLog } from './evaluation-jobs.ts';
import { toLogContext } from './log-context.ts';
import { createStopSwitch } from './stop-switch.ts';

export interface InProcessJobsOptions extends EvaluationContext {
  readonly log: JobLog;
  /** How many evaluations run in parallel; the others wait in order. */
  readonly concurrentEvaluations: number;
  /** How long searches under way may take when the process stops. */
  readonly drainMs: number;
}

interface RunningEvaluation {
  readonly cancel: AbortController;
  readonly end: Promise<void>;
}

/** Runs evaluations in this process. What it was doing when the process ended, `resume` finds in the store. */
export function createInProcessJobs(options: InProcessJobsOptions): EvaluationJobs {
  const { db, log, now, concurrentEvaluations, drainMs } = options;
  const waiting: string[] = [];
  const running = new Map<string, RunningEvaluation>();
  const stopSwitch = createStopSwitch();
  const guard = createDeathGuard(db, now);

  function enqueue(id: string): void {
    if (stopSwitch.isStopping() || waiting.includes(id)) return;
    waiting.push(id);
    startNext();
  }

  function startNext(): void {
    if (stopSwitch.isStopping() || running.size >= concurrentEvaluations) return;
    // One that runs and was opened again meanwhile waits for its own end.
    const place = waiting.findIndex((candidate) => !running.has(candidate));
    const [id] = place === -1 ? [] : waiting.splice(place, 1);
    if (id === undefined) return;
    const cancel = new AbortController();
    const abort = AbortSignal.any([cancel.signal, stopSwitch.abort]);
    const end = work({ ...options, guard }, id, { abort, drain: stopSwitch.drain }).finally(() => {
      running.delete(id);
      startNext();
    });
    running.set(id, { cancel, end });
    startNext();
  }

  return {
    enqueue,
    async resume() {
      const ids = await listUnfinishedIds(db);
      if (ids.length > 0) log.info({ evaluations: ids }, 'resuming unfinished evaluations');
      for (const id of ids) enqueue(id);
    },
    abort(id) {
      const place = waiting.indexOf(id);
      if (place !== -1) waiting.splice(place, 1);
      running.get(id)?.cancel.abort(new Error('The evaluation was cancelled'));
    },
    async close() {
      const ends = [...running.values()].map(({ end }) => end);
      await stopSwitch.stop(Promise.all([...ends, guard.release()]), drainMs);
    },
  };
}

async function work(
  options: InProcessJobsOptions & { readonly guard: DeathGuard },
  id: string,
  control: WorkControl,
): Promise<void> {
  const { db, log, now, guard } = options;
  const { abort, drain } = control;
  const run = () => asOwner(db, id, (own) => runEvaluation({ ...options, db: own }, id, control));
  try {
    const attributes = { 'grounding_eval.evaluation': id };
    const part = { evaluationId: id, part: 'evaluation' };
    await inSpan('evaluation', { attributes }, () =>
      guard.run(part, () => {
        drain.throwIfAborted();
        return retryTransientErrors(run, abort);
      }),
    );
    log.info(await toLogContext(db, id), 'evaluation ended');
  } catch (error) {
    // Cancelled: its end is stored. Stopping: the next process continues it.
    if (abort.aborted || drain.aborted) return;
    const about = await toLogContext(db, id);
    log.error({ ...about, err: error }, 'evaluation failed');
    const failure = toEvaluationFailure(error);
    const end = { status: 'failed', scorecard: null, error: failure, at: now() } as const;
    const finish = () =>
      asOwner(db, id, async (own) => {
        await finishEvaluation(own, id, end);
        await forgetWork(own, id);
      });
    await retryTransientErrors(finish, abort).catch((cause: unknown) =>
      // The evaluation stays unfinished, and continues after a restart.
      log.error({ ...about, err: cause }, 'could not store the end of an evaluation'),
    );
  }
}
