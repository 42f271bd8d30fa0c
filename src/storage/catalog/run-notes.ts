import { z } from 'zod';

import type { Database } from '../database/database.ts';
import { parseStored } from '../database/parse-stored.ts';

/** What was noticed when a run was imported, and its rankings alone do not tell. */
export const RunNotes = z.object({
  /** Rankings with two different scores; of these, those in which no score falls along the file. */
  scored: z.int(),
  rising: z.int(),
  /** Whether the order of the file was that of a rank column. */
  hasRanks: z.boolean(),
  /** Questions in which two documents have one rank, some of them by id. */
  repeatedRanks: z.int(),
  repeatedRankSamples: z.array(z.string()),
});
export type RunNotes = Readonly<z.infer<typeof RunNotes>>;

/** Keeps what was noticed of a run whose content is the same as before. */
export async function updateRunNotes(trx: Database, name: string, notes: RunNotes): Promise<void> {
  await trx
    .updateTable('run')
    .set({ notes: JSON.stringify(notes) })
    .where('name', '=', name)
    .execute();
}

/** What was noticed when the run was imported; undefined: nothing was looked for. */
export async function findRunNotes(db: Database, name: string): Promise<RunNotes | undefined> {
  const row = await db
    .selectFrom('run')
    .where('name', '=', name)
    .select('notes')
    .executeTakeFirst();
  const place = { table: 'run', column: 'notes', row: name } as const;
  return row?.notes ? parseStored(RunNotes, row.notes, place) : undefined;
}
