import type { Kysely } from 'kysely';

import { textFor } from './text-column.ts';

/** Counts, before it begins, how often work was begun without an end. */
export async function countBegunWork(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .createTable('work_in_hand')
    .addColumn('evaluation_id', text, (column) =>
      column.notNull().references('evaluation.id').onDelete('cascade'),
    )
    .addColumn('part', text, (column) => column.notNull())
    .addColumn('begun', 'integer', (column) => column.notNull())
    .addColumn('progress', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('work_in_hand_key', ['evaluation_id', 'part'])
    .execute();
  for (const table of ['outbox', 'schedule_tick']) {
    await db.schema
      .alterTable(table)
      .addColumn('begun', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  }
}
