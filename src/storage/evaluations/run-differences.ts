import { z } from 'zod';

import type { Immutable } from '../../model/immutable.ts';
import type { Database } from '../database/database.ts';
import { parseStored } from '../database/parse-stored.ts';

/** One night beside the baseline, on one measure, over the questions scored in both. */
const RunDifferences = z.object({
  means: z.object({ baseline: z.number().nullable(), night: z.number().nullable() }),
  meanDifference: z.number().nullable(),
  /** Of that night alone: for one reading, not for every morning's. `null` below two questions. */
  interval: z.object({ confidence: z.number(), low: z.number(), high: z.number() }).nullable(),
  /** Night minus baseline, question by question. */
  differences: z.array(z.number()),
  /** Questions asked on one side only. */
  onlyOneSide: z.number(),
});
export type RunDifferences = Immutable<z.infer<typeof RunDifferences>>;

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
export async function findRunDifferences(
  db: Database,
  key: RunDifferencesKey,
): Promise<RunDifferences | undefined> {
  const row = await db
    .selectFrom('night_difference')
    .where('evaluation_id', '=', key.evaluation)
    .where('baseline_evaluation', '=', key.baselineEvaluation)
    .where('configuration', '=', key.configuration)
    .where('measure', '=', key.measure)
    .where('state', '=', key.state)
    .select('body')
    .executeTakeFirst();
  const id = `${key.evaluation}/${key.baselineEvaluation}/${key.configuration}/${key.measure}`;
  const place = { table: 'night_difference', column: 'body', row: id } as const;
  return row && parseStored(RunDifferences, row.body, place);
}

/** Keeps what was read off the rankings of two runs, for the next reader. */
export async function upsertRunDifferences(
  db: Database,
  { evaluation, baselineEvaluation, configuration, measure, state }: RunDifferencesKey,
  differences: RunDifferences | undefined,
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
