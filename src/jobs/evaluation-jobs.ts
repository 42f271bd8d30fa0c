import { AppError } from '../errors.ts';
import type { EvaluationFailure } from '../storage/evaluations/stored-evaluation.ts';
import { DiedTooOftenError } from './death-guard.ts';

/** Runs evaluations outside the requests that ask for them. */
export interface EvaluationJobs {
  /** Takes over an evaluation that is stored as queued, or opened again. Returns at once. */
  readonly enqueue: (evaluationId: string) => void;
  /** Takes over every evaluation that an earlier process left unfinished. */
  readonly resume: () => Promise<void>;
  /** Stops the work on an evaluation whose end is stored already, on all instances. */
  readonly abort: (evaluationId: string) => void;
  /**
   * Takes no more work, lets the searches under way end for a while, cuts off what is left, and waits until
   * all that arrived is stored. Unfinished work continues on another instance, or at the next start.
   */
  readonly close: () => Promise<void>;
}

/** Log of the queue. It gets ids and causes, never questions. */
export interface JobLog {
  readonly info: (context: object, message: string) => void;
  readonly error: (context: object, message: string) => void;
}

/** What a client reads of the error that ended an evaluation. */
export function toEvaluationFailure(error: unknown): EvaluationFailure {
  if (error instanceof AppError) return { code: error.code, detail: error.message };
  if (error instanceof DiedTooOftenError) return { code: 'process-died', detail: error.message };
  const detail = 'The evaluation failed because of an internal error; see the log of the service';
  return { code: 'internal', detail };
}
