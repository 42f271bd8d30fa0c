import { recordChange } from '../storage/audit.ts';
import { lockCatalog } from '../storage/catalog-lock.ts';
import { claimQuestionSet, touchDraft, writeDraft, type Draft } from '../storage/drafts.ts';
import { findQuestionSet, publishVersion, type QuestionSet } from '../storage/question-sets.ts';
import { writeQuestions, type QuestionRecord } from '../storage/question-writes.ts';
import { streamLabels, type QuestionSelection } from '../storage/questions.ts';
import { changeQuestionSet } from './change-question-set.ts';
import { hashVersion, type SavedQuestionSet } from './save-question-set.ts';

/** The next version of a question set, which one draft writes while nobody sees it. */
export interface NextVersion {
  /** What it goes on from; undefined: there is no set to be read. */
  readonly latest: QuestionSet | undefined;
  readonly selection: QuestionSelection;
}

/** Keeps everybody else from changing the set until the draft is dropped or its version published. */
export async function claimNextVersion(draft: Draft, name: string): Promise<NextVersion> {
  const next = await changeQuestionSet(
    draft.db,
    name,
    async (trx, { latestVersion, isVisible }) => {
      await touchDraft(trx, draft);
      await claimQuestionSet(trx, draft.id, name);
      const latest = await findQuestionSet(trx, name);
      return { latest, latestVersion, isDeleted: latestVersion > 0 && !isVisible };
    },
  );
  const before = { questionSet: name, version: next.latestVersion };
  const selection = { questionSet: name, version: next.latestVersion + 1 };
  if (next.isDeleted) await endAll(draft, before, selection);
  return { latest: next.latest, selection };
}

/** Writes some questions of the next version; `ended` are those that the latest one has otherwise. */
export async function writeNextVersion(
  draft: Draft,
  { selection }: NextVersion,
  change: { readonly ended: readonly string[]; readonly started: readonly QuestionRecord[] },
): Promise<void> {
  await writeDraft(draft, (trx) => writeQuestions(trx, selection, change));
}

/** Makes what was written the latest version in one short transaction. */
export async function publishNextVersion(
  draft: Draft,
  { latest, selection: { questionSet: name, ...selection } }: NextVersion,
  totals: { readonly questions: number; readonly judgments: number },
): Promise<SavedQuestionSet> {
  const version = {
    version: selection.version,
    contentHash: await hashVersion(draft.db, { questionSet: name, ...selection }),
    ...totals,
    createdAt: draft.now(),
  };
  await draft.db.transaction().execute(async (trx) => {
    await lockCatalog(trx, 'shared');
    await touchDraft(trx, draft);
    await claimQuestionSet(trx, draft.id, null);
    await publishVersion(trx, name, version);
    const hashes = { before: latest?.contentHash ?? null, after: version.contentHash };
    await recordChange(trx, { at: version.createdAt, kind: 'question-set', name, ...hashes });
  });
  return { name, ...version, warnings: [], isNew: true };
}

/** The questions of a deleted version must not appear in the next one. */
async function endAll(
  draft: Draft,
  before: QuestionSelection,
  next: QuestionSelection,
): Promise<void> {
  const questionsPerStep = 500;
  let ended: string[] = [];
  const write = () => writeDraft(draft, (trx) => writeQuestions(trx, next, { ended, started: [] }));
  for await (const { id } of streamLabels(draft.db, before)) {
    ended.push(id);
    if (ended.length < questionsPerStep) continue;
    await write();
    ended = [];
  }
  await write();
}
