import { BrokenRowError } from '../../errors.ts';
import { listFailuresToNotify } from '../../storage/monitoring/alert-events.ts';
import type { Database } from '../../storage/database/database.ts';
import { listConfigurations } from '../../storage/evaluations/evaluation-configurations.ts';
import { findEvaluation } from '../../storage/evaluations/evaluations.ts';
import { readFailure } from '../../storage/evaluations/stored-evaluation.ts';
import { findGateDecision } from '../../storage/evaluations/gates.ts';
import { listRunsToReport, markReported, type JobRun } from '../../storage/monitoring/job-runs.ts';
import { countOutcomes } from '../../storage/evaluations/outcomes.ts';
import { insertMessage } from '../../storage/monitoring/outbox.ts';
import { scopeToTenant } from '../../storage/database/tenant-scope.ts';
import { raiseAlert } from './raise-alert.ts';
import { reportVerdicts } from './report-verdicts.ts';

/** The one update that a run of the Job Scheduling Service gets. */
export interface JobRunUpdate {
  readonly jobId: string;
  readonly scheduleId: string;
  readonly runId: string;
  readonly success: boolean;
  readonly message: string;
}

/** A failure that nobody was told of for so long is history, not news. */
const newsMs = 24 * 60 * 60 * 1000;

/**
 * Puts into the outbox what the ends of evaluations, of all tenants, owe: updates of job runs, alerts of failures. Looks
 * at what is stored, so it does not matter which process ended an evaluation, nor what died since.
 */
export async function reportEnds(db: Database, now: string): Promise<void> {
  for (const { tenant, ...run } of await listRunsToReport(db)) {
    await reportRun(scopeToTenant(db, tenant), run, now);
  }
  const since = new Date(Date.parse(now) - newsMs).toISOString();
  await reportVerdicts(db, { since, now });
  for (const { tenant, id, error } of await listFailuresToNotify(db, since)) {
    const code = codeOf({ id, error });
    await raiseAlert(scopeToTenant(db, tenant), {
      type: 'evaluation-failed',
      about: id,
      severity: 'error',
      subject: 'Evaluation failed',
      detail: `Evaluation ${id} failed: ${code}`,
      evaluation: id,
      occurredAt: now,
    });
  }
}

/** A failure that cannot be read must not keep others from being told. */
function codeOf(failed: { readonly id: string; readonly error: string | null }): string {
  try {
    return readFailure(failed)?.code ?? 'internal';
  } catch (error) {
    if (error instanceof BrokenRowError) return error.code;
    throw error;
  }
}

async function reportRun(db: Database, run: JobRun, now: string): Promise<void> {
  const { runId, jobId, scheduleId } = run;
  const end = await describeEnd(db, run.evaluationId);
  const update: JobRunUpdate = { jobId, scheduleId, runId, ...end };
  await db.transaction().execute(async (trx) => {
    if (!(await markReported(trx, runId, now))) return;
    const message = { id: `job-run/${runId}`, kind: 'job-run', target: null } as const;
    await insertMessage(trx, { ...message, payload: JSON.stringify(update), createdAt: now });
  });
}

/** Counts and codes only: the message is read, and kept, outside the service. */
async function describeEnd(
  db: Database,
  id: string,
): Promise<{ readonly success: boolean; readonly message: string }> {
  const evaluation = await findEvaluation(db, id);
  if (!evaluation) return { success: false, message: 'evaluation deleted' };
  const configurations = await listConfigurations(db, id);
  const { failed } = await countOutcomes(db, id);
  const questions = evaluation.total / Math.max(configurations.length, 1);
  const gate = (await findGateDecision(db, id))?.verdict;
  const cause = evaluation.error ? ` (${evaluation.error.code})` : '';
  return {
    success: evaluation.status === 'succeeded' && gate !== 'fail',
    message: `evaluation ${evaluation.status}${cause}: ${configurations.length} configurations, ${questions} questions, ${failed} failed${gate === undefined ? '' : `, gate ${gate}`}`,
  };
}
