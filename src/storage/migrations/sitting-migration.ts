import type { Kysely } from 'kysely';

import { textFor } from './text-column.ts';

/** Verdicts that a judge gives in one go, until they become a version of the question set. */
export async function createSittingTables(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .createTable('sitting')
    .addColumn('tenant', text, (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('question_set', text, (column) => column.notNull())
    .addColumn('judge', text, (column) => column.notNull())
    .addColumn('opened_at', text, (column) => column.notNull())
    .addColumn('touched_at', text, (column) => column.notNull())
    .addColumn('closed_at', text)
    .addColumn('result', text)
    .addPrimaryKeyConstraint('sitting_key', ['tenant', 'id'])
    .execute();
  await db.schema
    .createTable('sitting_verdict')
    .addColumn('tenant', text, (column) => column.notNull())
    .addColumn('sitting', text, (column) => column.notNull())
    .addColumn('question_id', text, (column) => column.notNull())
    .addColumn('document_id', text, (column) => column.notNull())
    .addColumn('grade', 'integer', (column) => column.notNull())
    .addColumn('document_version', text)
    .addColumn('note', text)
    .addColumn('judged_at', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('sitting_verdict_key', [
      'tenant',
      'sitting',
      'question_id',
      'document_id',
    ])
    .execute();
}
