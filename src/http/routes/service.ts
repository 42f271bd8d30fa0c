import type { FastifyBaseLogger } from 'fastify';
import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';
import { z } from 'zod';

import { problemResponse } from '../../schemas/problem.ts';
import type { RetrieverRegistry } from '../../retrieval/registry.ts';
import type { Database } from '../../storage/database/database.ts';
import { isFileMalformed } from '../../storage/database/integrity.ts';
import { listMissingMigrations } from '../../storage/migrations/migrations.ts';
import { createClosingSignal } from '../closing-signal.ts';

export interface ServiceRoutesOptions {
  readonly db: Database;
  readonly retrievers: RetrieverRegistry;
}

const Live = z.object({ status: z.literal('ok') }).meta({ id: 'Live' });
const Ready = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    store: z.enum(['ok', 'unavailable']),
    migrations: z
      .enum(['ok', 'missing', 'unknown'])
      .meta({ description: 'Whether the database schema is up to date.' }),
    aiCore: z.enum(['configured', 'not-configured']).meta({
      description: 'Whether credentials for AI Core exist. AI Core itself is not called.',
    }),
    reasons: z
      .array(z.string())
      .meta({ description: 'Why the service is not ready. Empty if it is ready.' }),
  })
  .meta({ id: 'Ready' });
type Ready = z.infer<typeof Ready>;

export const serviceRoutes: FastifyPluginAsyncZodOpenApi<ServiceRoutesOptions> = async (
  app,
  { db, retrievers },
) => {
  const closing = createClosingSignal(app);

  app.get(
    '/health/live',
    {
      schema: {
        operationId: 'getLiveness',
        summary: 'Get liveness: whether the process responds',
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
        summary: 'Get readiness: whether the service can work, and why not',
        tags: ['service'],
        response: { 200: Ready, 503: Ready, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const aiCore = retrievers.hasAiCore === true ? 'configured' : 'not-configured';
      const { reasons, ...checked } = await checkStore(db, request.log);
      if (closing.aborted) reasons.push('The service is stopping');
      const status = reasons.length === 0 ? 'ok' : 'unavailable';
      return reply.code(status === 'ok' ? 200 : 503).send({ status, ...checked, aiCore, reasons });
    },
  );

  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
};

type StoreCheck = Pick<Ready, 'store' | 'migrations'> & { readonly reasons: string[] };

async function checkStore(db: Database, log: FastifyBaseLogger): Promise<StoreCheck> {
  try {
    if (await isFileMalformed(db)) {
      const reasons = ['The database file is malformed: restore a backup'];
      return { store: 'unavailable', migrations: 'unknown', reasons };
    }
    const missing = await listMissingMigrations(db);
    if (missing.length === 0) return { store: 'ok', migrations: 'ok', reasons: [] };
    const reason = `The database schema lacks ${missing.join(', ')}: restart the service`;
    return { store: 'ok', migrations: 'missing', reasons: [reason] };
  } catch (error) {
    log.error({ err: error }, 'database does not respond');
    const reasons = ['The database does not respond'];
    return { store: 'unavailable', migrations: 'unknown', reasons };
  }
}
