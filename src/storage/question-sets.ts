import { setImmediate } from 'node:timers/promises';

import { sql } from 'kysely';

import type { Question, Split } from '../ir/question.ts';
import type { Database } from './database.ts';
import { inBatches } from './in-batches.ts';
import { toPage, type Page, type PageRequest } from './paging.ts';
import { refuseTooManyQuestions } from './quotas.ts';
import { authorOf } from './tenant-scope.ts';

export interface QuestionSet {
  readonly name: string;
  readonly description: string | null;
  readonly version: number;
  readonly contentHash: string;
  readonly questions: number;
  readonly judgments: number;
  readonly createdAt: string;
  /** User or client; null: nobody signed in. */
  readonly createdBy: string | null;
}

export interface QuestionSetVersion {
  readonly version: number;
  readonly contentHash: string;
  readonly questions: number;
  readonly judgments: number;
  readonly createdAt: string;
  /** User or client; null: nobody signed in. */
  readonly createdBy: string | null;
}

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

export interface QuestionSelection {
  readonly questionSet: string;
  readonly version: number;
  readonly split?: Split | undefined;
}

export interface PositionedQuestion {
  readonly position: number;
  readonly question: Question;
}

/** The latest version, unless the set was deleted. */
export async function findQuestionSet(
  db: Database,
  name: string,
): Promise<QuestionSet | undefined> {
  const row = await selectSets(db).where('question_set.name', '=', name).executeTakeFirst();
  return row && toQuestionSet(row);
}

export async function listQuestionSets(
  db: Database,
  { limit, after }: PageRequest,
): Promise<Page<QuestionSet>> {
  const rows = await selectSets(db)
    .$if(after !== undefined, (query) => query.where('question_set.name', '>', after ?? ''))
    .orderBy('question_set.name')
    .limit(limit + 1)
    .execute();
  return toPage(rows, limit, { toItem: toQuestionSet, toCursor: (row) => row.name });
}

/** Finds a version that was not deleted, or, with `evenDeleted`, one that evaluations still hold. */
export async function findVersion(
  db: Database,
  name: string,
  version: number,
  { evenDeleted = false } = {},
): Promise<QuestionSetVersion | undefined> {
  const row = await db
    .selectFrom('question_set_version')
    .innerJoin('question_set', 'question_set.name', 'question_set_version.question_set')
    .where('question_set', '=', name)
    .where('version', '=', version)
    .$if(!evenDeleted, (query) => query.whereRef('version', '>', 'deleted_through'))
    .select(versionColumns)
    .executeTakeFirst();
  return row && toVersion(row);
}

/** Newest first. */
export async function listVersions(
  db: Database,
  name: string,
  { limit, after }: PageRequest,
): Promise<Page<QuestionSetVersion>> {
  const rows = await db
    .selectFrom('question_set_version')
    .innerJoin('question_set', 'question_set.name', 'question_set_version.question_set')
    .where('question_set', '=', name)
    .whereRef('version', '>', 'deleted_through')
    .$if(after !== undefined, (query) => query.where('version', '<', Number(after)))
    .orderBy('version', 'desc')
    .select(versionColumns)
    .limit(limit + 1)
    .execute();
  return toPage(rows, limit, { toItem: toVersion, toCursor: (row) => String(row.version) });
}

/** At most `limit` questions of a version after a position, in the set's order. */
async function readQuestions(
  db: Database,
  { questionSet, version, split }: QuestionSelection,
  { after, to, limit }: { readonly after: number; readonly to: number; readonly limit: number },
): Promise<readonly PositionedQuestion[]> {
  const rows = await selectQuestions(db, questionSet, version)
    .where('position', '>', after)
    .where('position', '<=', to)
    .$if(split !== undefined, (query) => query.where('split', '=', split ?? ''))
    .orderBy('position')
    .limit(limit)
    .select(['position', 'body'])
    .execute();
  return rows.map((row) => ({ position: row.position, question: toQuestion(row.body) }));
}

/** The questions of a version in the set's order, from behind a position on and up to another, read in batches. */
export async function* streamQuestions(
  db: Database,
  selection: QuestionSelection,
  start = -1,
  to = 2_147_483_647,
): AsyncGenerator<PositionedQuestion> {
  const batchSize = 500;
  let after = start;
  for (;;) {
    const batch = await readQuestions(db, selection, { after, to, limit: batchSize });
    // Parsing a batch takes a while; let others in between.
    await setImmediate();
    yield* batch;
    const last = batch.at(-1);
    if (batch.length < batchSize || last === undefined) return;
    after = last.position;
  }
}

/** Position and id of every selected question, in the set's order. */
export async function listQuestionIds(
  db: Database,
  { questionSet, version, split }: QuestionSelection,
): Promise<readonly { readonly position: number; readonly id: string }[]> {
  return selectQuestions(db, questionSet, version)
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
    const rows = await selectQuestions(db, questionSet, version)
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
    const some = selectQuestions(db, questionSet, version)
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
    const rows = await selectQuestions(db, questionSet, version)
      .where('question_id', 'in', batch)
      .select(['question_id as id', 'position', 'content_hash as contentHash', 'body'])
      .execute();
    for (const { body, ...label } of rows) {
      found.set(label.id, { ...label, question: toQuestion(body) });
    }
  });
  return found;
}

/** A set whose row is locked. */
export interface LockedQuestionSet {
  readonly name: string;
  /** 0: it has none yet. */
  readonly latestVersion: number;
  /** Whether the latest version is there to be read. */
  readonly isVisible: boolean;
}

/** Locks the set's row for the rest of the transaction, deleted or not; a set that was not there is made. */
export async function lockQuestionSet(trx: Database, name: string): Promise<LockedQuestionSet> {
  await trx
    .insertInto('question_set')
    .values({ name, description: null, latest_version: 0, deleted_through: 0 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const row = await trx
    .updateTable('question_set')
    .set((eb) => ({ latest_version: eb.ref('latest_version') }))
    .where('name', '=', name)
    .returning(['latest_version', 'deleted_through'])
    .executeTakeFirstOrThrow();
  return {
    name,
    latestVersion: row.latest_version,
    isVisible: row.latest_version > row.deleted_through,
  };
}

/** The number of the latest version, deleted or not; 0: it has none yet; undefined: there is no such set. */
export async function findLatestVersion(db: Database, name: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('question_set')
    .where('name', '=', name)
    .select('latest_version')
    .executeTakeFirst();
  return row?.latest_version;
}

export async function updateDescription(
  trx: Database,
  name: string,
  description: string | null,
): Promise<void> {
  await trx.updateTable('question_set').set({ description }).where('name', '=', name).execute();
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

/** Makes the version the latest one. Its questions are there. Refused with `too-many-questions` beyond the quota. */
export async function publishVersion(
  trx: Database,
  questionSet: string,
  { version, contentHash, questions, judgments, createdAt }: Omit<QuestionSetVersion, 'createdBy'>,
): Promise<void> {
  const before = await findQuestionSet(trx, questionSet);
  await trx
    .insertInto('question_set_version')
    .values({
      question_set: questionSet,
      version,
      content_hash: contentHash,
      questions,
      judgments,
      created_at: createdAt,
      created_by: authorOf(trx),
    })
    .execute();
  await trx
    .updateTable('question_set')
    .set({ latest_version: version })
    .where('name', '=', questionSet)
    .execute();
  await refuseTooManyQuestions(trx, questions - (before?.questions ?? 0));
}

/** Takes back what was written for a version that is not published, in steps that let others in between. */
export async function unwriteVersion(
  db: Database,
  { questionSet, version }: QuestionSelection,
): Promise<void> {
  const { last } = await db
    .selectFrom('question')
    .where('question_set', '=', questionSet)
    .select((eb) => eb.fn.max('position').as('last'))
    .executeTakeFirstOrThrow();
  for (let start = 0; start <= (last ?? -1); start += questionsPerStep) {
    const to = start + questionsPerStep - 1;
    await db
      .deleteFrom('question')
      .where('question_set', '=', questionSet)
      .where((eb) => eb.between('position', start, to))
      .where('from_version', '=', version)
      .execute();
    await db
      .updateTable('question')
      .set({ until_version: null })
      .where('question_set', '=', questionSet)
      .where((eb) => eb.between('position', start, to))
      .where('until_version', '=', version)
      .execute();
    await setImmediate();
  }
}

/** Removes a set that never had a version. */
export async function deleteEmptySet(trx: Database, name: string): Promise<void> {
  await trx
    .deleteFrom('question_set')
    .where('name', '=', name)
    .where('latest_version', '=', 0)
    .execute();
}

/** Hides every version. The rows stay until `purgeQuestionSet`, for evaluations that hold them. */
export async function hideQuestionSet(trx: Database, name: string): Promise<void> {
  await trx
    .updateTable('question_set')
    .set((eb) => ({ deleted_through: eb.ref('latest_version'), description: null }))
    .where('name', '=', name)
    .execute();
}

/** Removes a set with all its versions. */
export async function purgeQuestionSet(trx: Database, name: string): Promise<void> {
  await trx.deleteFrom('question').where('question_set', '=', name).execute();
  await trx.deleteFrom('question_set_version').where('question_set', '=', name).execute();
  await trx.deleteFrom('question_set').where('name', '=', name).execute();
}

/** Few enough that others hardly wait. */
const questionsPerStep = 250;

const versionColumns = [
  'version',
  'content_hash',
  'questions',
  'judgments',
  'created_at',
  'created_by',
] as const;

function selectSets(db: Database) {
  return db
    .selectFrom('question_set')
    .innerJoin('question_set_version', (join) =>
      join
        .onRef('question_set_version.question_set', '=', 'question_set.name')
        .onRef('question_set_version.version', '=', 'question_set.latest_version'),
    )
    .whereRef('latest_version', '>', 'deleted_through')
    .select(['name', 'description', ...versionColumns]);
}

function selectQuestions(db: Database, questionSet: string, version: number) {
  return db
    .selectFrom('question')
    .where('question_set', '=', questionSet)
    .where('from_version', '<=', version)
    .where((eb) => eb.or([eb('until_version', 'is', null), eb('until_version', '>', version)]));
}

interface VersionRow {
  readonly version: number;
  readonly content_hash: string;
  readonly questions: number;
  readonly judgments: number;
  readonly created_at: string;
  readonly created_by: string | null;
}

function toVersion(row: VersionRow): QuestionSetVersion {
  const { version, content_hash: contentHash, questions, judgments } = row;
  const { created_at: createdAt, created_by: createdBy } = row;
  return { version, contentHash, questions, judgments, createdAt, createdBy };
}

function toQuestionSet(
  row: VersionRow & { readonly name: string; readonly description: string | null },
): QuestionSet {
  return { name: row.name, description: row.description, ...toVersion(row) };
}

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

function toQuestion(body: string): Question {
  return JSON.parse(body) as Question;
}
