import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { getBaseline, removeBaseline, saveBaseline } from '../../evaluation/gates/save-baseline.ts';
import { BaselineDetail, BaselineInput, BaselinePage } from '../../schemas/baseline.ts';
import { problemResponse } from '../../schemas/problem.ts';
import { NameParams, PageQuery } from '../../schemas/vocabulary.ts';
import { listBaselines } from '../../storage/catalog/baselines.ts';
import { toPageRequest, toWirePage } from '../answers/cursors.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';
import { PreconditionHeaders, toNamedChange } from '../answers/preconditions.ts';
import { stateOfBaseline } from '../../evaluation/catalog/entity-states.ts';
import { tagState } from '../answers/entity-tags.ts';

export interface BaselineRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly now: () => string;
}

export const baselineRoutes: FastifyPluginAsyncZodOpenApi<BaselineRoutesOptions> = async (
  app,
  { dbFor, now },
) => {
  app.put(
    '/baselines/:name',
    {
      schema: {
        operationId: 'putBaseline',
        summary: 'Create or replace a baseline',
        description:
          'The evaluation must have succeeded. It cannot be deleted while a baseline refers to it.',
        tags: ['baselines'],
        params: NameParams,
        headers: PreconditionHeaders,
        body: BaselineInput,
        response: { 200: BaselineDetail, 201: BaselineDetail, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const change = toNamedChange(request, now());
      const { stored, isNew } = await saveBaseline(dbFor(request), change, request.body);
      tagState(reply, stateOfBaseline(stored));
      return reply.code(isNew ? 201 : 200).send(stored);
    },
  );

  app.get(
    '/baselines',
    {
      schema: {
        operationId: 'listBaselines',
        summary: 'List baselines by name',
        tags: ['baselines'],
        querystring: PageQuery,
        response: { 200: BaselinePage, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) =>
      toWirePage(
        await listBaselines(dbFor(request), toPageRequest(request.query)),
        (baseline) => baseline,
      ),
  );

  app.get(
    '/baselines/:name',
    {
      schema: {
        operationId: 'getBaseline',
        summary: 'Get a baseline',
        tags: ['baselines'],
        params: NameParams,
        response: { 200: BaselineDetail, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const baseline = await getBaseline(dbFor(request), request.params.name);
      tagState(reply, stateOfBaseline(baseline));
      return baseline;
    },
  );

  app.delete(
    '/baselines/:name',
    {
      schema: {
        operationId: 'deleteBaseline',
        summary: 'Delete a baseline but keep its evaluation',
        tags: ['baselines'],
        params: NameParams,
        headers: PreconditionHeaders,
        response: { 204: { description: 'Deleted' }, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      await removeBaseline(dbFor(request), toNamedChange(request, now()));
      return reply.code(204).send();
    },
  );
};
