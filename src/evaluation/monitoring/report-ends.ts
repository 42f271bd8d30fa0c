import { BrokenRowError } from '../../errors.ts';
import { listFailuresToNotify } from '../../storage/monitoring/alert-events.ts';
import type { GateDecision } from '../../model/gate.ts';
import type { JobRunUpdate } from '../../model/job-run-update.ts';
import type { Database } from '../../storage/database/database.ts';
import { listConfigurations } from '../../storage/evaluations/evaluation-configurations.ts';
import { findEvaluation } from '../../storage/evaluations/evaluations.ts';
import { readFailure } from '../../storage/evaluations/stored-evaluation.ts';
import { findGateDecision, listUnreadDecisions } from '../../storage/evaluations/gates.ts';
import { listRunsToReport, markReported, type JobRun } from '../../storage/monitoring/job-runs.ts';
import { countOutcomes } from '../../storage/evaluations/outcomes.ts';
import { insertMessage } from '../../storage/monitoring/outbox.ts';
import { readOr } from '../../storage/database/parse-stored.ts';
import { scopeToTenant } from '../../storage/database/tenant-scope.ts';
import { isTransientError } from '../../storage/database/transient-errors.ts';
import { raiseAlert } from './raise-alert.ts';
import { reportVerdict } from './report-verdict.ts';

/** Failures that are older than this are not reported. */
const newsMs = 24 * 60 * 60 * 1000;

/**
 * Puts into the outbox what the ends of evaluations, of all tenants, owe: updates of job runs, alerts of failures. Looks
 * at what is stored, so it does not matter which process ended an evaluation, nor what died since. An end that cannot be
 * reported is logged, and does not keep others waiting.
 */
export async function reportEnds(
  db: Database,
  { now, log }: { readonly now: string; readonly log: ReportLog },
): Promise<void> {
  const since = new Date(Date.parse(now) - newsMs).toISOString();
  const each = async <End extends { readonly tenant: string }>(
    ends: readonly End[],
    report: (own: Database, end: End, now: string) => Promise<void>,
    idOf: (end: End) => string,
  ) => {
    for (const end of ends) {
      await report(scopeToTenant(db, end.tenant), end, now).catch((error: unknown) => {
        if (isTransientError(error)) throw error;
        log.error({ evaluation: idOf(end), err: error }, 'end of an evaluation not reported');
      });
    }
  };
  await each(await listRunsToReport(db), reportRun, ({ evaluationId }) => evaluationId);
  await each(await listUnreadDecisions(db, since), reportVerdict, ({ id }) => id);
  await each(await listFailuresToNotify(db, since), reportFailure, ({ id }) => id);
}

export interface ReportLog {
  readonly error: (context: object, message: string) => void;
}

type Failure = Awaited<ReturnType<typeof listFailuresToNotify>>[number];

function reportFailure(db: Database, failure: Failure, now: string): Promise<void> {
  const { id } = failure;
  const code = readOr(() => readFailure(failure)?.code ?? 'internal', 'broken-row');
  return raiseAlert(db, {
    type: 'evaluation-failed',
    about: id,
    severity: 'error',
    subject: 'Evaluation failed',
    detail: `Evaluation ${id} failed: ${code}`,
    evaluation: id,
    occurredAt: now,
  });
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
  const gate = await findVerdict(db, id);
  const code = readOr(() => evaluation.error?.code, 'broken-row');
  const cause = code === undefined ? '' : ` (${code})`;
  return {
    success: evaluation.status === 'succeeded' && gate !== 'fail' && gate !== unreadable,
    message: `evaluation ${evaluation.status}${cause}: ${configurations.length} configurations, ${questions} questions, ${failed} failed${gate === undefined ? '' : `, gate ${gate}`}`,
  };
}

const unreadable = 'decision unreadable';

async function findVerdict(
  db: Database,
  id: string,
): Promise<GateDecision['verdict'] | typeof unreadable | undefined> {
  try {
    return (await findGateDecision(db, id))?.verdict;
  } catch (error) {
    if (error instanceof BrokenRowError) return unreadable;
    throw error;
  }
}
