import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { AppError } from '../../errors.ts';
import type { RetrieverRegistry } from '../../retrieval/registry.ts';
import {
  type DataRepository,
  DataRepositoryPage,
  DataRepositoryQuery,
} from '../../schemas/data-repository.ts';
import { problemResponse } from '../../schemas/problem.ts';
import { toNumberedPageRequest, toWirePage } from '../answers/cursors.ts';
import { getPrincipal } from '../access/principal.ts';

export interface AiCoreRoutesOptions {
  readonly retrievers: RetrieverRegistry;
}

export const aiCoreRoutes: FastifyPluginAsyncZodOpenApi<AiCoreRoutesOptions> = async (
  app,
  { retrievers },
) => {
  app.get(
    '/aicore/repositories',
    {
      schema: {
        operationId: 'listDataRepositories',
        summary: 'List the data repositories of a resource group of SAP AI Core',
        description:
          'Filters refer to repositories by these ids, in `dataRepositories`. Answers 403 `not-allowed` if the tenant may not use the resource group.',
        tags: ['search configurations'],
        querystring: DataRepositoryQuery,
        response: { 200: DataRepositoryPage, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const { tenant } = getPrincipal(request);
      const { resourceGroup, destination } = request.query;
      const { limit, after = '0' } = toNumberedPageRequest(request.query);
      const offset = Number(after);
      if (!retrievers.listRepositories) {
        throw new AppError('conflict', 'SAP AI Core is not configured');
      }
      const asked = { resourceGroup, destination, limit, offset };
      const { items, count } = await retrievers.listRepositories(asked, tenant, request.signal);
      const next = offset + items.length;
      const isLast = items.length === 0 || (count === null ? items.length < limit : next >= count);
      const page = { items, nextCursor: isLast ? null : String(next) };
      return toWirePage(page, (repository) => repository as DataRepository);
    },
  );
};
