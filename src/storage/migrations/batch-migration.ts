import { sql, type Kysely } from 'kysely';

import { textFor } from './text-column.ts';

export async function createBatchTables(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .createTable('evaluation_batch')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('evaluation_id', text, (column) =>
      column.notNull().references('evaluation.id').onDelete('cascade'),
    )
    .addColumn('configuration', 'integer')
    .addColumn('first_question', 'integer', (column) => column.notNull())
    .addColumn('last_question', 'integer', (column) => column.notNull())
    .addColumn('owner', text)
    .addColumn('claimed_until', 'timestamptz')
    .execute();
  await db.schema
    .createIndex('evaluation_batch_by_evaluation')
    .on('evaluation_batch')
    .column('evaluation_id')
    .execute();
  await db.schema
    .createIndex('evaluation_batch_by_owner')
    .on('evaluation_batch')
    .column('owner')
    .execute();
  await db.schema
    .createTable('search_pace')
    .addColumn('evaluation_id', text, (column) =>
      column.notNull().references('evaluation.id').onDelete('cascade'),
    )
    .addColumn('slice', 'integer', (column) => column.notNull())
    .addColumn('searches', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('search_pace_key', ['evaluation_id', 'slice'])
    .execute();
  // Failures are few: without this, counting them would read every stored ranking.
  await sql`create index outcome_failure on outcome (evaluation_id) where error_code is not null`.execute(
    db,
  );
}
