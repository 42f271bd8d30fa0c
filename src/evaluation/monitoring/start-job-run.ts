import type { RetrieverRegistry } from '../../retrieval/registry.ts';
import type { Database } from '../../storage/database/database.ts';
import { insertJobRun, type JobRun } from '../../storage/monitoring/job-runs.ts';
import { createEvaluation } from '../planning/create-evaluation.ts';
import type { EvaluationRequest } from '../../model/evaluation-request.ts';
import { internalIdempotencyKey } from './internal-idempotency-key.ts';

/**
 * Makes the evaluation of a run of SAP's Job Scheduling Service, which is then owed one update. A run
 * that comes again gets the evaluation that it got first.
 */
export async function startJobRun(
  db: Database,
  run: Omit<JobRun, 'evaluationId'>,
  {
    request,
    ...identity
  }: {
    readonly request: EvaluationRequest;
    readonly id: string;
    readonly now: string;
    readonly findObstacle: RetrieverRegistry['findObstacle'];
  },
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const idempotencyKey = internalIdempotencyKey('job-run', run.runId);
  const created = await createEvaluation(db, request, { ...identity, idempotencyKey });
  await insertJobRun(db, { ...run, evaluationId: created.id }, identity.now);
  return created;
}
