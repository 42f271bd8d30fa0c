import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { listTrends } from '../../evaluation/monitoring/list-trends.ts';
import { busyResponse, problemResponse } from '../../schemas/problem.ts';
import { TrendQuery, Trends } from '../../schemas/trend.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';

export interface TrendRoutesOptions {
  readonly dbFor: TenantDatabases;
}

export const trendRoutes: FastifyPluginAsyncZodOpenApi<TrendRoutesOptions> = async (
  app,
  { dbFor },
) => {
  app.get(
    '/trends',
    {
      schema: {
        operationId: 'listTrends',
        summary: 'List the scheduled runs since a baseline, with a verdict per series',
        description:
          'The verdict of each series may be read after every run: the probability that it ever raises a false alarm is bounded.',
        tags: ['baselines'],
        querystring: TrendQuery,
        response: { 200: Trends, 503: busyResponse(), default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const { measure, ...query } = request.query;
      const measures = typeof measure === 'string' ? [measure] : measure;
      return (await listTrends(dbFor(request), { ...query, measures })) as Trends;
    },
  );
};
