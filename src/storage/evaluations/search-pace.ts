import type { Database } from '../database/database.ts';

/** Outcomes are counted by slices of time of this length. */
const sliceMs = 5000;

/** How far back the pace looks. */
const windowMs = 30_000;

/** Counts outcomes as they are stored, whichever instance searched them. An estimate: a crash may lose a few. */
export async function addSearches(
  db: Database,
  evaluationId: string,
  { searches, at }: { readonly searches: number; readonly at: string },
): Promise<void> {
  await db
    .insertInto('search_pace')
    .values({ evaluation_id: evaluationId, slice: toSlice(at), searches })
    .onConflict((conflict) =>
      conflict
        .columns(['evaluation_id', 'slice'])
        .doUpdateSet((eb) => ({ searches: eb('search_pace.searches', '+', searches) })),
    )
    .execute();
}

/** Searches a second over the last half minute, all instances together; null: none was stored in it. */
export async function readPace(
  db: Database,
  evaluationId: string,
  { startedAt, now }: { readonly startedAt: string; readonly now: string },
): Promise<number | null> {
  const from = toSlice(new Date(Date.parse(now) - windowMs).toISOString());
  const rows = await db
    .selectFrom('search_pace')
    .where('evaluation_id', '=', evaluationId)
    .where('slice', '>', from)
    .select(['slice', 'searches'])
    .execute();
  const searches = rows.reduce((sum, row) => sum + row.searches, 0);
  if (searches === 0) return null;
  const first = Math.min(...rows.map(({ slice }) => slice)) * sliceMs;
  const since = Math.max(first, Date.parse(startedAt));
  return searches / (Math.max(1000, Date.parse(now) - since) / 1000);
}

export async function deletePace(db: Database, evaluationId: string): Promise<void> {
  await db.deleteFrom('search_pace').where('evaluation_id', '=', evaluationId).execute();
}

function toSlice(at: string): number {
  return Math.floor(Date.parse(at) / sliceMs);
}
