import { AppError } from '../../errors.ts';
import type { Database, DatabaseTransaction } from '../database/database.ts';
import { acrossTenants } from '../database/tenant-scope.ts';

/** An unpublished draft, and how to write it. */
export interface Draft {
  readonly db: Database;
  readonly id: string;
  /** RFC 3339, UTC. */
  readonly now: () => string;
}

/** Starts a draft; with `isDropped`, hands over what is to be removed. */
export async function insertDraft(
  db: Database,
  {
    id,
    at,
    isDropped = false,
  }: { readonly id: string; readonly at: string; readonly isDropped?: boolean },
): Promise<void> {
  const row = { id, question_set: null, touched_at: at, is_dropped: isDropped ? 1 : 0 };
  await db.insertInto('draft').values(row).execute();
}

/**
 * Writes a part of a draft in a transaction of its own, short enough that others hardly wait. Throws
 * `conflict` when the draft was given up meanwhile: who removes it must find everything that was written.
 */
export async function writeDraft<Value>(
  draft: Draft,
  write: (trx: DatabaseTransaction) => Promise<Value>,
): Promise<Value> {
  return draft.db.transaction().execute(async (trx) => {
    await renewDraft(trx, draft);
    return write(trx);
  });
}

/** Renews the draft. In a transaction it locks the draft's row. */
export async function renewDraft(
  trx: Database,
  { id, now }: Pick<Draft, 'id' | 'now'>,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('draft')
    .set({ touched_at: now() })
    .where('id', '=', id)
    .where('is_dropped', '=', 0)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  throw new AppError(
    'conflict',
    'The import was idle for too long and was abandoned; send it again',
  );
}

/** Lets a draft write the next version of a question set, or ends that with null. The set's row must be locked. */
export async function claimQuestionSet(
  trx: DatabaseTransaction,
  id: string,
  questionSet: string | null,
): Promise<void> {
  await trx.updateTable('draft').set({ question_set: questionSet }).where('id', '=', id).execute();
}

/** Whether a draft is writing the next version of a question set. */
export async function isBeingWritten(db: Database, questionSet: string): Promise<boolean> {
  const row = await db
    .selectFrom('draft')
    .where('question_set', '=', questionSet)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

export interface DraftPart {
  readonly bucket: number;
  readonly part: number;
  readonly body: string;
}

export async function insertParts(
  trx: DatabaseTransaction,
  draft: string,
  parts: readonly DraftPart[],
): Promise<void> {
  await trx
    .insertInto('draft_part')
    .values(parts.map((part) => ({ draft, ...part })))
    .execute();
}

/** The bodies of a bucket in the order they were written, a few in memory at a time. */
export async function* streamParts(
  db: Database,
  draft: string,
  bucket: number,
): AsyncGenerator<string> {
  const batchSize = 16;
  for (let after = -1; ;) {
    const rows = await db
      .selectFrom('draft_part')
      .where('draft', '=', draft)
      .where('bucket', '=', bucket)
      .where('part', '>', after)
      .orderBy('part')
      .limit(batchSize)
      .select(['part', 'body'])
      .execute();
    for (const { body } of rows) yield body;
    const last = rows.at(-1);
    if (rows.length < batchSize || !last) return;
    after = last.part;
  }
}

/** Deletes some parts of a draft; false: it had none left. */
export async function deleteSomeParts(db: Database, draft: string): Promise<boolean> {
  const first = await db
    .selectFrom('draft_part')
    .where('draft', '=', draft)
    .orderBy('bucket')
    .limit(1)
    .select('bucket')
    .executeTakeFirst();
  if (!first) return false;
  await db
    .deleteFrom('draft_part')
    .where('draft', '=', draft)
    .where('bucket', '<', first.bucket + bucketsPerDeletion)
    .execute();
  return true;
}

/** Few enough that others hardly wait. */
const bucketsPerDeletion = 8;

/**
 * Gives a draft up, so that nothing is written to it any more. Returns the question set whose next version it
 * wrote, if any; undefined when there is nothing to remove: the draft is gone, or was written to since `before`.
 */
export async function abandonDraft(
  db: Database,
  id: string,
  before?: string,
): Promise<{ readonly questionSet: string | null } | undefined> {
  const row = await db
    .updateTable('draft')
    .set({ is_dropped: 1 })
    .where('id', '=', id)
    .$if(before !== undefined, (query) =>
      query.where((eb) => eb.or([eb('touched_at', '<', before ?? ''), eb('is_dropped', '=', 1)])),
    )
    .returning('question_set as questionSet')
    .executeTakeFirst();
  return row;
}

/** Returns whether it was there. */
export async function deleteDraft(db: Database, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('draft').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Drafts of all tenants that were given up, or not written to since `before`; `claimedBefore` holds for those that keep others waiting. */
export async function listOrphanedDrafts(
  db: Database,
  { before, claimedBefore }: { readonly before: string; readonly claimedBefore: string },
): Promise<readonly { readonly id: string; readonly tenant: string }[]> {
  return acrossTenants(db)
    .selectFrom('draft')
    .where((eb) =>
      eb.or([
        eb('is_dropped', '=', 1),
        eb('touched_at', '<', before),
        eb.and([eb('question_set', 'is not', null), eb('touched_at', '<', claimedBefore)]),
      ]),
    )
    .select(['id', 'tenant'])
    .execute();
}
