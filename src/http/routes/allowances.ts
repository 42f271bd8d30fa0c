import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import {
  getAllowanceList,
  removeAllowances,
  saveAllowances,
} from '../../evaluation/catalog/save-allowances.ts';
import {
  AllowancesInput,
  OwnAllowances,
  TenantAllowances,
  TenantParams,
} from '../../schemas/allowances.ts';
import { problemResponse } from '../../schemas/problem.ts';
import { type AllowanceList, findAllowances } from '../../storage/catalog/allowances.ts';
import type { Database } from '../../storage/database/database.ts';
import { isKnownTenant } from '../../storage/database/known-tenants.ts';
import { scopeToTenant } from '../../storage/database/tenant-scope.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';

export interface AllowanceRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly now: () => string;
}

export const allowanceRoutes: FastifyPluginAsyncZodOpenApi<AllowanceRoutesOptions> = async (
  app,
  { dbFor, now },
) => {
  app.get(
    '/allowances',
    {
      schema: {
        operationId: 'getOwnAllowances',
        summary: 'Get the SAP AI Core allowances of your own tenant',
        tags: ['allowances'],
        response: { 200: OwnAllowances, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const { access, keeper } = await findAllowances(dbFor(request));
      return { keeper, access: toWire(access) };
    },
  );

  app.get(
    '/tenants/:tenant/allowances',
    {
      schema: {
        operationId: 'getAllowances',
        summary: 'Get the SAP AI Core allowances of a tenant',
        tags: ['allowances'],
        params: TenantParams,
        response: { 200: TenantAllowances, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const db = dbFor(request);
      const { tenant } = request.params;
      return toDetail(db, tenant, await getAllowanceList(db, tenant));
    },
  );

  app.put(
    '/tenants/:tenant/allowances',
    {
      schema: {
        operationId: 'putAllowances',
        summary: 'Create or replace the SAP AI Core allowances of a tenant',
        description:
          'Replaces the whole list. The new list applies to every configuration saved and every search started from then on, including searches of evaluations created before. For operators of the provider, whose tokens come from the zone in which this service is bound.',
        tags: ['allowances'],
        params: TenantParams,
        body: AllowancesInput,
        response: { 200: TenantAllowances, 201: TenantAllowances, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const db = dbFor(request);
      const { tenant } = request.params;
      const { list, isNew } = await saveAllowances(db, request.body.access, { tenant, now: now() });
      return reply.code(isNew ? 201 : 200).send(await toDetail(db, tenant, list));
    },
  );

  app.delete(
    '/tenants/:tenant/allowances',
    {
      schema: {
        operationId: 'deleteAllowances',
        summary: 'Delete all SAP AI Core allowances of a tenant',
        tags: ['allowances'],
        params: TenantParams,
        response: { 204: { description: 'Deleted' }, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      await removeAllowances(dbFor(request), { tenant: request.params.tenant, now: now() });
      return reply.code(204).send();
    },
  );
};

async function toDetail(db: Database, tenant: string, { access, updatedAt }: AllowanceList) {
  const isKnown = await isKnownTenant(scopeToTenant(db, tenant));
  return { tenant, isKnown, access: toWire(access), updatedAt };
}

function toWire(access: AllowanceList['access']) {
  return access.map(({ destination, resourceGroups, models, deployments }) => ({
    ...(destination !== undefined && { destination }),
    resourceGroups: [...resourceGroups],
    models: [...models],
    deployments: [...deployments],
  }));
}
