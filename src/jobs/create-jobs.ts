import { isPostgres } from '../storage/database/database.ts';
import type { EvaluationJobs } from './evaluation-jobs.ts';
import { createInProcessJobs } from './in-process-jobs.ts';
import type { SharedJobsOptions } from './shared-jobs.ts';

/** On PostgreSQL the work is shared by all instances; a SQLite file belongs to one process, and so does its queue. */
export async function createJobs(options: SharedJobsOptions): Promise<EvaluationJobs> {
  if (isPostgres(options.databaseUrl)) {
    // Loading pg-boss takes a third of a second, which a command over a file need not wait for.
    const { createSharedJobs } = await import('./shared-jobs.ts');
    return createSharedJobs(options);
  }
  return createInProcessJobs({ ...options, concurrentEvaluations: 2 });
}
