import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { NotFoundError } from '../../errors.ts';
import {
  removeSearchConfiguration,
  saveSearchConfiguration,
} from '../../evaluation/catalog/save-search-configuration.ts';
import { NameParams, PageQuery } from '../../schemas/vocabulary.ts';
import { problemResponse } from '../../schemas/problem.ts';
import {
  SearchConfigurationDetail,
  SearchConfigurationInput,
  SearchConfigurationPage,
} from '../../schemas/search-configuration.ts';
import {
  findSearchConfiguration,
  readSearchConfiguration,
  listSearchConfigurations,
  type StoredConfiguration,
} from '../../storage/catalog/search-configurations.ts';
import { toPageRequest, toWirePage } from '../answers/cursors.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';
import { PreconditionHeaders, toNamedChange } from '../answers/preconditions.ts';
import { stateOfConfiguration } from '../../evaluation/catalog/entity-states.ts';
import { tagState } from '../answers/entity-tags.ts';

export interface SearchConfigurationRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly now: () => string;
}

export const searchConfigurationRoutes: FastifyPluginAsyncZodOpenApi<
  SearchConfigurationRoutesOptions
> = async (app, { dbFor, now }) => {
  app.put(
    '/search-configurations/:name',
    {
      schema: {
        operationId: 'putSearchConfiguration',
        summary: 'Create or replace a search configuration',
        description:
          'Evaluations keep a copy of the configuration from when they were created, so later changes do not affect them.',
        tags: ['search configurations'],
        params: NameParams,
        headers: PreconditionHeaders,
        body: SearchConfigurationInput,
        response: {
          200: SearchConfigurationDetail,
          201: SearchConfigurationDetail,
          default: problemResponse(),
        },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const change = toNamedChange(request, now());
      const { stored, isNew } = await saveSearchConfiguration(dbFor(request), change, request.body);
      tagState(reply, stateOfConfiguration(stored));
      return reply.code(isNew ? 201 : 200).send(toDetail(stored));
    },
  );

  app.get(
    '/search-configurations',
    {
      schema: {
        operationId: 'listSearchConfigurations',
        summary: 'List search configurations by name',
        tags: ['search configurations'],
        querystring: PageQuery,
        response: { 200: SearchConfigurationPage, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) =>
      toWirePage(
        await listSearchConfigurations(dbFor(request), toPageRequest(request.query)),
        toDetail,
      ),
  );

  app.get(
    '/search-configurations/:name',
    {
      schema: {
        operationId: 'getSearchConfiguration',
        summary: 'Get a search configuration',
        tags: ['search configurations'],
        params: NameParams,
        response: { 200: SearchConfigurationDetail, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const { name } = request.params;
      const stored = await findSearchConfiguration(dbFor(request), name);
      if (!stored) throw new NotFoundError('Search configuration', name);
      tagState(reply, stateOfConfiguration(stored));
      return toDetail(stored);
    },
  );

  app.delete(
    '/search-configurations/:name',
    {
      schema: {
        operationId: 'deleteSearchConfiguration',
        summary: 'Delete a search configuration',
        tags: ['search configurations'],
        params: NameParams,
        headers: PreconditionHeaders,
        response: { 204: { description: 'Deleted' }, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      await removeSearchConfiguration(dbFor(request), toNamedChange(request, now()));
      return reply.code(204).send();
    },
  );
};

function toDetail({ name, body, updatedAt }: StoredConfiguration) {
  return { name, ...readSearchConfiguration({ name, body }), updatedAt };
}
