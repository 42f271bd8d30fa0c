import { sql } from 'kysely';

import { noCost } from '../../model/outcome.ts';
import { parseHits } from '../catalog/runs.ts';
import type { Database } from '../database/database.ts';
import { selectQuestions, type QuestionSelection } from '../question-sets/questions.ts';
import { insertOutcomes } from './outcomes.ts';

/** Which rankings of an imported run become outcomes, and where they stand. */
export interface RankingCopy extends QuestionSelection {
  /** The revision of the run. */
  readonly revision: string;
  readonly evaluationId: string;
  /** Position of the configuration in the evaluation. */
  readonly configuration: number;
  /** How many documents a stored ranking keeps. */
  readonly depth: number;
  /** Positions of the questions. */
  readonly questions: readonly number[];
}

/**
 * Stores rankings of a run as outcomes that cost nothing. Rankings no longer than the depth are copied inside the
 * database, the others are shortened. A question that the run lacks gets an empty ranking. Outcomes that exist are kept.
 */
export async function copyRankings(trx: Database, copy: RankingCopy): Promise<void> {
  await copyWhole(trx, copy);
  await copyShortened(trx, copy);
}

async function copyWhole(trx: Database, copy: RankingCopy): Promise<void> {
  const { evaluationId, configuration, depth } = copy;
  await trx
    .insertInto('outcome')
    .columns(['evaluation_id', 'configuration', 'question', 'question_id', 'hits', ...costs])
    .expression(
      selectRankings(trx, copy)
        .where((eb) =>
          eb.or([eb('run_ranking.documents', '<=', depth), eb('run_ranking.hits', 'is', null)]),
        )
        .select([
          sql.lit(evaluationId).as('evaluation_id'),
          sql.lit(configuration).as('configuration'),
          'question.position',
          'question.question_id',
          sql<string>`coalesce(run_ranking.hits, '[]')`.as('hits'),
          ...costs.map((cost) => sql.lit(0).as(cost)),
        ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Includes rankings of an earlier release, whose length is not stored. */
async function copyShortened(trx: Database, copy: RankingCopy): Promise<void> {
  const { evaluationId, configuration, depth } = copy;
  const rows = await selectRankings(trx, copy)
    .where('run_ranking.hits', 'is not', null)
    .where((eb) =>
      eb.or([eb('run_ranking.documents', '>', depth), eb('run_ranking.documents', 'is', null)]),
    )
    .select(['question.position', 'question.question_id as questionId', 'run_ranking.hits'])
    .execute();
  const outcomes = rows.map(({ position, questionId, hits }) => ({
    configuration,
    question: position,
    questionId,
    hits: parseHits(hits ?? '[]', {
      table: 'run_ranking',
      column: 'hits',
      row: `${copy.revision}/${questionId}`,
    })
      .slice(0, depth)
      .map((hit) => ({ ...hit, chunkId: null })),
    error: null,
    ...noCost,
  }));
  await insertOutcomes(trx, evaluationId, outcomes);
}

function selectRankings(trx: Database, { revision, questions, ...selection }: RankingCopy) {
  return selectQuestions(trx, selection)
    .leftJoin('run_ranking', (join) =>
      join
        .on('run_ranking.revision', '=', revision)
        .onRef('run_ranking.question_id', '=', 'question.question_id'),
    )
    .where('question.position', 'in', questions);
}

const costs = [
  'searches',
  'attempts',
  'latency_ms',
  'pairs_reranked',
  'model_calls',
  'prompt_tokens',
  'completion_tokens',
] as const;
