import type { Kysely } from 'kysely';

import { textFor } from './text-column.ts';

/** Evaluations that ended before it are read into it when they are first compared. */
export async function createScoreTable(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .createTable('score_block')
    .addColumn('evaluation_id', text, (column) =>
      column.notNull().references('evaluation.id').onDelete('cascade'),
    )
    .addColumn('configuration', 'integer', (column) => column.notNull())
    .addColumn('block', 'integer', (column) => column.notNull())
    .addColumn('form', 'integer', (column) => column.notNull())
    .addColumn('body', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('score_block_key', ['evaluation_id', 'configuration', 'block'])
    .execute();
}
