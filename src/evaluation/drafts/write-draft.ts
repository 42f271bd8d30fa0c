import { setImmediate } from 'node:timers/promises';

import { clearStep } from '../../storage/catalog/clear-step.ts';
import { lockCatalog } from '../../storage/database/catalog-lock.ts';
import type { Database, DatabaseTransaction } from '../../storage/database/database.ts';
import {
  claimQuestionSet,
  deleteDraft,
  deleteSomeParts,
  abandonDraft,
  insertDraft,
  listOrphanedDrafts,
  type Draft,
} from '../../storage/catalog/drafts.ts';
import { countEvaluationsOf } from '../../storage/evaluations/evaluations.ts';
import {
  deleteEmptySet,
  findLatestVersion,
  hideQuestionSet,
  isHidden,
  purgeQuestionSet,
} from '../../storage/question-sets/question-sets.ts';
import {
  deleteSomeQuestions,
  unwriteVersion,
} from '../../storage/question-sets/question-writes.ts';
import { deleteSomeRankings } from '../../storage/catalog/runs.ts';
import { scopeToTenant } from '../../storage/database/tenant-scope.ts';

/**
 * Does what writes a draft, and removes what is left of it whatever happens. What cannot be removed now,
 * because the store or the process went away, `clearDrafts` removes later.
 */
export async function withDraft<Value>(
  draft: Draft,
  write: (draft: Draft) => Promise<Value>,
): Promise<Value> {
  await insertDraft(draft.db, { id: draft.id, at: draft.now() });
  let value: Value;
  try {
    value = await write(draft);
  } catch (error) {
    // The original error matters more: a store that fails here as well is reported by the clean-up.
    await dropDraft(draft.db, draft.id).catch(() => undefined);
    throw error;
  }
  await dropDraft(draft.db, draft.id);
  return value;
}

/** Removes all that belongs to a draft, in short steps. Several may do so at once. */
export async function dropDraft(db: Database, id: string, before?: string): Promise<void> {
  const dropped = await abandonDraft(db, id, before);
  if (!dropped) return;
  const { questionSet } = dropped;
  if (questionSet !== null) await clearQuestions(db, id, questionSet);
  while (await deleteSomeParts(db, id)) await setImmediate();
  while (await deleteSomeRankings(db, id)) await setImmediate();
  await db.transaction().execute(async (trx) => {
    await lockCatalog(trx, 'exclusive');
    if (!(await deleteDraft(trx, id)) || questionSet === null) return;
    const isUnread = await isHiddenAndUnread(trx, questionSet);
    await (isUnread ? purgeQuestionSet(trx, questionSet) : deleteEmptySet(trx, questionSet));
  });
}

/**
 * Hides a question set that nobody reads, for `dropDraft` to remove: the draft keeps others from changing it
 * meanwhile. Part of a transaction that has the catalog alone.
 */
export async function handOverQuestionSet(
  trx: DatabaseTransaction,
  { id, at, name }: { readonly id: string; readonly at: string; readonly name: string },
): Promise<void> {
  await hideQuestionSet(trx, name);
  await insertDraft(trx, { id, at, isDropped: true });
  await claimQuestionSet(trx, id, name);
}

/** Removes a deleted set's questions, or else what the draft wrote of the next version. */
async function clearQuestions(db: Database, id: string, questionSet: string): Promise<void> {
  const inStep = (clear: (trx: DatabaseTransaction) => Promise<boolean>) =>
    clearStep(db, id, clear);
  if (!(await isHiddenAndUnread(db, questionSet))) {
    await unwriteNextVersion(db, questionSet, inStep);
    return;
  }
  while (await inStep((trx) => deleteSomeQuestions(trx, questionSet))) await setImmediate();
}

async function isHiddenAndUnread(db: Database, questionSet: string): Promise<boolean> {
  return (await isHidden(db, questionSet)) && (await countEvaluationsOf(db, questionSet)) === 0;
}

/** An upload may take ten minutes. */
const maxHoldMs = 15 * 60_000;

/** Shorter, since those wait who would change the same set. */
const maxClaimMs = 3 * 60_000;

/**
 * Removes abandoned drafts, whose process ended. With `all`, removes every draft:
 * when a process starts on a SQLite file of its own, no other process can be writing.
 */
export async function clearDrafts(
  db: Database,
  { now, all = false }: { readonly now: string; readonly all?: boolean },
): Promise<void> {
  const ago = (ms: number) => new Date(Date.parse(now) - ms).toISOString();
  const limits = all
    ? { before: ago(-maxHoldMs), claimedBefore: ago(-maxHoldMs) }
    : { before: ago(maxHoldMs), claimedBefore: ago(maxClaimMs) };
  for (const { id, tenant } of await listOrphanedDrafts(db, limits)) {
    await dropDraft(scopeToTenant(db, tenant), id, limits.claimedBefore);
  }
}

/** The next version cannot be written by others until the draft is removed. */
async function unwriteNextVersion(
  db: Database,
  questionSet: string,
  inStep: Parameters<typeof unwriteVersion>[2],
): Promise<void> {
  const latest = await findLatestVersion(db, questionSet);
  if (latest === undefined) return;
  await unwriteVersion(db, { questionSet, version: latest + 1 }, inStep);
}
