import type { Database } from '../database/database.ts';

/** Two runs of a configuration, and the measure that they differ in. */
export interface RunDifferencesKey {
  readonly evaluation: string;
  readonly baselineEvaluation: string;
  readonly configuration: string;
  readonly measure: string;
  /** Whatever an entry must have been made from to be still true. */
  readonly state: string;
}

/** What was kept, unless it was made from another state. */
export async function findRunDifferences<Differences>(
  db: Database,
  key: RunDifferencesKey,
): Promise<Differences | undefined> {
  const row = await db
    .selectFrom('night_difference')
    .where('evaluation_id', '=', key.evaluation)
    .where('baseline_evaluation', '=', key.baselineEvaluation)
    .where('configuration', '=', key.configuration)
    .where('measure', '=', key.measure)
    .where('state', '=', key.state)
    .select('body')
    .executeTakeFirst();
  return row && (JSON.parse(row.body) as Differences);
}

/** Keeps what was read off the rankings of two runs, for the next reader. */
export async function upsertRunDifferences(
  db: Database,
  { evaluation, baselineEvaluation, configuration, measure, state }: RunDifferencesKey,
  differences: unknown,
): Promise<void> {
  const body = JSON.stringify(differences);
  await db
    .insertInto('night_difference')
    .values({
      evaluation_id: evaluation,
      baseline_evaluation: baselineEvaluation,
      configuration,
      measure,
      state,
      body,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['evaluation_id', 'baseline_evaluation', 'configuration', 'measure'])
        .doUpdateSet({ state, body }),
    )
    .execute();
}
