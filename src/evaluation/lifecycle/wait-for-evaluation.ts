import { setTimeout } from 'node:timers/promises';

import type { Database } from '../../storage/database/database.ts';
import { findEvaluation } from '../../storage/evaluations/evaluations.ts';
import { isFinished } from './describe-evaluation.ts';

/** True as soon as the evaluation has ended, false when it has not within `timeoutMs`. */
export async function waitForEvaluation(
  db: Database,
  id: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (let pauseMs = 10; !signal.aborted; pauseMs = Math.min(pauseMs * 1.5, 250)) {
    const evaluation = await findEvaluation(db, id);
    if (!evaluation || isFinished(evaluation)) return evaluation !== undefined;
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return false;
    await setTimeout(Math.min(pauseMs, leftMs));
  }
  return false;
}
