import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { describeEvaluation } from '../../evaluation/lifecycle/describe-evaluation.ts';
import { endEvaluation, removeEvaluation } from '../../evaluation/lifecycle/end-evaluation.ts';
import type { EvaluationJobs } from '../../jobs/evaluation-jobs.ts';
import {
  EvaluationDetail,
  EvaluationParams,
  toEvaluationDetail,
} from '../../schemas/evaluation.ts';
import { problemResponse } from '../../schemas/problem.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';

export interface EvaluationEndRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly now: () => string;
  readonly jobs: EvaluationJobs;
}

/** How an evaluation is ended before its time, and deleted after it. */
export const evaluationEndRoutes: FastifyPluginAsyncZodOpenApi<EvaluationEndRoutesOptions> = async (
  app,
  { dbFor, now, jobs },
) => {
  app.post(
    '/eval/:id/cancel',
    {
      schema: {
        operationId: 'cancelEvaluation',
        summary: 'Cancel an evaluation; questions already searched stay readable',
        tags: ['evaluations'],
        params: EvaluationParams,
        response: { 200: EvaluationDetail, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const db = dbFor(request);
      const { id } = request.params;
      await endEvaluation(db, id, now());
      jobs.abort(id);
      return toEvaluationDetail(await describeEvaluation(db, id, now()));
    },
  );

  app.delete(
    '/eval/:id',
    {
      schema: {
        operationId: 'deleteEvaluation',
        summary: 'Delete a finished evaluation and its rankings',
        tags: ['evaluations'],
        params: EvaluationParams,
        response: { 204: { description: 'Deleted' }, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      await removeEvaluation(dbFor(request), request.params.id, now());
      return reply.code(204).send();
    },
  );
};
