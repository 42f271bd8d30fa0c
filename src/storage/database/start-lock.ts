import { PostgresAdapter, sql, type Kysely } from 'kysely';

import type { Database } from './database.ts';

/** Any number will do, as long as every instance takes the same. */
const lockKey = 7_305_012_026;

/** Runs what instances that start together must do one after the other. A SQLite file has one process anyway. */
export async function underStartLock<Value>(
  db: Database,
  action: () => Promise<Value>,
): Promise<Value> {
  if (!isOnPostgres(db)) return action();
  return db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${sql.lit(lockKey)})`.execute(connection);
    try {
      return await action();
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(lockKey)})`.execute(connection);
    }
  });
}

/** Which of the two databases this is. */
export function isOnPostgres(db: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
