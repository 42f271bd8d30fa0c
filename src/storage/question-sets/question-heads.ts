import { setImmediate } from 'node:timers/promises';

import { Question } from '../../model/question.ts';
import type { Database } from '../database/database.ts';
import { parseStored } from '../database/parse-stored.ts';
import { selectQuestions, type QuestionSelection } from './questions.ts';

const QuestionHead = Question.omit({ judgments: true });

/** A question without its judgments: checking them takes most of the time of reading one. */
export type QuestionHead = Omit<Question, 'judgments'>;

export interface PositionedHead {
  readonly position: number;
  readonly head: QuestionHead;
}

const headsPerBatch = 500;

/** The questions of a version without their judgments, in the set's order, read in batches. */
export async function* streamHeads(
  db: Database,
  { questionSet, version, split }: QuestionSelection,
): AsyncGenerator<PositionedHead> {
  for (let after = -1; ;) {
    const rows = await selectQuestions(db, { questionSet, version })
      .where('position', '>', after)
      .$if(split !== undefined, (query) => query.where('split', '=', split ?? ''))
      .orderBy('position')
      .limit(headsPerBatch)
      .select(['position', 'body'])
      .execute();
    await setImmediate();
    for (const { position, body } of rows) {
      const row = `${questionSet}@${version}/${position}`;
      yield {
        position,
        head: parseStored(QuestionHead, body, { table: 'question', column: 'body', row }),
      };
    }
    const last = rows.at(-1);
    if (rows.length < headsPerBatch || !last) return;
    after = last.position;
  }
}
