import type { Kysely } from 'kysely';

import { textFor } from './text-column.ts';

export async function createCorrelationTable(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .createTable('evaluation_correlation')
    .addColumn('evaluation_id', text, (column) =>
      column.primaryKey().references('evaluation.id').onDelete('cascade'),
    )
    .addColumn('correlation_id', text, (column) => column.notNull())
    .execute();
}
