import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';
import { sql } from 'kysely';
import { z } from 'zod';

import { problemResponse } from '../../schemas/problem.ts';
import type { RetrieverRegistry } from '../../retrieval/registry.ts';
import type { Database } from '../../storage/database.ts';

export interface ServiceRoutesOptions {
  readonly db: Database;
  readonly retrievers: RetrieverRegistry;
}

const Live = z.object({ status: z.literal('ok') }).meta({ id: 'Live' });
const Ready = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    store: z.enum(['ok', 'unavailable']),
    aiCore: z
      .enum(['configured', 'not-configured'])
      .meta({ description: 'Whether there are credentials. AI Core is never called for this.' }),
  })
  .meta({ id: 'Ready' });

export const serviceRoutes: FastifyPluginAsyncZodOpenApi<ServiceRoutesOptions> = async (
  app,
  { db, retrievers },
) => {
  app.get(
    '/health/live',
    {
      schema: {
        operationId: 'getLiveness',
        summary: 'Whether the process answers',
        tags: ['service'],
        response: { 200: Live, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async () => ({ status: 'ok' as const }),
  );

  app.get(
    '/health/ready',
    {
      schema: {
        operationId: 'getReadiness',
        summary: 'Whether the store answers, and whether there are credentials for AI Core',
        tags: ['service'],
        response: { 200: Ready, 503: Ready, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const aiCore = retrievers.hasAiCore === true ? 'configured' : 'not-configured';
      try {
        await sql`select 1`.execute(db);
        return { status: 'ok', store: 'ok', aiCore } as const;
      } catch (error) {
        request.log.error({ err: error }, 'the store does not answer');
        return reply.code(503).send({ status: 'unavailable', store: 'unavailable', aiCore });
      }
    },
  );

  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
};
