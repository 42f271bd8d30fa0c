import { setTimeout as sleep } from 'node:timers/promises';

import type { Database } from '../../storage/database/database.ts';
import { findEvaluation } from '../../storage/evaluations/evaluations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { tenantOf } from '../../storage/database/tenant-scope.ts';
import { retryTransientErrors } from '../../storage/database/transient-errors.ts';
import { isFinished, readProgress, type Progress } from './describe-evaluation.ts';

/** The progress of an evaluation at one moment. */
export interface EvaluationState {
  /** Names the state, the same on every instance: who knows it needs no second telling. */
  readonly key: string;
  readonly status: StoredEvaluation['status'];
  readonly isFinal: boolean;
  readonly progress: Progress;
  readonly error: StoredEvaluation['error'];
}

export interface EvaluationWatch {
  /**
   * Each state that follows the one whose key is `after`, up to the final one. Undefined in between when
   * nothing changed for a while. Ends early when the signal aborts or the evaluation is deleted.
   */
  readonly watch: (
    db: Database,
    id: string,
    options: { readonly after?: string | undefined; readonly signal: AbortSignal },
  ) => AsyncGenerator<EvaluationState | undefined>;
}

const pollEveryMs = 500;
const quietMs = 15_000;

/** Watches evaluations in the store, whichever instance works on them. All who watch one share each look at it. */
export function createEvaluationWatch(now: () => string): EvaluationWatch {
  const looks = new Map<string, Promise<EvaluationState | undefined>>();

  function look(db: Database, id: string): Promise<EvaluationState | undefined> {
    const key = `${tenantOf(db)} ${id}`;
    const current = looks.get(key);
    if (current) return current;
    const next = readState(db, id, now());
    looks.set(key, next);
    const forget = () => setTimeout(() => looks.delete(key), pollEveryMs / 2).unref();
    next.then(forget, () => looks.delete(key));
    return next;
  }

  return {
    async *watch(db, id, { after, signal }) {
      let known = after;
      let toldAt = performance.now();
      while (!signal.aborted) {
        const state = await retryTransientErrors(() => look(db, id), signal).catch(
          endIfAborted(signal),
        );
        if (!state) return;
        const isNews = state.key !== known;
        if (isNews || performance.now() - toldAt >= quietMs) {
          yield isNews ? state : undefined;
          toldAt = performance.now();
        }
        known = state.key;
        if (state.isFinal) return;
        await sleep(pollEveryMs, undefined, { signal }).catch(endIfAborted(signal));
      }
    },
  };
}

function endIfAborted(signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (!signal.aborted) throw error;
    return undefined;
  };
}

async function readState(
  db: Database,
  id: string,
  now: string,
): Promise<EvaluationState | undefined> {
  const evaluation = await findEvaluation(db, id);
  if (!evaluation) return undefined;
  const { status, error, finishedAt } = evaluation;
  const progress = await readProgress(db, evaluation, now);
  const key = [status, progress.done, progress.failed, finishedAt ?? '-'].join('_');
  return { key, status, isFinal: isFinished(evaluation), progress, error };
}
