import { setTimeout } from 'node:timers/promises';

import { AppError } from '../../errors.ts';
import { lockCatalog } from '../../storage/database/catalog-lock.ts';
import type { Database, DatabaseTransaction } from '../../storage/database/database.ts';
import { isBeingWritten } from '../../storage/catalog/drafts.ts';
import {
  lockQuestionSet,
  type LockedQuestionSet,
} from '../../storage/question-sets/question-sets.ts';

const pauseMs = 50;
const maxWaitMs = 60_000;

/**
 * Changes a question set in one transaction, with its row locked; a set that was not there is made. Waits
 * while an import writes its next version, for a minute at most.
 */
export async function changeQuestionSet<Value>(
  db: Database,
  name: string,
  change: (trx: DatabaseTransaction, set: LockedQuestionSet) => Promise<Value>,
): Promise<Value> {
  for (let waitedMs = 0; waitedMs < maxWaitMs; waitedMs += pauseMs) {
    const changed = await db.transaction().execute(async (trx) => {
      await lockCatalog(trx, 'shared');
      const set = await lockQuestionSet(trx, name);
      return (await isBeingWritten(trx, name)) ? undefined : { value: await change(trx, set) };
    });
    if (changed) return changed.value;
    await setTimeout(pauseMs);
  }
  throw new AppError('conflict', `Question set '${name}' is being imported; try again later`);
}
