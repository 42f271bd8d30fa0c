import type { Kysely } from 'kysely';

import { textFor } from './text-column.ts';

export async function addRunNotes(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('run').addColumn('notes', textFor(db)).execute();
}
