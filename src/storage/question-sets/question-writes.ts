import { setImmediate } from 'node:timers/promises';

import type { Split } from '../../model/question.ts';
import type { Database } from '../database/database.ts';
import { inBatches } from '../database/in-batches.ts';
import type { QuestionSelection } from './questions.ts';

/** A question ready to be stored: `contentHash` covers what a label means, not who gave it when. */
export interface QuestionRecord {
  readonly id: string;
  readonly position: number;
  readonly split: Split | null;
  readonly contentHash: string;
  readonly judgments: number;
  /** JSON: Question. */
  readonly body: string;
}

/**
 * Ends the rows of these questions before `version` and starts the given ones with it. Nobody sees either
 * before that version is published.
 */
export async function writeQuestions(
  trx: Database,
  { questionSet, version }: QuestionSelection,
  change: { readonly ended: readonly string[]; readonly started: readonly QuestionRecord[] },
): Promise<void> {
  await inBatches(change.ended, (batch) =>
    trx
      .updateTable('question')
      .set({ until_version: version })
      .where('question_set', '=', questionSet)
      .where('until_version', 'is', null)
      .where('question_id', 'in', batch)
      .execute(),
  );
  await inBatches(change.started, (batch) =>
    trx
      .insertInto('question')
      .values(batch.map((record) => toQuestionRow(questionSet, version, record)))
      .execute(),
  );
}

/**
 * Takes back what was written for a version that is not published, in steps that let others in between. Each is
 * done in the transaction that `inStep` hands over; when that answers false, nothing more is done.
 */
export async function unwriteVersion(
  db: Database,
  { questionSet, version }: QuestionSelection,
  inStep: (unwrite: (trx: Database) => Promise<boolean>) => Promise<boolean>,
): Promise<void> {
  const { last } = await db
    .selectFrom('question')
    .where('question_set', '=', questionSet)
    .select((eb) => eb.fn.max('position').as('last'))
    .executeTakeFirstOrThrow();
  for (let start = 0; start <= (last ?? -1); start += questionsPerStep) {
    const to = start + questionsPerStep - 1;
    const isDone = await inStep(async (trx) => {
      await trx
        .deleteFrom('question')
        .where('question_set', '=', questionSet)
        .where((eb) => eb.between('position', start, to))
        .where('from_version', '=', version)
        .execute();
      await trx
        .updateTable('question')
        .set({ until_version: null })
        .where('question_set', '=', questionSet)
        .where((eb) => eb.between('position', start, to))
        .where('until_version', '=', version)
        .execute();
      return true;
    });
    if (!isDone) return;
    await setImmediate();
  }
}

/** Deletes some questions of a set, in all versions; false: it had none left. */
export async function deleteSomeQuestions(db: Database, questionSet: string): Promise<boolean> {
  const rows = db.selectFrom('question').where('question_set', '=', questionSet);
  const { last } = await db
    .selectFrom(rows.orderBy('position').limit(rowsPerDeletion).select('position').as('some'))
    .select((eb) => eb.fn.max<number | null>('position').as('last'))
    .executeTakeFirstOrThrow();
  if (last === null) return false;
  await db
    .deleteFrom('question')
    .where('question_set', '=', questionSet)
    .where('position', '<=', last)
    .execute();
  return true;
}

/** One statement for millions of rows would outlast the deadline, and on SQLite hold up the process. */
const rowsPerDeletion = 500;

/** Few enough that others hardly wait. */
const questionsPerStep = 250;

function toQuestionRow(questionSet: string, version: number, record: QuestionRecord) {
  return {
    question_set: questionSet,
    question_id: record.id,
    from_version: version,
    until_version: null,
    position: record.position,
    split: record.split,
    content_hash: record.contentHash,
    body: record.body,
  };
}
