import type { FastifyRequest } from 'fastify';

import type { Database } from '../../storage/database/database.ts';
import { scopeToTenant } from '../../storage/database/tenant-scope.ts';
import { getPrincipal } from './principal.ts';

/** The database as the tenant of a request sees it, in the sender's name. Routes get no other. */
export type TenantDatabases = (request: Pick<FastifyRequest, 'principal'>) => Database;

export function createTenantDatabases(db: Database): TenantDatabases {
  return (request) => {
    const { tenant, name } = getPrincipal(request);
    return scopeToTenant(db, tenant, name);
  };
}
