import { z } from 'zod';

import { AllowedAccess, type Allowances } from '../../model/allowances.ts';
import type { Database, DatabaseTransaction } from '../database/database.ts';
import { parseStored } from '../database/parse-stored.ts';
import { quotasOf, tenantOf } from '../database/tenant-scope.ts';

/** The list that operators of the provider keep for a tenant. */
export interface AllowanceList {
  readonly access: readonly AllowedAccess[];
  readonly updatedAt: string;
}

/** What the tenant may use of AI Core: what the environment says, else what is listed for it. */
export async function findAllowances(db: Database): Promise<Allowances> {
  const { aiCore } = quotasOf(db);
  if (aiCore) return { access: aiCore, keeper: 'environment' };
  const list = await findAllowanceList(db);
  return { access: list?.access ?? [], keeper: 'provider' };
}

export async function findAllowanceList(db: Database): Promise<AllowanceList | undefined> {
  const row = await db.selectFrom('allowance').select(['body', 'updated_at']).executeTakeFirst();
  if (!row) return undefined;
  const place = { table: 'allowance', column: 'body', row: tenantOf(db) } as const;
  const access = parseStored(z.array(AllowedAccess), row.body, place);
  return { access, updatedAt: row.updated_at };
}

export async function replaceAllowanceList(
  trx: DatabaseTransaction,
  { access, updatedAt }: AllowanceList,
): Promise<void> {
  await deleteAllowanceList(trx);
  await trx
    .insertInto('allowance')
    .values({ body: JSON.stringify(access), updated_at: updatedAt })
    .execute();
}

export async function deleteAllowanceList(trx: DatabaseTransaction): Promise<void> {
  await trx.deleteFrom('allowance').execute();
}
