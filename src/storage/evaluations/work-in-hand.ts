import type { Database } from '../database/database.ts';

/** A process that dies so often while it works on something, without progress in between, works on it no more. */
export const deathsAtMost = 3;

/** Work on an evaluation that one process at a time has in hand. */
export interface WorkPart {
  readonly evaluationId: string;
  /** `evaluation`, or the id of a batch. */
  readonly part: string;
  /** Outcomes of these questions are progress; absent: all outcomes and diagnosis searches are. */
  readonly range?: { readonly configuration: number; readonly from: number; readonly to: number };
}

/** How often the process died with the work in hand since its last progress. */
export async function countDeaths(db: Database, work: WorkPart): Promise<number> {
  const row = await findRow(db, work);
  if (!row) return 0;
  return row.progress < (await countProgress(db, work)) ? 0 : row.begun;
}

/** Counts a beginning, before the work begins. A process that dies leaves it counted. */
export async function beginWork(db: Database, work: WorkPart): Promise<void> {
  const begun = (await countDeaths(db, work)) + 1;
  const progress = await countProgress(db, work);
  await db
    .insertInto('work_in_hand')
    .values({ evaluation_id: work.evaluationId, part: work.part, begun, progress })
    .onConflict((conflict) =>
      conflict.columns(['evaluation_id', 'part']).doUpdateSet({ begun, progress }),
    )
    .execute();
}

/** The work failed, or was given back, and the process lives: its beginning does not count. Earlier ones still do. */
export async function giveBackWork(db: Database, { evaluationId, part }: WorkPart): Promise<void> {
  await db
    .updateTable('work_in_hand')
    .set((eb) => ({ begun: eb('begun', '-', 1) }))
    .where('evaluation_id', '=', evaluationId)
    .where('part', '=', part)
    .where('begun', '>', 0)
    .execute();
}

/** The work is done. */
export async function endWork(db: Database, { evaluationId, part }: WorkPart): Promise<void> {
  await db
    .deleteFrom('work_in_hand')
    .where('evaluation_id', '=', evaluationId)
    .where('part', '=', part)
    .execute();
}

/** Forgets all counts of an evaluation, which ends, so that it can be opened again. */
export async function forgetWork(db: Database, evaluationId: string): Promise<void> {
  await db.deleteFrom('work_in_hand').where('evaluation_id', '=', evaluationId).execute();
}

function findRow(db: Database, { evaluationId, part }: WorkPart) {
  return db
    .selectFrom('work_in_hand')
    .where('evaluation_id', '=', evaluationId)
    .where('part', '=', part)
    .select(['begun', 'progress'])
    .executeTakeFirst();
}

async function countProgress(db: Database, { evaluationId, range }: WorkPart): Promise<number> {
  const outcomes = await db
    .selectFrom('outcome')
    .where('evaluation_id', '=', evaluationId)
    .$if(range !== undefined, (query) =>
      query
        .where('configuration', '=', range?.configuration ?? 0)
        .where('question', '>=', range?.from ?? 0)
        .where('question', '<=', range?.to ?? 0),
    )
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  if (range) return Number(outcomes.count);
  const searches = await db
    .selectFrom('diagnosis_search')
    .where('evaluation_id', '=', evaluationId)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(outcomes.count) + Number(searches.count);
}
