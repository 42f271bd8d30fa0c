import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { listTrends } from '../../evaluation/monitoring/list-trends.ts';
import { problemResponse } from '../../schemas/problem.ts';
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
        summary: 'Read the nights since a baseline, and whether search got worse',
        description:
          'The verdict of each series may be read every night: the chance that it ever alarms without reason is bounded.',
        tags: ['baselines'],
        querystring: TrendQuery,
        response: { 200: Trends, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const { measure, ...query } = request.query;
      const measures = typeof measure === 'string' ? [measure] : measure;
      return (await listTrends(dbFor(request), { ...query, measures })) as Trends;
    },
  );
};
