import type { Database } from './database.ts';

/** Whether the tenant was provisioned before. */
export async function isKnownTenant(db: Database): Promise<boolean> {
  const row = await db.selectFrom('known_tenant').select('since').executeTakeFirst();
  return row !== undefined;
}

export async function insertKnownTenant(db: Database, since: string): Promise<void> {
  await db
    .insertInto('known_tenant')
    .values({ since })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
