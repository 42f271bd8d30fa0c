import { sql } from 'kysely';

import type { DatabaseTransaction } from './database.ts';
import { isOnPostgres } from './start-lock.ts';
import { tenantOf } from './tenant-scope.ts';

/** Any number will do, as long as every instance takes the same. */
const lockKey = 7_305_012_027;

/**
 * Keeps what evaluations are made of in place until the transaction ends. Who refers to a question set,
 * corpus or run takes it `shared`; who replaces or deletes one takes it `exclusive`, and then finds every
 * reference that was made before. It must be the first thing a transaction does. SQLite has one
 * transaction at a time anyway.
 */
export async function lockCatalog(
  trx: DatabaseTransaction,
  mode: 'shared' | 'exclusive',
): Promise<void> {
  if (!isOnPostgres(trx)) return;
  const lock = mode === 'shared' ? sql`pg_advisory_xact_lock_shared` : sql`pg_advisory_xact_lock`;
  await sql`select ${lock}(${sql.lit(lockKey)})`.execute(trx);
}

/**
 * Lets one transaction at a time change what a tenant has under a name, so that each knows what it changes.
 * Comes after `lockCatalog`, and once in a transaction.
 */
export async function lockName(
  trx: DatabaseTransaction,
  kind: string,
  name: string,
): Promise<void> {
  if (!isOnPostgres(trx)) return;
  const place = JSON.stringify([tenantOf(trx), kind, name]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${place}, 0))`.execute(trx);
}
