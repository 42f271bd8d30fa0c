import type { Database } from '../database/database.ts';
import { listByName, type Page, type PageRequest } from '../database/paging.ts';
import {
  selectLatestVersions,
  toVersion,
  versionColumns,
  type QuestionSetVersion,
  type VersionRow,
} from './question-set-versions.ts';
import { refuseTooManyQuestions } from './quotas.ts';
import { authorOf } from '../database/tenant-scope.ts';

/** A set in its latest version. */
export interface QuestionSet extends QuestionSetVersion {
  readonly name: string;
  readonly description: string | null;
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
  page: PageRequest,
): Promise<Page<QuestionSet>> {
  return listByName(selectSets(db), page, toQuestionSet);
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

/** Whether every version was deleted; false also if there is no such set. */
export async function isHidden(db: Database, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('question_set')
    .where('name', '=', name)
    .where('latest_version', '>', 0)
    .whereRef('latest_version', '<=', 'deleted_through')
    .select('name')
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes a set with all its versions. Its questions are gone, by `deleteSomeQuestions`. */
export async function purgeQuestionSet(trx: Database, name: string): Promise<void> {
  await trx.deleteFrom('question_set_version').where('question_set', '=', name).execute();
  await trx.deleteFrom('question_set').where('name', '=', name).execute();
}

function selectSets(db: Database) {
  return selectLatestVersions(db).select(['name', 'description', ...versionColumns]);
}

function toQuestionSet(
  row: VersionRow & { readonly name: string; readonly description: string | null },
): QuestionSet {
  return { name: row.name, description: row.description, ...toVersion(row) };
}
