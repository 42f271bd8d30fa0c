import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { AppError, InvalidInputError, NotFoundError } from '../../errors.ts';
import {
  removeAlertTarget,
  saveAlertTarget,
} from '../../evaluation/monitoring/save-alert-target.ts';
import type { Integrations } from '../../jobs/delivery/integrations.ts';
import { findUrlIssue } from '../../jobs/delivery/target-guard.ts';
import {
  AlertTargetDetail,
  AlertTargetInput,
  AlertTargetPage,
  toAlertTargetDetail,
} from '../../schemas/alert-target.ts';
import { problemResponse } from '../../schemas/problem.ts';
import { NameParams, PageQuery } from '../../schemas/vocabulary.ts';
import {
  findAlertTarget,
  listAlertTargets,
  type AlertTarget,
  type StoredAlertTarget,
} from '../../storage/monitoring/alert-targets.ts';
import type { Database } from '../../storage/database/database.ts';
import { countDeliveries } from '../../storage/monitoring/outbox.ts';
import { toPageRequest, toWirePage } from '../answers/cursors.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';
import { PreconditionHeaders, toNamedChange } from '../answers/preconditions.ts';
import { stateOfAlertTarget } from '../../evaluation/catalog/entity-states.ts';
import { tagState } from '../answers/entity-tags.ts';

export interface AlertTargetRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly now: () => string;
  readonly integrations: Integrations;
}

export const alertTargetRoutes: FastifyPluginAsyncZodOpenApi<AlertTargetRoutesOptions> = async (
  app,
  { dbFor, now, integrations },
) => {
  app.put(
    '/alert-targets/:name',
    {
      schema: {
        operationId: 'putAlertTarget',
        summary: 'Create or replace an alert target',
        description:
          'A webhook receives signed requests over https; `alert-notification` is the bound SAP Alert Notification service. Secrets are never returned.',
        tags: ['alerts'],
        params: NameParams,
        headers: PreconditionHeaders,
        body: AlertTargetInput,
        response: { 200: AlertTargetDetail, 201: AlertTargetDetail, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const db = dbFor(request);
      refuseUnreachable(request.body, integrations);
      const saved = await saveAlertTarget(db, toNamedChange(request, now()), request.body);
      tagState(reply, stateOfAlertTarget(saved.stored));
      return reply.code(saved.isNew ? 201 : 200).send(await describe(db, saved.stored));
    },
  );

  app.get(
    '/alert-targets',
    {
      schema: {
        operationId: 'listAlertTargets',
        summary: 'List alert targets by name',
        tags: ['alerts'],
        querystring: PageQuery,
        response: { 200: AlertTargetPage, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const db = dbFor(request);
      const { items, nextCursor } = await listAlertTargets(db, toPageRequest(request.query));
      const described = await Promise.all(items.map((item) => describe(db, item)));
      return toWirePage({ items: described, nextCursor }, (item) => item);
    },
  );

  app.get(
    '/alert-targets/:name',
    {
      schema: {
        operationId: 'getAlertTarget',
        summary: 'Get an alert target and the state of its deliveries',
        tags: ['alerts'],
        params: NameParams,
        response: { 200: AlertTargetDetail, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const db = dbFor(request);
      const { name } = request.params;
      const stored = await findAlertTarget(db, name);
      if (!stored) throw new NotFoundError('Alert target', name);
      const detail = await describe(db, stored);
      tagState(reply, stateOfAlertTarget(stored), [detail]);
      return detail;
    },
  );

  app.delete(
    '/alert-targets/:name',
    {
      schema: {
        operationId: 'deleteAlertTarget',
        summary: 'Delete an alert target and its pending deliveries',
        tags: ['alerts'],
        params: NameParams,
        headers: PreconditionHeaders,
        response: { 204: { description: 'Deleted' }, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      await removeAlertTarget(dbFor(request), toNamedChange(request, now()));
      return reply.code(204).send();
    },
  );
};

function refuseUnreachable(target: AlertTarget, integrations: Integrations): void {
  if (target.type === 'alert-notification') {
    if (integrations.alertNotification) return;
    throw new AppError('conflict', 'SAP Alert Notification is not bound to this service');
  }
  const detail = findUrlIssue(target.url, integrations.targetPolicy);
  if (detail === undefined) return;
  throw new InvalidInputError('Invalid URL', [{ pointer: '/body/url', detail }]);
}

async function describe(db: Database, stored: StoredAlertTarget) {
  return toAlertTargetDetail(stored, await countDeliveries(db, stored.name));
}
