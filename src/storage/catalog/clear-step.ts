import type { Database, DatabaseTransaction } from '../database/database.ts';

/**
 * Does a step of removing what a dropped draft wrote, unless another process has removed the draft meanwhile:
 * others may write the next version of its question set by then. Returns whether to go on, which `clear` says.
 */
export async function clearStep(
  db: Database,
  id: string,
  clear: (trx: DatabaseTransaction) => Promise<boolean>,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('draft')
      .set({ is_dropped: 1 })
      .where('id', '=', id)
      .executeTakeFirst();
    return numUpdatedRows > 0n && clear(trx);
  });
}
