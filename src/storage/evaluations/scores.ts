import { setImmediate } from 'node:timers/promises';

import { ScoreBlock } from '../../model/score-block.ts';
import type { Database } from '../database/database.ts';
import { parseStored } from '../database/parse-stored.ts';

/**
 * Raised when a release computes a measure, or anything else of a block, in another way: blocks of another form are not
 * read, and made again from the rankings.
 */
const form = 1;

/** The scores of one configuration: all that it has outcomes for, or none. */
export async function* streamScores(
  db: Database,
  evaluationId: string,
  configuration: number,
): AsyncGenerator<ScoreBlock> {
  const rows = await db
    .selectFrom('score_block')
    .where('evaluation_id', '=', evaluationId)
    .where('configuration', '=', configuration)
    .where('form', '=', form)
    .orderBy('block')
    .select(['block', 'body'])
    .execute();
  for (const { block, body } of rows) {
    const row = `${evaluationId}/${configuration}/${block}`;
    yield parseStored(ScoreBlock, body, { table: 'score_block', column: 'body', row });
    await setImmediate();
  }
}

/** Stores the scores of one configuration in place of others. The caller has locked the evaluation. */
export async function replaceScores(
  trx: Database,
  evaluationId: string,
  configuration: number,
  blocks: readonly ScoreBlock[],
): Promise<void> {
  await trx
    .deleteFrom('score_block')
    .where('evaluation_id', '=', evaluationId)
    .where('configuration', '=', configuration)
    .execute();
  for (const [block, scores] of blocks.entries()) {
    const body = JSON.stringify(scores);
    await trx
      .insertInto('score_block')
      .values({ evaluation_id: evaluationId, configuration, block, form, body })
      .execute();
    await setImmediate();
  }
}

export async function deleteScores(trx: Database, evaluationId: string): Promise<void> {
  await trx.deleteFrom('score_block').where('evaluation_id', '=', evaluationId).execute();
}
