import { recordChange } from '../../storage/monitoring/audit.ts';
import { lockCatalog } from '../../storage/database/catalog-lock.ts';
import type { Database } from '../../storage/database/database.ts';
import {
  claimQuestionSet,
  renewDraft,
  writeDraft,
  type Draft,
} from '../../storage/catalog/drafts.ts';
import {
  findLatestVersion,
  findQuestionSet,
  publishVersion,
  updateDescription,
  type QuestionSet,
} from '../../storage/question-sets/question-sets.ts';
import { stateOfQuestionSet } from '../catalog/entity-states.ts';
import type { Precondition } from '../catalog/precondition.ts';
import {
  writeQuestions,
  type QuestionRecord,
} from '../../storage/question-sets/question-writes.ts';
import { streamLabels, type QuestionSelection } from '../../storage/question-sets/questions.ts';
import { changeQuestionSet } from './change-question-set.ts';
import type { JudgmentCounts } from './merge-judgments.ts';
import { hashVersion, type SavedQuestionSet } from './save-question-set.ts';

/** The next version of a question set, which one draft writes before it is published. */
export interface NextVersion {
  /** The version it is based on; undefined: there is no readable set. */
  readonly latest: QuestionSet | undefined;
  readonly selection: QuestionSelection;
}

interface NamedSet {
  readonly name: string;
  readonly precondition: Precondition;
}

/** Keeps everybody else from changing the set until the draft is dropped or its version published. */
export async function claimNextVersion(
  draft: Draft,
  { name, precondition }: NamedSet,
): Promise<NextVersion> {
  const next = await changeQuestionSet(
    draft.db,
    name,
    async (trx, { latestVersion, isVisible }) => {
      await renewDraft(trx, draft);
      const latest = await findQuestionSet(trx, name);
      precondition(latest && stateOfQuestionSet(latest));
      await claimQuestionSet(trx, draft.id, name);
      return { latest, latestVersion, isDeleted: latestVersion > 0 && !isVisible };
    },
  );
  const before = { questionSet: name, version: next.latestVersion };
  const selection = { questionSet: name, version: next.latestVersion + 1 };
  if (next.isDeleted) await endAll(draft, before, selection);
  return { latest: next.latest, selection };
}

/** What `claimNextVersion` would return, without claiming it: for previews. */
export async function peekNextVersion(
  db: Database,
  { name, precondition }: NamedSet,
): Promise<NextVersion> {
  const latest = await findQuestionSet(db, name);
  precondition(latest && stateOfQuestionSet(latest));
  const version = (await findLatestVersion(db, name)) ?? 0;
  return { latest, selection: { questionSet: name, version: version + 1 } };
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
  {
    description,
    ...totals
  }: {
    readonly questions: number;
    readonly judgments: number;
    /** Undefined: it stays. */
    readonly description?: string | undefined;
  },
): Promise<Omit<SavedQuestionSet, keyof JudgmentCounts>> {
  const version = {
    version: selection.version,
    contentHash: await hashVersion(draft.db, { questionSet: name, ...selection }),
    ...totals,
    createdAt: draft.now(),
  };
  const state = await draft.db.transaction().execute(async (trx) => {
    await lockCatalog(trx, 'shared');
    await renewDraft(trx, draft);
    await claimQuestionSet(trx, draft.id, null);
    await publishVersion(trx, name, version);
    if (description !== undefined) await updateDescription(trx, name, description);
    const hashes = { before: latest?.contentHash ?? null, after: version.contentHash };
    await recordChange(trx, { at: version.createdAt, kind: 'question-set', name, ...hashes });
    const set = await findQuestionSet(trx, name);
    return stateOfQuestionSet({ ...version, description: set?.description ?? null });
  });
  return { name, ...version, warnings: [], isNew: true, state };
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
