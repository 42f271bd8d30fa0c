import { sql } from 'kysely';

import type { Database } from '../database/database.ts';

/** A configuration of an evaluation, by its position. */
export interface RefusalKey {
  readonly evaluationId: string;
  readonly configuration: number;
}

export interface RefusalState {
  /** Identical refusals in a row, of all instances together. */
  readonly refusals: number;
  /** What the last of them said. */
  readonly detail: string | null;
  /** Whether a search was answered with something other than a refusal. */
  readonly isProven: boolean;
}

/** Of one instance's attempt at a search that nobody else makes meanwhile. Times are milliseconds since 1970. */
export interface Pilot {
  readonly owner: string;
  readonly now: number;
  readonly until: number;
}

/** Takes or renews the right to the next search of a configuration that is not proven yet, unless another has it. */
export async function takePilot(
  db: Database,
  key: RefusalKey,
  { owner, now, until }: Pilot,
): Promise<RefusalState & { readonly isTaken: boolean }> {
  await db
    .insertInto('configuration_refusal')
    .values({
      evaluation_id: key.evaluationId,
      configuration: key.configuration,
      refusals: 0,
      detail: null,
      is_proven: 0,
      pilot: null,
      pilot_until: 0,
    })
    .onConflict((conflict) => conflict.columns(['evaluation_id', 'configuration']).doNothing())
    .execute();
  const { numUpdatedRows } = await update(db, key)
    .set({ pilot: owner, pilot_until: until })
    .where('is_proven', '=', 0)
    .where((eb) =>
      eb.or([eb('pilot', 'is', null), eb('pilot', '=', owner), eb('pilot_until', '<', now)]),
    )
    .executeTakeFirst();
  return { ...(await readState(db, key)), isTaken: numUpdatedRows > 0n };
}

/** Counts a refusal, and lets others have the next search. */
export async function noteRefusal(
  db: Database,
  key: RefusalKey,
  detail: string,
): Promise<RefusalState> {
  await update(db, key)
    .set({
      refusals: sql<number>`case when detail = ${detail} then refusals + 1 else 1 end`,
      detail,
      pilot: null,
    })
    .execute();
  return readState(db, key);
}

/** A search was answered: refusals are counted anew, and searches need not wait for each other. */
export async function noteAnswer(db: Database, key: RefusalKey): Promise<void> {
  await update(db, key).set({ refusals: 0, detail: null, is_proven: 1, pilot: null }).execute();
}

/** Nothing was found out. */
export async function releasePilot(db: Database, key: RefusalKey, owner: string): Promise<void> {
  await update(db, key).set({ pilot: null }).where('pilot', '=', owner).execute();
}

/** For an evaluation whose failed questions are searched again. */
export async function forgetRefusals(db: Database, evaluationId: string): Promise<void> {
  await db.deleteFrom('configuration_refusal').where('evaluation_id', '=', evaluationId).execute();
}

function update(db: Database, { evaluationId, configuration }: RefusalKey) {
  return db
    .updateTable('configuration_refusal')
    .where('evaluation_id', '=', evaluationId)
    .where('configuration', '=', configuration);
}

async function readState(
  db: Database,
  { evaluationId, configuration }: RefusalKey,
): Promise<RefusalState> {
  const row = await db
    .selectFrom('configuration_refusal')
    .where('evaluation_id', '=', evaluationId)
    .where('configuration', '=', configuration)
    .select(['refusals', 'detail', 'is_proven'])
    .executeTakeFirstOrThrow();
  return { refusals: row.refusals, detail: row.detail, isProven: row.is_proven === 1 };
}
