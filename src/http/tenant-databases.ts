import type { FastifyRequest } from 'fastify';

import type { Database } from '../storage/database.ts';
import { scopeToTenant } from '../storage/tenant-scope.ts';

/** The database as the tenant of a request sees it. Routes get no other. */
export type TenantDatabases = (request: Pick<FastifyRequest, 'principal'>) => Database;

export function createTenantDatabases(db: Database): TenantDatabases {
  return ({ principal }) => scopeToTenant(db, principal.tenant);
}
