import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { AppError } from '../../errors.ts';
import { getEvaluation } from '../../evaluation/lifecycle/describe-evaluation.ts';
import { startJobRun } from '../../evaluation/monitoring/start-job-run.ts';
import type { Integrations } from '../../jobs/delivery/integrations.ts';
import type { EvaluationJobs } from '../../jobs/evaluation-jobs.ts';
import type { RetrieverRegistry } from '../../retrieval/registry.ts';
import { EvaluationAccepted } from '../../schemas/evaluation.ts';
import { EvaluationInput } from '../../schemas/evaluation-input.ts';
import { JobRunHeaders } from '../../schemas/job-run.ts';
import { problemResponse } from '../../schemas/problem.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';
import { enqueueFor } from '../correlation.ts';

export interface JobRunRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly now: () => string;
  readonly createId: () => string;
  readonly jobs: EvaluationJobs;
  readonly retrievers: RetrieverRegistry;
  readonly integrations: Pick<Integrations, 'jobScheduler'>;
}

export const jobRunRoutes: FastifyPluginAsyncZodOpenApi<JobRunRoutesOptions> = async (
  app,
  { dbFor, now, createId, jobs, retrievers, integrations },
) => {
  app.post(
    '/jobs/eval',
    {
      schema: {
        operationId: 'startJobRun',
        summary: 'Start an evaluation for a run of SAP Job Scheduling Service',
        description:
          'Answers immediately. The run receives one update when the evaluation has ended. If the same run is sent twice, it still gets one evaluation and one update.',
        tags: ['schedules'],
        headers: JobRunHeaders,
        body: EvaluationInput,
        response: { 202: EvaluationAccepted, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const db = dbFor(request);
      const { headers, body } = request;
      refuseOtherHosts(headers['x-sap-scheduler-host'], integrations);
      const run = {
        jobId: headers['x-sap-job-id'],
        scheduleId: headers['x-sap-job-schedule-id'],
        runId: headers['x-sap-job-run-id'],
      };
      const { findObstacle } = retrievers;
      const details = { request: body, id: createId(), now: now(), findObstacle };
      const { id, isNew } = await startJobRun(db, run, details);
      if (isNew) await enqueueFor(request, { db, jobs, id });
      const { status } = await getEvaluation(db, id);
      return reply.code(202).header('location', `/v1/eval/${id}`).send({ id, status });
    },
  );
};

/** Whoever names another host may be after the token that the update would carry there. */
function refuseOtherHosts(
  host: string,
  { jobScheduler }: Pick<Integrations, 'jobScheduler'>,
): void {
  if (!jobScheduler) {
    throw new AppError('forbidden', 'No Job Scheduling Service is bound to this service');
  }
  const isBound = URL.canParse(host) && new URL(host).href === new URL(jobScheduler.url).href;
  if (!isBound) {
    const message =
      'x-sap-scheduler-host does not match the host of the bound Job Scheduling Service';
    throw new AppError('forbidden', message);
  }
}
