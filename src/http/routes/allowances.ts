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
import { stateOfAllowances } from '../../evaluation/catalog/entity-states.ts';
import { tagState } from '../answers/entity-tags.ts';
import { PreconditionHeaders, toPrecondition } from '../answers/preconditions.ts';
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
    async (request, reply) => {
      const db = dbFor(request);
      const { tenant } = request.params;
      const list = await getAllowanceList(db, tenant);
      const detail = await toDetail(db, tenant, list);
      tagState(reply, stateOfAllowances(list), [detail]);
      return detail;
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
        headers: PreconditionHeaders,
        body: AllowancesInput,
        response: { 200: TenantAllowances, 201: TenantAllowances, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const db = dbFor(request);
      const { tenant } = request.params;
      const change = { tenant, now: now(), precondition: toPrecondition(request) };
      const { list, isNew } = await saveAllowances(db, request.body.access, change);
      tagState(reply, stateOfAllowances(list));
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
        headers: PreconditionHeaders,
        response: { 204: { description: 'Deleted' }, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const { tenant } = request.params;
      const change = { tenant, now: now(), precondition: toPrecondition(request) };
      await removeAllowances(dbFor(request), change);
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
