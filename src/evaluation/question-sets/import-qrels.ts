import { renewDraft, type Draft } from '../../storage/catalog/drafts.ts';
import { inBatches } from '../../storage/database/in-batches.ts';
import type { QuestionRecord } from '../../storage/question-sets/question-writes.ts';
import {
  findStoredQuestions,
  streamQuestions,
  type QuestionSelection,
  type StoredQuestion,
} from '../../storage/question-sets/questions.ts';
import { authorOf } from '../../storage/database/tenant-scope.ts';
import { createYieldToEventLoop } from '../../yield-to-event-loop.ts';
import { checkQrels, maxJudgmentsPerQuestion, mergePairs } from './check-qrels.ts';
import { createLabelWarnings } from './label-warnings.ts';
import type { ImportRule } from './import-rule.ts';
import type { VerdictMode } from './merge-judgments.ts';
import {
  claimNextVersion,
  peekNextVersion,
  publishNextVersion,
  writeNextVersion,
  type NextVersion,
} from './next-version.ts';
import { toQuestionRecord, type SavedQuestionSet } from './save-question-set.ts';
import { stateOfQuestionSet } from '../catalog/entity-states.ts';
import { stagePairs, type PairEntry, type StagedPairs } from '../catalog/stage-pairs.ts';
import { refuseConflicts, type ImportPreview } from './verdict-conflicts.ts';
import { nameSome, warnIf, type Warning } from '../../model/warnings.ts';
import { withDraft } from '../drafts/write-draft.ts';

export interface QrelsFile {
  readonly entries: AsyncIterable<readonly PairEntry[]>;
  /** Whether questions that do not exist are made, with their ids as texts. */
  readonly create: boolean;
}

/**
 * Adds judgments to the questions that qrels name; with `judgments: 'replace'` these have no others
 * afterwards. Questions that qrels do not name keep theirs. A question whose grades are all 0 or less scores
 * 0 and stays in the means, as in trec_eval, and a warning says so.
 *
 * What comes is written aside as it comes, then checked, then written as the set's next version, which one
 * short transaction publishes. Meanwhile the set can be read but not changed. Throws `conflict`
 * when the qrels contradict verdicts.
 */
export async function importQrels(
  draft: Draft,
  name: string,
  { entries, create, ...rule }: QrelsFile & ImportRule,
): Promise<SavedQuestionSet | ImportPreview> {
  return withDraft(draft, async () => {
    const staged = await stagePairs(draft, entries, { maxPairs: maxJudgmentsPerQuestion });
    const { precondition, judgments: mode } = rule;
    const next = await (rule.isPreview
      ? peekNextVersion(draft.db, { name, precondition })
      : claimNextVersion(draft, { name, precondition }));
    const { places, repeated, counts, conflicts, ...totals } = await checkQrels(draft.db, next, {
      staged,
      create,
      mode,
    });
    if (rule.isPreview) return { name, preview: true, ...totals, ...counts, conflicts };
    refuseConflicts(conflicts);
    const findPosition = rankPlaces(places, next);
    const isChanged = await writeJudged(draft, next, { staged, mode, findPosition });
    await renewDraft(draft.db, draft);
    const warnings = [
      ...warnIf(repeated.length, {
        code: 'repeated-judgments',
        message: `The file has these judgments more than once, and each counts once: ${nameSome(repeated)}`,
      }),
      ...(await warnOfLabels(draft, next.selection)),
    ];
    await renewDraft(draft.db, draft);
    const { latest } = next;
    if (latest && !isChanged) {
      return { ...latest, ...counts, warnings, isNew: false, state: stateOfQuestionSet(latest) };
    }
    return { ...(await publishNextVersion(draft, next, totals)), ...counts, warnings };
  });
}

/** New questions stand behind the others, in the order in which they were named. */
function rankPlaces(places: readonly number[], { latest }: NextVersion): (place: number) => number {
  const sorted = Uint32Array.from(places).toSorted();
  return (place) => {
    let low = 0;
    for (let high = sorted.length; low < high;) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return (latest?.questions ?? 0) + low;
  };
}

interface Judging {
  readonly staged: StagedPairs;
  readonly mode: VerdictMode;
  readonly findPosition: (place: number) => number;
}

/** Writes every question that is judged otherwise now; false: there is none. */
async function writeJudged(
  draft: Draft,
  next: NextVersion,
  { staged, mode, findPosition }: Judging,
): Promise<boolean> {
  const { latest, selection } = next;
  const by = { judge: authorOf(draft.db), judgedAt: draft.now() };
  let isChanged = false;
  for await (const batch of staged.read()) {
    await inBatches([...batch], async (some) => {
      const stored = latest
        ? await findStoredQuestions(
            draft.db,
            { ...selection, version: latest.version },
            some.map(([id]) => id),
          )
        : new Map<string, StoredQuestion>();
      const started: QuestionRecord[] = [];
      const yieldToEventLoop = createYieldToEventLoop();
      for (const [id, judged] of some) {
        const old = stored.get(id);
        const { question } = mergePairs(old?.question, judged, { id, mode, by });
        const record = toQuestionRecord(question, old?.position ?? findPosition(judged.place));
        await yieldToEventLoop();
        if (old?.contentHash !== record.contentHash) started.push(record);
      }
      isChanged ||= started.length > 0;
      const ended = started.map(({ id }) => id).filter((id) => stored.has(id));
      if (started.length > 0) await writeNextVersion(draft, next, { ended, started });
    });
  }
  return isChanged;
}

async function warnOfLabels(
  { db }: Draft,
  selection: QuestionSelection,
): Promise<readonly Warning[]> {
  const labels = createLabelWarnings();
  for await (const { question } of streamQuestions(db, selection)) labels.add(question);
  return labels.toList();
}
