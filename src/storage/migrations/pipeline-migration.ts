import type { Kysely } from 'kysely';

import { textFor } from './text-column.ts';

/** How a pipeline came to a ranking, and what it spent on models. */
export async function addPipelineTrace(db: Kysely<unknown>): Promise<void> {
  const outcome = () => db.schema.alterTable('outcome');
  // SQLite adds one column at a time.
  await outcome().addColumn('trace', textFor(db)).execute();
  await outcome().addColumn('searches', 'integer').execute();
  for (const tokens of ['prompt_tokens', 'completion_tokens']) {
    await outcome()
      .addColumn(tokens, 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  }
}
