import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { measureFamilies } from '../../ir/measures/registry.ts';
import { MeasureFamilyPage, toMeasureFamily } from '../../schemas/measure.ts';
import { problemResponse } from '../../schemas/problem.ts';

export const measureRoutes: FastifyPluginAsyncZodOpenApi = async (app) => {
  app.get(
    '/measures',
    {
      schema: {
        operationId: 'listMeasures',
        summary: 'List all measures with formula, range, edge cases and source',
        tags: ['measures'],
        response: { 200: MeasureFamilyPage, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async () => ({ items: measureFamilies.map(toMeasureFamily), nextCursor: null }),
  );
};
