import type { Database } from '../database/database.ts';
import { unfinishedStatuses } from '../../model/evaluation-status.ts';
import { acrossTenants } from '../database/tenant-scope.ts';

/** A run of SAP's Job Scheduling Service and the evaluation that it started. */
export interface JobRun {
  readonly runId: string;
  readonly jobId: string;
  readonly scheduleId: string;
  readonly evaluationId: string;
}

/** Remembers a run. One that came before stays as it is. */
export async function insertJobRun(db: Database, run: JobRun, createdAt: string): Promise<void> {
  await db
    .insertInto('job_run')
    .values({
      run_id: run.runId,
      job_id: run.jobId,
      schedule_id: run.scheduleId,
      evaluation_id: run.evaluationId,
      created_at: createdAt,
      reported_at: null,
    })
    .onConflict((conflict) => conflict.column('run_id').doNothing())
    .execute();
}

/** Runs of all tenants that wait for an update though their evaluation has ended, or is gone. */
export async function listRunsToReport(
  db: Database,
): Promise<readonly (JobRun & { readonly tenant: string })[]> {
  return acrossTenants(db)
    .selectFrom('job_run')
    .leftJoin('evaluation', (join) =>
      join
        .onRef('evaluation.id', '=', 'job_run.evaluation_id')
        .onRef('evaluation.tenant', '=', 'job_run.tenant'),
    )
    .where('reported_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('evaluation.status', 'is', null),
        eb('evaluation.status', 'not in', unfinishedStatuses),
      ]),
    )
    .orderBy('job_run.created_at')
    .select([
      'job_run.tenant',
      'run_id as runId',
      'job_id as jobId',
      'schedule_id as scheduleId',
      'evaluation_id as evaluationId',
    ])
    .execute();
}

/** Marks a run as reported. False when another instance did. */
export async function markReported(trx: Database, runId: string, at: string): Promise<boolean> {
  const result = await trx
    .updateTable('job_run')
    .set({ reported_at: at })
    .where('run_id', '=', runId)
    .where('reported_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
