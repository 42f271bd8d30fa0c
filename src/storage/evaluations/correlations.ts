import type { Database } from '../database/database.ts';

/** Notes which request set the work on an evaluation off; a later one takes an earlier one's place. */
export async function saveCorrelation(
  db: Database,
  evaluationId: string,
  correlationId: string,
): Promise<void> {
  await db
    .insertInto('evaluation_correlation')
    .values({ evaluation_id: evaluationId, correlation_id: correlationId })
    .onConflict((conflict) =>
      conflict.column('evaluation_id').doUpdateSet({ correlation_id: correlationId }),
    )
    .execute();
}

export async function findCorrelation(
  db: Database,
  evaluationId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('evaluation_correlation')
    .where('evaluation_id', '=', evaluationId)
    .select('correlation_id')
    .executeTakeFirst();
  return row?.correlation_id;
}
