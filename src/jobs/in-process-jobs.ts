import { AppError } from '../errors.ts';
import { runEvaluation, type EvaluationContext } from '../evaluation/run-evaluation.ts';
import { finishEvaluation, listUnfinishedIds } from '../storage/evaluations.ts';
import type { EvaluationJobs, JobLog } from './evaluation-jobs.ts';

export interface InProcessJobsOptions extends EvaluationContext {
  readonly log: JobLog;
  /** How many evaluations run side by side; the others wait in their order. */
  readonly concurrentEvaluations: number;
}

/** Runs evaluations in this process. What it was doing when the process ended, `resume` finds in the store. */
export function createInProcessJobs(options: InProcessJobsOptions): EvaluationJobs {
  const { db, log, concurrentEvaluations } = options;
  const waiting: string[] = [];
  const running = new Map<
    string,
    { readonly stop: AbortController; readonly end: Promise<void> }
  >();
  let isClosing = false;

  function enqueue(id: string): void {
    if (isClosing || waiting.includes(id) || running.has(id)) return;
    waiting.push(id);
    startNext();
  }

  function startNext(): void {
    if (isClosing || running.size >= concurrentEvaluations) return;
    const id = waiting.shift();
    if (id === undefined) return;
    const stop = new AbortController();
    const end = work(options, id, stop.signal).finally(() => {
      running.delete(id);
      startNext();
    });
    running.set(id, { stop, end });
    startNext();
  }

  return {
    enqueue,
    async resume() {
      const ids = await listUnfinishedIds(db);
      if (ids.length > 0) log.info({ evaluations: ids }, 'going on with unfinished evaluations');
      for (const id of ids) enqueue(id);
    },
    abort(id) {
      const place = waiting.indexOf(id);
      if (place !== -1) waiting.splice(place, 1);
      running.get(id)?.stop.abort(new Error('The evaluation was cancelled'));
    },
    async close() {
      isClosing = true;
      for (const { stop } of running.values()) stop.abort(new Error('The service is stopping'));
      await Promise.all([...running.values()].map(({ end }) => end));
    },
  };
}

async function work(options: InProcessJobsOptions, id: string, signal: AbortSignal): Promise<void> {
  const { db, log, now } = options;
  try {
    await runEvaluation(options, id, signal);
    log.info({ evaluation: id }, 'evaluation ended');
  } catch (error) {
    // Cancelled: its end is stored. Stopping: the next process goes on with it.
    if (signal.aborted) return;
    log.error({ evaluation: id, err: error }, 'evaluation failed');
    const failure = toFailure(error);
    await finishEvaluation(db, id, { status: 'failed', scorecard: null, error: failure, at: now() })
      // The store itself may be the fault. The evaluation stays unfinished, and a restart goes on with it.
      .catch((cause: unknown) =>
        log.error({ evaluation: id, err: cause }, 'its end was not stored'),
      );
  }
}

function toFailure(error: unknown): { readonly code: string; readonly detail: string } {
  if (error instanceof AppError) return { code: error.code, detail: error.message };
  const detail = 'The evaluation stopped by a fault of the service; its log says why';
  return { code: 'internal', detail };
}
