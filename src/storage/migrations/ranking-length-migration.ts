import type { Kysely } from 'kysely';

/** Lets rankings be copied into evaluations without being read. */
export async function addRankingLength(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('run_ranking').addColumn('documents', 'integer').execute();
}
