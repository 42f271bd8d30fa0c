import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { listTopDocuments } from '../../evaluation/analysis/list-top-documents.ts';
import type { ResultCache } from '../../evaluation/lifecycle/result-cache.ts';
import { EvaluationParams } from '../../schemas/evaluation.ts';
import { busyResponse, problemResponse } from '../../schemas/problem.ts';
import { TopDocuments, TopDocumentsQuery } from '../../schemas/top-documents.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';

export interface TopDocumentRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly memory: ResultCache;
}

export const topDocumentRoutes: FastifyPluginAsyncZodOpenApi<TopDocumentRoutesOptions> = async (
  app,
  { dbFor, memory },
) => {
  app.get(
    '/eval/:id/top-documents',
    {
      schema: {
        operationId: 'listTopDocuments',
        summary: 'List the documents that come first for most questions',
        description:
          'A document that comes first whatever is asked points to an error in the search, or to an attack on its index. Computed from stored rankings; nothing is searched.',
        tags: ['evaluations'],
        params: EvaluationParams,
        querystring: TopDocumentsQuery,
        response: { 200: TopDocuments, 503: busyResponse(), default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) =>
      (await listTopDocuments(
        { db: dbFor(request), memory },
        request.params.id,
        request.query,
      )) as TopDocuments,
  );
};
