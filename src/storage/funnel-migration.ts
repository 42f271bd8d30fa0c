import type { Kysely } from 'kysely';

import { textFor } from './text-column.ts';

export async function createPriceTable(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .createTable('price_table')
    .addColumn('version', 'integer', (column) => column.primaryKey())
    .addColumn('content_hash', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('body', text, (column) => column.notNull())
    .execute();
}
