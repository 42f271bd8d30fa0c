import type { Kysely } from 'kysely';

import { textFor } from './text-column.ts';

export async function createRefusalTable(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .createTable('configuration_refusal')
    .addColumn('evaluation_id', text, (column) =>
      column.notNull().references('evaluation.id').onDelete('cascade'),
    )
    .addColumn('configuration', 'integer', (column) => column.notNull())
    .addColumn('refusals', 'integer', (column) => column.notNull())
    .addColumn('detail', text)
    .addColumn('is_proven', 'integer', (column) => column.notNull())
    .addColumn('pilot', text)
    .addColumn('pilot_until', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('configuration_refusal_key', ['evaluation_id', 'configuration'])
    .execute();
}
