import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { completeSample } from '../../evaluation/tenants/load-sample.ts';
import { problemResponse } from '../../schemas/problem.ts';
import { Sample, sampleReaders } from '../../schemas/sample.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';

export interface SampleRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly now: () => string;
}

export const sampleRoutes: FastifyPluginAsyncZodOpenApi<SampleRoutesOptions> = async (
  app,
  { dbFor, now },
) => {
  app.post(
    '/sample',
    {
      schema: {
        operationId: 'loadSample',
        summary: 'Add the sample: a corpus, a question set and four search configurations',
        description: 'Only missing parts are added; nothing is replaced.',
        tags: ['service'],
        response: { 200: Sample, 201: Sample, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const sample = await completeSample(dbFor(request), sampleReaders, now());
      const code = sample.created.length > 0 ? 201 : 200;
      return reply.code(code).send({
        ...sample,
        configurations: [...sample.configurations],
        created: [...sample.created],
      });
    },
  );
};
