import type { Kysely } from 'kysely';

import { textFor } from './text-column.ts';

/** How an answer was read, and what the other side calls a request that failed. */
export async function addOutcomeNotes(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  // SQLite adds one column at a time.
  await db.schema.alterTable('outcome').addColumn('error_request_id', text).execute();
  await db.schema.alterTable('outcome').addColumn('notes', text).execute();
}
