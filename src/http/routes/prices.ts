import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { getPrices, savePrices } from '../../evaluation/catalog/save-prices.ts';
import { PricesInput, PricesQuery, PriceTable } from '../../schemas/prices.ts';
import { problemResponse } from '../../schemas/problem.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';
import { PreconditionHeaders, toPrecondition } from '../answers/preconditions.ts';
import { stateOfPrices } from '../../evaluation/catalog/entity-states.ts';
import { tagState } from '../answers/entity-tags.ts';

export interface PriceRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly now: () => string;
}

export const priceRoutes: FastifyPluginAsyncZodOpenApi<PriceRoutesOptions> = async (
  app,
  { dbFor, now },
) => {
  app.put(
    '/prices',
    {
      schema: {
        operationId: 'putPrices',
        summary: 'Create a version of the price table',
        description:
          'Creates a new version unless it equals the latest one. Earlier versions stay, so that every cost can refer to its prices.',
        tags: ['prices'],
        headers: PreconditionHeaders,
        body: PricesInput,
        response: { 200: PriceTable, 201: PriceTable, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const db = dbFor(request);
      const { table, isNew } = await savePrices(db, request.body, now(), toPrecondition(request));
      tagState(reply, stateOfPrices(table));
      return reply.code(isNew ? 201 : 200).send(table);
    },
  );

  app.get(
    '/prices',
    {
      schema: {
        operationId: 'getPrices',
        summary: 'Get the price table',
        tags: ['prices'],
        querystring: PricesQuery,
        response: { 200: PriceTable, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const table = await getPrices(dbFor(request), request.query.version);
      tagState(reply, stateOfPrices(table));
      return table;
    },
  );
};
