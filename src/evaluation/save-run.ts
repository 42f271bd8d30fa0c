import { NotFoundError } from '../errors.ts';
import { lockCatalog } from '../storage/catalog-lock.ts';
import type { Database } from '../storage/database.ts';
import {
  deleteRun,
  findRun,
  replaceRun,
  type ImportedRanking,
  type ImportedRun,
} from '../storage/runs.ts';
import { hashJson, hashUnordered } from './hash-content.ts';
import { refuseWhileRead } from './save-corpus.ts';

/** Replaces a run whole, or finds that it holds just that. Refused while an evaluation scores it. */
export async function saveRun(
  db: Database,
  name: string,
  content: { readonly rankings: readonly ImportedRanking[]; readonly now: string },
): Promise<{ readonly run: ImportedRun; readonly isNew: boolean }> {
  const run = {
    name,
    contentHash: hashUnordered(content.rankings.map((ranking) => hashJson(toHashed(ranking)))),
    questions: content.rankings.length,
    hits: content.rankings.reduce((sum, { hits }) => sum + hits.length, 0),
    createdAt: content.now,
  };
  return db.transaction().execute(async (trx) => {
    await lockCatalog(trx, 'exclusive');
    const stored = await findRun(trx, name);
    if (stored?.contentHash === run.contentHash) return { run: stored, isNew: false };
    await refuseWhileRead(trx, { kind: 'run', name });
    await replaceRun(trx, run, content.rankings);
    return { run, isNew: true };
  });
}

export async function removeRun(db: Database, name: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockCatalog(trx, 'exclusive');
    await refuseWhileRead(trx, { kind: 'run', name });
    if (!(await deleteRun(trx, name))) throw new NotFoundError('Run', name);
  });
}

function toHashed({ questionId, hits }: ImportedRanking): unknown {
  return [questionId, hits.map(({ documentId, score }) => [documentId, score])];
}
