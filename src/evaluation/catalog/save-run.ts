import { NotFoundError } from '../../errors.ts';
import { recordChange } from '../../storage/monitoring/audit.ts';
import { lockCatalog } from '../../storage/database/catalog-lock.ts';
import type { Database } from '../../storage/database/database.ts';
import { deleteDraft, insertDraft, renewDraft, type Draft } from '../../storage/catalog/drafts.ts';
import { deleteRun, findRun, putRun, type ImportedRun } from '../../storage/catalog/runs.ts';
import { updateRunNotes, type RunNotes } from '../../storage/catalog/run-notes.ts';
import { refuseWhileRead } from './save-corpus.ts';
import type { PairEntry } from './stage-pairs.ts';
import { dropDraft, withDraft } from '../drafts/write-draft.ts';
import { writeRankings } from './write-rankings.ts';
import { stateOfRun } from './entity-states.ts';
import { noPrecondition, type Precondition } from './precondition.ts';

interface SavedRun {
  readonly run: ImportedRun;
  readonly notes: RunNotes;
  readonly isNew: boolean;
}

/**
 * Replaces a run whole, or finds that it holds just that. Refused while an evaluation scores it. What comes
 * is written aside as it comes; one short transaction makes it the run, and whatever fails before leaves nothing.
 */
export async function saveRun(
  draft: Draft,
  name: string,
  entries: AsyncIterable<readonly PairEntry[]>,
  precondition: Precondition = noPrecondition,
): Promise<SavedRun> {
  const { orphaned, ...saved } = await withDraft(draft, async () => {
    const { notes, ...written } = await writeRankings(draft, entries);
    const run = { name, ...written, createdAt: draft.now() };
    return { ...(await switchRun(draft, { run, notes }, precondition)), notes };
  });
  if (orphaned !== undefined) await dropDraft(draft.db, orphaned);
  return saved;
}

export async function removeRun(
  db: Database,
  name: string,
  now: string,
  precondition: Precondition = noPrecondition,
): Promise<void> {
  const orphaned = await db.transaction().execute(async (trx) => {
    await lockCatalog(trx, 'exclusive');
    const stored = await findRun(trx, name);
    precondition(stored && stateOfRun(stored));
    await refuseWhileRead(trx, { kind: 'run', name });
    const revision = await deleteRun(trx, name);
    if (revision === undefined) throw new NotFoundError('Run', name);
    await insertDraft(trx, { id: revision, at: now, isDropped: true });
    const hashes = { before: stored?.contentHash ?? null, after: null };
    await recordChange(trx, { at: now, kind: 'run', name, ...hashes });
    return revision;
  });
  await dropDraft(db, orphaned);
}

/** What was saved, and the draft that holds the rankings the run had before. */
type Switched = Omit<SavedRun, 'notes'> & { readonly orphaned?: string };

/** The draft becomes the run's revision, and what was that becomes a draft to be removed. */
async function switchRun(
  draft: Draft,
  { run, notes }: Omit<SavedRun, 'isNew'>,
  precondition: Precondition,
): Promise<Switched> {
  return draft.db.transaction().execute(async (trx) => {
    await lockCatalog(trx, 'exclusive');
    await renewDraft(trx, draft);
    const stored = await findRun(trx, run.name);
    precondition(stored && stateOfRun(stored));
    if (stored?.contentHash === run.contentHash) {
      await updateRunNotes(trx, run.name, notes);
      return { run: stored, isNew: false };
    }
    await refuseWhileRead(trx, { kind: 'run', name: run.name });
    const before = await putRun(trx, { ...run, notes }, draft.id);
    await deleteDraft(trx, draft.id);
    const hashes = { before: stored?.contentHash ?? null, after: run.contentHash };
    await recordChange(trx, { at: run.createdAt, kind: 'run', name: run.name, ...hashes });
    if (before === undefined) return { run, isNew: true };
    await insertDraft(trx, { id: before, at: draft.now(), isDropped: true });
    return { run, isNew: true, orphaned: before };
  });
}
