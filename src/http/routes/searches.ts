import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { searchOnce } from '../../evaluation/planning/search-once.ts';
import type { RetrieverRegistry } from '../../retrieval/registry.ts';
import { problemResponse } from '../../schemas/problem.ts';
import { SearchInput, SearchResult, toSearchResult } from '../../schemas/search.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';
import { createClosingSignal } from '../closing-signal.ts';

export interface SearchRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly retrievers: RetrieverRegistry;
}

export const searchRoutes: FastifyPluginAsyncZodOpenApi<SearchRoutesOptions> = async (
  app,
  { dbFor, retrievers },
) => {
  const closing = createClosingSignal(app);

  app.post(
    '/search',
    {
      schema: {
        operationId: 'searchOnce',
        summary: 'Get the ranking of one text by one configuration',
        description:
          'Returns the ranking as in an evaluation, the versions of the question and what each stage of a pipeline did. Nothing is stored. The search costs what it costs in an evaluation.',
        tags: ['search configurations'],
        body: SearchInput,
        response: { 200: SearchResult, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const signal = AbortSignal.any([request.signal, closing]);
      const context = { db: dbFor(request), retrievers, signal };
      return toSearchResult(await searchOnce(context, request.body));
    },
  );
};
