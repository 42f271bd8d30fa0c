import { AppError } from '../errors.ts';
import type { Database } from '../storage/database.ts';
import { listFinishedBefore } from '../storage/evaluations.ts';
import { removeEvaluation } from './end-evaluation.ts';

const msPerDay = 24 * 60 * 60 * 1000;

/** Deletes evaluations that ended longer ago than so many days, but for those that are kept. Returns their ids. */
export async function deleteExpired(
  db: Database,
  {
    days,
    now,
    isKept,
  }: {
    readonly days: number;
    readonly now: string;
    readonly isKept: (db: Database, evaluationId: string) => Promise<boolean>;
  },
): Promise<readonly string[]> {
  const before = new Date(Date.parse(now) - days * msPerDay).toISOString();
  const deleted: string[] = [];
  for (const id of await listFinishedBefore(db, before)) {
    if (await isKept(db, id)) continue;
    if (await tryRemove(db, id)) deleted.push(id);
  }
  return deleted;
}

/** Another instance may have deleted it, or somebody opened it again. */
async function tryRemove(db: Database, id: string): Promise<boolean> {
  try {
    await removeEvaluation(db, id);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
