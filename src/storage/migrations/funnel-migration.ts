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

export async function createDiagnosisSearchTable(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .createTable('diagnosis_search')
    .addColumn('evaluation_id', text, (column) =>
      column.notNull().references('evaluation.id').onDelete('cascade'),
    )
    .addColumn('search', text, (column) => column.notNull())
    .addColumn('question', 'integer', (column) => column.notNull())
    .addColumn('question_id', text, (column) => column.notNull())
    .addColumn('document_ids', text)
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('diagnosis_search_key', ['evaluation_id', 'search', 'question'])
    .execute();
}
