import { recordChange } from '../../storage/monitoring/audit.ts';
import { renewDraft, type Draft } from '../../storage/catalog/drafts.ts';
import { inBatches } from '../../storage/database/in-batches.ts';
import { updateDescription, type QuestionSet } from '../../storage/question-sets/question-sets.ts';
import type { QuestionRecord } from '../../storage/question-sets/question-writes.ts';
import { streamLabels } from '../../storage/question-sets/questions.ts';
import { authorOf } from '../../storage/database/tenant-scope.ts';
import { createYieldToEventLoop } from '../../yield-to-event-loop.ts';
import type { ImportRule } from './import-rule.ts';
import {
  claimNextVersion,
  peekNextVersion,
  publishNextVersion,
  writeNextVersion,
  type NextVersion,
} from './next-version.ts';
import { stateOfQuestionSet } from '../catalog/entity-states.ts';
import { noPrecondition } from '../catalog/precondition.ts';
import { findLatest, mergeEntry, reviewQuestions, type ReviewRule } from './review-questions.ts';
import { toQuestionRecord, type SavedQuestionSet } from './save-question-set.ts';
import { stageQuestions, type QuestionEntry, type StagedQuestions } from './stage-questions.ts';
import { refuseConflicts, type ImportPreview } from './verdict-conflicts.ts';
import { withDraft } from '../drafts/write-draft.ts';

export interface QuestionFile {
  readonly entries: AsyncIterable<QuestionEntry>;
  readonly description?: string | undefined;
}

/** For a set whose earlier labels are kept, and that anyone may change. */
export const usualRule: ImportRule = {
  judgments: 'keep',
  isPreview: false,
  precondition: noPrecondition,
};

/**
 * Makes a set have exactly the questions of a file. Judgments of earlier files give way to those of this
 * one; verdicts of judges stay as the rule says. Judge, time and note of a grade that stays are kept.
 *
 * Entries are staged as they arrive, then compared with the latest version, then written as the next
 * one, which one short transaction publishes. Throws `conflict` when the file contradicts verdicts.
 */
export async function importQuestions(
  draft: Draft,
  name: string,
  { entries, description, ...rule }: QuestionFile & ImportRule,
): Promise<SavedQuestionSet | ImportPreview> {
  return withDraft(draft, async () => {
    const staged = await stageQuestions(draft, entries);
    const { precondition } = rule;
    const next = await (rule.isPreview
      ? peekNextVersion(draft.db, { name, precondition })
      : claimNextVersion(draft, { name, precondition }));
    const by = { judge: authorOf(draft.db), judgedAt: draft.now() };
    const how = { staged, mode: rule.judgments, by };
    const { counts, conflicts, found, warnings, ...review } = await reviewQuestions(
      draft,
      next,
      how,
    );
    const { questions, judgments } = review;
    if (rule.isPreview) return { name, preview: true, questions, judgments, ...counts, conflicts };
    refuseConflicts(conflicts);
    if (next.latest && !review.isChanged) {
      const set = await describeAnew(draft, next.latest, description);
      return { ...set, ...counts, warnings, isNew: false, state: stateOfQuestionSet(set) };
    }
    await writeReviewed(draft, next, how);
    await endLacking(draft, next, found);
    const totals = { questions, judgments, description };
    return { ...(await publishNextVersion(draft, next, totals)), ...counts, warnings };
  });
}

/** Writes every question that is new, says something else, or stands elsewhere now. */
async function writeReviewed(
  draft: Draft,
  next: NextVersion,
  { staged, ...rule }: ReviewRule & { readonly staged: StagedQuestions },
): Promise<void> {
  const yieldToEventLoop = createYieldToEventLoop();
  for await (const batch of staged.read()) {
    await inBatches(batch, async (some) => {
      const stored = await findLatest(draft, next, some);
      const started: QuestionRecord[] = [];
      for (const entry of some) {
        const old = stored.get(entry.question.id);
        const { question } = mergeEntry(entry, old?.question, rule);
        const record = toQuestionRecord(question, entry.place);
        await yieldToEventLoop();
        const isSame = old?.contentHash === record.contentHash && old.position === entry.place;
        if (!isSame) started.push(record);
      }
      const ended = started.map(({ id }) => id).filter((id) => stored.has(id));
      if (started.length > 0) await writeNextVersion(draft, next, { ended, started });
    });
  }
}

/** Ends the questions that the file lacks. */
async function endLacking(
  draft: Draft,
  next: NextVersion,
  found: ReadonlySet<number>,
): Promise<void> {
  const { latest, selection } = next;
  if (!latest || found.size === latest.questions) return;
  const ended: string[] = [];
  for await (const label of streamLabels(draft.db, { ...selection, version: latest.version })) {
    if (!found.has(label.position)) ended.push(label.id);
  }
  await inBatches(ended, (some) => writeNextVersion(draft, next, { ended: some, started: [] }));
}

/** Gives a set whose questions stay another description. Returns the set as it is then. */
async function describeAnew(
  draft: Draft,
  latest: QuestionSet,
  description: string | undefined,
): Promise<QuestionSet> {
  if (description === undefined || description === latest.description) return latest;
  const { name, contentHash } = latest;
  await draft.db.transaction().execute(async (trx) => {
    await renewDraft(trx, draft);
    await updateDescription(trx, name, description);
    const hashes = { before: contentHash, after: contentHash };
    await recordChange(trx, { at: draft.now(), kind: 'question-set', name, ...hashes });
  });
  return { ...latest, description };
}
