import type { Selectable } from 'kysely';

import type { Database } from '../database/database.ts';
import { acrossTenants } from '../database/tenant-scope.ts';
import type { SittingTable } from '../tables/question-tables.ts';

export interface Sitting {
  readonly id: string;
  readonly questionSet: string;
  readonly judge: string;
  readonly openedAt: string;
  readonly closedAt: string | null;
  /** JSON: what became of it; null: not a version yet. */
  readonly result: string | null;
}

export interface SittingVerdict {
  readonly questionId: string;
  readonly documentId: string;
  readonly grade: number;
  readonly documentVersion: string | null;
  readonly note: string | null;
  readonly judgedAt: string;
}

export async function findSitting(db: Database, id: string): Promise<Sitting | undefined> {
  const row = await db.selectFrom('sitting').where('id', '=', id).selectAll().executeTakeFirst();
  return row && toSitting(row);
}

/** Stores a new one; one that is there already stays as it is. */
export async function insertSitting(
  db: Database,
  { id, questionSet, judge, openedAt }: Omit<Sitting, 'closedAt' | 'result'>,
): Promise<void> {
  const row = { id, question_set: questionSet, judge, opened_at: openedAt, touched_at: openedAt };
  await db
    .insertInto('sitting')
    .values({ ...row, closed_at: null, result: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Notes that it is in use, and holds it until the transaction ends. False: it is closed. */
export async function touchSitting(trx: Database, id: string, now: string): Promise<boolean> {
  const touched = await trx
    .updateTable('sitting')
    .set({ touched_at: now })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return touched.numUpdatedRows > 0n;
}

export async function setSittingClosed(
  db: Database,
  id: string,
  closedAt: string | null,
): Promise<void> {
  await db
    .updateTable('sitting')
    .set({ closed_at: closedAt })
    .where('id', '=', id)
    .where('result', 'is', null)
    .execute();
}

/** Keeps the first result. */
export async function setSittingResult(db: Database, id: string, result: string): Promise<void> {
  await db
    .updateTable('sitting')
    .set({ result })
    .where('id', '=', id)
    .where('result', 'is', null)
    .execute();
}

export async function upsertVerdict(
  db: Database,
  sitting: string,
  verdict: SittingVerdict,
): Promise<void> {
  const content = {
    grade: verdict.grade,
    document_version: verdict.documentVersion,
    note: verdict.note,
    judged_at: verdict.judgedAt,
  };
  const { questionId: question_id, documentId: document_id } = verdict;
  await db
    .insertInto('sitting_verdict')
    .values({ sitting, question_id, document_id, ...content })
    .onConflict((conflict) =>
      conflict.columns(['sitting', 'question_id', 'document_id']).doUpdateSet(content),
    )
    .execute();
}

export async function deleteVerdict(
  db: Database,
  sitting: string,
  { questionId, documentId }: Pick<SittingVerdict, 'questionId' | 'documentId'>,
): Promise<void> {
  await db
    .deleteFrom('sitting_verdict')
    .where('sitting', '=', sitting)
    .where('question_id', '=', questionId)
    .where('document_id', '=', documentId)
    .execute();
}

/** In the order in which they were given. */
export async function listVerdicts(
  db: Database,
  sitting: string,
): Promise<readonly SittingVerdict[]> {
  return db
    .selectFrom('sitting_verdict')
    .where('sitting', '=', sitting)
    .orderBy('judged_at')
    .orderBy('question_id')
    .orderBy('document_id')
    .select([
      'question_id as questionId',
      'document_id as documentId',
      'grade',
      'document_version as documentVersion',
      'note',
      'judged_at as judgedAt',
    ])
    .execute();
}

/** Those of all tenants that were left open, or whose closing was interrupted. */
export async function listQuietSittings(
  db: Database,
  before: string,
): Promise<readonly (Sitting & { readonly tenant: string })[]> {
  const rows = await acrossTenants(db)
    .selectFrom('sitting')
    .where('result', 'is', null)
    .where('touched_at', '<', before)
    .orderBy('touched_at')
    .limit(100)
    .selectAll()
    .execute();
  return rows.map((row) => ({ ...toSitting(row), tenant: row.tenant }));
}

function toSitting(row: Selectable<SittingTable>): Sitting {
  return {
    id: row.id,
    questionSet: row.question_set,
    judge: row.judge,
    openedAt: row.opened_at,
    closedAt: row.closed_at,
    result: row.result,
  };
}
