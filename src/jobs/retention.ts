import { deleteExpired } from '../evaluation/lifecycle/delete-expired.ts';
import { isKept } from '../evaluation/lifecycle/is-kept.ts';
import type { Database } from '../storage/database/database.ts';
import type { JobLog } from './evaluation-jobs.ts';

export interface RetentionOptions {
  readonly db: Database;
  readonly now: () => string;
  readonly log: JobLog;
  /** Undefined: everything is kept for ever. */
  readonly days: number | undefined;
}

export interface Retention {
  /** Waits for what is being deleted. */
  readonly close: () => Promise<void>;
}

const everyMs = 60 * 60 * 1000;

/** Deletes old evaluations now and each hour. Several instances may do so at once. */
export function startRetention({ db, now, log, days }: RetentionOptions): Retention {
  if (days === undefined) return { close: () => Promise.resolve() };
  async function run(age: number): Promise<void> {
    try {
      const deleted = await deleteExpired(db, { days: age, now: now(), isKept });
      if (deleted.length > 0) log.info({ evaluations: deleted }, 'deleted old evaluations');
    } catch (error) {
      log.error({ err: error }, 'deleting old evaluations failed, will retry in an hour');
    }
  }
  let last = run(days);
  const timer = setInterval(() => {
    last = last.then(() => run(days));
  }, everyMs);
  return {
    close() {
      clearInterval(timer);
      return last;
    },
  };
}
