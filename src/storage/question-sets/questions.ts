import { setImmediate } from 'node:timers/promises';

import { sql, type SelectQueryBuilder } from 'kysely';

import { Question, type Split } from '../../model/question.ts';
import type { Database } from '../database/database.ts';
import { inBatches } from '../database/in-batches.ts';
import { parseStored } from '../database/parse-stored.ts';
import type { Tables } from '../tables/tables.ts';

export interface QuestionSelection {
  readonly questionSet: string;
  readonly version: number;
  readonly split?: Split | undefined;
}

export interface PositionedQuestion {
  readonly position: number;
  readonly question: Question;
}

/** A part of a set. */
export interface QuestionRange {
  /** The position behind which it starts; absent: from the first on. */
  readonly after?: number | undefined;
  /** Its last position; absent: to the end. */
  readonly to?: number | undefined;
  /** How many of its questions the reader will probably take: so many are read at first. */
  readonly likely?: number | undefined;
}

const questionsPerBatch = 500;

/** The greatest position that a question can have. */
const lastPosition = 2_147_483_647;

/** The questions of a version in the set's order, read in batches. */
export async function* streamQuestions(
  db: Database,
  selection: QuestionSelection,
  { after: start = -1, to = lastPosition, likely = questionsPerBatch }: QuestionRange = {},
): AsyncGenerator<PositionedQuestion> {
  let after = start;
  for (let limit = Math.min(likely, questionsPerBatch); ; limit = questionsPerBatch) {
    const batch = await readQuestions(db, selection, { after, to, limit });
    // Parsing a batch takes a while; let others in between.
    await setImmediate();
    yield* batch;
    const last = batch.at(-1);
    if (batch.length < limit || last === undefined) return;
    after = last.position;
  }
}

/** At most `limit` questions of a version after a position, in the set's order. */
async function readQuestions(
  db: Database,
  { questionSet, version, split }: QuestionSelection,
  { after, to, limit }: { readonly after: number; readonly to: number; readonly limit: number },
): Promise<readonly PositionedQuestion[]> {
  const rows = await selectQuestions(db, { questionSet, version })
    .where('position', '>', after)
    .where('position', '<=', to)
    .$if(split !== undefined, (query) => query.where('split', '=', split ?? ''))
    .orderBy('position')
    .limit(limit)
    .select(['position', 'body'])
    .execute();
  return rows.map(({ position, body }) => ({
    position,
    question: toQuestion(body, `${questionSet}@${version}/${position}`),
  }));
}

/** Position and id of every selected question, in the set's order. */
export async function listQuestionIds(
  db: Database,
  { questionSet, version, split }: QuestionSelection,
  { after = -1, to = lastPosition }: QuestionRange = {},
): Promise<readonly { readonly position: number; readonly id: string }[]> {
  return selectQuestions(db, { questionSet, version })
    .where('position', '>', after)
    .where('position', '<=', to)
    .$if(split !== undefined, (query) => query.where('split', '=', split ?? ''))
    .orderBy('position')
    .select(['position', 'question_id as id'])
    .execute();
}

export interface StoredLabel {
  readonly id: string;
  readonly position: number;
  readonly contentHash: string;
}

/** The place and content hash of every question of a version, in the set's order, read in batches. */
export async function* streamLabels(
  db: Database,
  { questionSet, version }: QuestionSelection,
): AsyncGenerator<StoredLabel> {
  for (let after = -1; ;) {
    const rows = await selectQuestions(db, { questionSet, version })
      .where('position', '>', after)
      .orderBy('position')
      .limit(labelsPerBatch)
      .select(['question_id as id', 'position', 'content_hash as contentHash'])
      .execute();
    await setImmediate();
    yield* rows;
    const last = rows.at(-1);
    if (rows.length < labelsPerBatch || !last) return;
    after = last.position;
  }
}

/** Some of 10 ms on either database. */
const labelsPerBatch = 2000;

/** The content hashes of a version's questions, some thousand at a time. */
export async function* streamContentHashes(
  db: Database,
  { questionSet, version }: QuestionSelection,
): AsyncGenerator<readonly string[]> {
  for (let after = -1; ;) {
    const some = selectQuestions(db, { questionSet, version })
      .where('position', '>', after)
      .orderBy('position')
      .limit(labelsPerBatch)
      .select(['position', 'content_hash'])
      .as('some');
    // As one text: a row for each takes several times as long.
    const { last, hashes } = await db
      .selectFrom(some)
      .select((eb) => eb.fn.max('position').as('last'))
      .select(sql<string | null>`string_agg(content_hash, ',')`.as('hashes'))
      .executeTakeFirstOrThrow();
    if (hashes === null) return;
    await setImmediate();
    yield hashes.split(',');
    after = last;
  }
}

export interface StoredQuestion extends StoredLabel {
  readonly question: Question;
}

/** Questions of a version with their places, by id. */
export async function findStoredQuestions(
  db: Database,
  { questionSet, version }: QuestionSelection,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredQuestion>> {
  const found = new Map<string, StoredQuestion>();
  await inBatches(ids, async (batch) => {
    const rows = await selectQuestions(db, { questionSet, version })
      .where('question_id', 'in', batch)
      .select(['question_id as id', 'position', 'content_hash as contentHash', 'body'])
      .execute();
    for (const { body, ...label } of rows) {
      const row = `${questionSet}@${version}/${label.position}`;
      found.set(label.id, { ...label, question: toQuestion(body, row) });
    }
  });
  return found;
}

/** The rows of a version. */
export function selectQuestions(
  db: Database,
  { questionSet, version }: Pick<QuestionSelection, 'questionSet' | 'version'>,
): SelectQueryBuilder<Tables, 'question', object> {
  return db
    .selectFrom('question')
    .where('question_set', '=', questionSet)
    .where('from_version', '<=', version)
    .where((eb) => eb.or([eb('until_version', 'is', null), eb('until_version', '>', version)]));
}

function toQuestion(body: string, row: string): Question {
  return parseStored(Question, body, { table: 'question', column: 'body', row });
}
