import type { SelectQueryBuilder } from 'kysely';

import type { Database } from '../database/database.ts';
import { toPage, type Page, type PageRequest } from '../database/paging.ts';
import type { Tables } from '../tables/tables.ts';

export interface QuestionSetVersion {
  readonly version: number;
  readonly contentHash: string;
  readonly questions: number;
  readonly judgments: number;
  readonly createdAt: string;
  /** User or client; null: nobody signed in. */
  readonly createdBy: string | null;
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

/** Sets that were not deleted, each with its latest version. */
export function selectLatestVersions(
  db: Database,
): SelectQueryBuilder<Tables, 'question_set' | 'question_set_version', object> {
  return db
    .selectFrom('question_set')
    .innerJoin('question_set_version', (join) =>
      join
        .onRef('question_set_version.question_set', '=', 'question_set.name')
        .onRef('question_set_version.version', '=', 'question_set.latest_version'),
    )
    .whereRef('latest_version', '>', 'deleted_through');
}

export const versionColumns = [
  'version',
  'content_hash',
  'questions',
  'judgments',
  'created_at',
  'created_by',
] as const;

export interface VersionRow {
  readonly version: number;
  readonly content_hash: string;
  readonly questions: number;
  readonly judgments: number;
  readonly created_at: string;
  readonly created_by: string | null;
}

export function toVersion(row: VersionRow): QuestionSetVersion {
  const { version, content_hash: contentHash, questions, judgments } = row;
  const { created_at: createdAt, created_by: createdBy } = row;
  return { version, contentHash, questions, judgments, createdAt, createdBy };
}
