import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { buildPool } from '../../evaluation/pooling/build-pool.ts';
import { parseOneMeasure } from '../../evaluation/measures/resolve-measures.ts';
import type { RetrieverRegistry } from '../../retrieval/registry.ts';
import { Pool, PoolInput } from '../../schemas/pool.ts';
import { busyResponse, problemResponse } from '../../schemas/problem.ts';
import { mapStream, sendStream, streamJson } from '../answers/streams.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';

export interface PoolRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly retrievers: RetrieverRegistry;
}

export const poolRoutes: FastifyPluginAsyncZodOpenApi<PoolRoutesOptions> = async (
  app,
  { dbFor, retrievers },
) => {
  app.post(
    '/pool',
    {
      schema: {
        operationId: 'buildPool',
        summary: 'Compute the pool: list retrieved documents without a judgment',
        tags: ['pools'],
        body: PoolInput,
        response: { 200: Pool, 503: busyResponse(), default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const db = dbFor(request);
      const { evaluation, evaluations, depth, configurations, pair, ...body } = request.body;
      const measure =
        body.measure === undefined ? undefined : parseOneMeasure(body.measure, '/body/measure');
      const pool = await buildPool(
        { db, retrievers },
        {
          evaluations: evaluations ?? [evaluation ?? ''],
          depth,
          configurations,
          impact: pair && measure && { pair, measure },
          bias: body.bias === true ? measure : undefined,
        },
      );
      const { questions, sumUp, ...head } = pool;
      const entries = mapStream(questions, (question) => JSON.stringify(question));
      const stream = streamJson(head, 'questions', { brackets: '[]', entries, tail: sumUp });
      return sendStream(reply, { type: 'application/json', stream });
    },
  );
};
