import type { AllowedAccess } from '../../model/allowances.ts';
import { AppError, NotFoundError } from '../../errors.ts';
import {
  type AllowanceList,
  deleteAllowanceList,
  findAllowanceList,
  replaceAllowanceList,
} from '../../storage/catalog/allowances.ts';
import { recordChange } from '../../storage/monitoring/audit.ts';
import { lockName } from '../../storage/database/catalog-lock.ts';
import type { Database, DatabaseTransaction } from '../../storage/database/database.ts';
import { quotasOf, scopeToTenant, tenantOf } from '../../storage/database/tenant-scope.ts';
import { stateOfAllowances } from './entity-states.ts';
import type { Precondition } from './precondition.ts';
import { hashCanonical } from '../../model/hash-content.ts';

/** A list, as an operator of the provider changes it. */
export interface AllowanceChange {
  /** Whose list it is. */
  readonly tenant: string;
  /** RFC 3339, UTC. */
  readonly now: string;
  readonly precondition: Precondition;
}

/** Replaces a tenant's list. The same list again changes nothing. `db` is the operator's. */
export async function saveAllowances(
  db: Database,
  access: readonly AllowedAccess[],
  { precondition, ...change }: AllowanceChange,
): Promise<{ readonly list: AllowanceList; readonly isNew: boolean }> {
  refuseWhereEnvironmentLists(db);
  return db.transaction().execute(async (trx) => {
    const { before, own } = await openList(trx, change.tenant);
    precondition(before && stateOfAllowances(before));
    const hashes = { before: hashList(before), after: hashCanonical(access) };
    if (before && hashes.before === hashes.after) return { list: before, isNew: false };
    const list = { access, updatedAt: change.now };
    await replaceAllowanceList(own, list);
    await recordForBoth(trx, own, { ...change, ...hashes });
    return { list, isNew: before === undefined };
  });
}

/** Deletes a tenant's list: it may use nothing of AI Core then. */
export async function removeAllowances(
  db: Database,
  { precondition, ...change }: AllowanceChange,
): Promise<void> {
  refuseWhereEnvironmentLists(db);
  await db.transaction().execute(async (trx) => {
    const { before, own } = await openList(trx, change.tenant);
    precondition(before && stateOfAllowances(before));
    if (!before) throw new NotFoundError('List of allowances of tenant', change.tenant);
    await deleteAllowanceList(own);
    await recordForBoth(trx, own, { ...change, before: hashList(before), after: null });
  });
}

/** A tenant's list, as an operator of the provider reads it. */
export async function getAllowanceList(db: Database, tenant: string): Promise<AllowanceList> {
  refuseWhereEnvironmentLists(db);
  const list = await findAllowanceList(scopeToTenant(db, tenant));
  if (!list) throw new NotFoundError('List of allowances of tenant', tenant);
  return list;
}

function refuseWhereEnvironmentLists(db: Database): void {
  if (!quotasOf(db).aiCore) return;
  const message =
    'This service has a single tenant, whose allowances are set in the environment: AICORE_DESTINATIONS, AICORE_RESOURCE_GROUPS, AICORE_MODELS and AICORE_DEPLOYMENTS';
  throw new AppError('conflict', message);
}

async function openList(
  trx: DatabaseTransaction,
  tenant: string,
): Promise<{ readonly before: AllowanceList | undefined; readonly own: DatabaseTransaction }> {
  // The tenant reads its own audit log, and need not learn who works for the provider.
  const own = scopeToTenant(trx, tenant, 'service/provider');
  await lockName(own, 'allowances', 'allowances');
  return { before: await findAllowanceList(own), own };
}

/** The operator's own log says who changed whose list, the tenant's that it was changed. */
async function recordForBoth(
  trx: DatabaseTransaction,
  own: DatabaseTransaction,
  {
    tenant,
    now: at,
    before,
    after,
  }: Omit<AllowanceChange, 'precondition'> & {
    readonly before: string | null;
    readonly after: string | null;
  },
): Promise<void> {
  const change = { at, kind: 'allowances', name: tenant, before, after } as const;
  await recordChange(trx, change);
  if (tenant !== tenantOf(trx)) await recordChange(own, change);
}

function hashList(list: AllowanceList | undefined): string | null {
  return list ? hashCanonical(list.access) : null;
}
