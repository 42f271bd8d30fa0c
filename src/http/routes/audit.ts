import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { AuditPage, AuditQuery } from '../../schemas/audit.ts';
import { problemResponse } from '../../schemas/problem.ts';
import { listAuditEntries } from '../../storage/monitoring/audit.ts';
import { toNumberedPageRequest, toWirePage } from '../answers/cursors.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';

export interface AuditRoutesOptions {
  readonly dbFor: TenantDatabases;
}

export const auditRoutes: FastifyPluginAsyncZodOpenApi<AuditRoutesOptions> = async (
  app,
  { dbFor },
) => {
  app.get(
    '/audit',
    {
      schema: {
        operationId: 'listAuditEntries',
        summary: 'List changes and their authors, newest first',
        description:
          'Each change has one entry, stored in the same transaction. Contents are identified by their hashes. Entries are never changed or deleted.',
        tags: ['audit'],
        querystring: AuditQuery,
        response: { 200: AuditPage, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const { limit, cursor, since, until, ...filter } = request.query;
      const page = toNumberedPageRequest({ limit, cursor });
      const times = { since: toStored(since), until: toStored(until) };
      return toWirePage(
        await listAuditEntries(dbFor(request), { ...filter, ...times }, page),
        (entry) => entry,
      );
    },
  );
};

/** Times are stored with milliseconds, and compared as they are written. */
function toStored(time: string | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString();
}
