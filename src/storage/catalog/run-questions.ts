import type { Database } from '../database/database.ts';
import { inBatches } from '../database/in-batches.ts';
import { parseHits, type PositionedRanking } from './runs.ts';

/** Those of the questions that a run has, be it without hits. */
export async function listRankedQuestions(
  db: Database,
  run: string,
  questionIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  await inBatches(questionIds, async (batch) => {
    const rows = await selectRankings(db, run)
      .where('run_ranking.question_id', 'in', batch)
      .select('run_ranking.question_id as id')
      .execute();
    for (const { id } of rows) found.add(id);
  });
  return found;
}

/** The questions of a run that a version of a question set lacks: how many they are, and the first of them. */
export async function countRankingsOutside(
  db: Database,
  run: string,
  { questionSet, version }: { readonly questionSet: string; readonly version: number },
): Promise<{ readonly count: number; readonly samples: readonly string[] }> {
  const outside = selectRankings(db, run).where((eb) =>
    eb.not(
      eb.exists(
        eb
          .selectFrom('question')
          .select('question.question_id')
          .whereRef('question.question_id', '=', 'run_ranking.question_id')
          .where('question_set', '=', questionSet)
          .where('from_version', '<=', version)
          .where((of) =>
            of.or([of('until_version', 'is', null), of('until_version', '>', version)]),
          ),
      ),
    ),
  );
  const { count } = await outside
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) === 0) return { count: 0, samples: [] };
  const rows = await outside
    .orderBy('run_ranking.position')
    .limit(samples)
    .select('run_ranking.question_id as id')
    .execute();
  return { count: Number(count), samples: rows.map(({ id }) => id) };
}

/** Few enough for a message, and enough to recognize how the ids differ. */
const samples = 20;

/** Removes rankings of some questions from a revision, and returns them. */
export async function takeRankings(
  trx: Database,
  revision: string,
  questionIds: readonly string[],
): Promise<readonly PositionedRanking[]> {
  const rows = await trx
    .deleteFrom('run_ranking')
    .where('revision', '=', revision)
    .where('question_id', 'in', questionIds)
    .returning(['question_id', 'position', 'hits'])
    .execute();
  return rows.map(({ question_id: questionId, position, hits }) => ({
    questionId,
    position,
    hits: parseHits(hits, {
      table: 'run_ranking',
      column: 'hits',
      row: `${revision}/${questionId}`,
    }),
  }));
}

function selectRankings(db: Database, run: string) {
  return db
    .selectFrom('run_ranking')
    .innerJoin('run', 'run.revision', 'run_ranking.revision')
    .where('run.name', '=', run);
}
