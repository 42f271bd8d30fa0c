import type { Kysely } from 'kysely';

import { textFor } from './text-column.ts';

/** What each tenant may use of AI Core, as the provider lists it. */
export async function createAllowanceTable(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .createTable('allowance')
    .addColumn('tenant', text, (column) => column.primaryKey())
    .addColumn('body', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .execute();
}
