import type { Judgment, Question } from '../ir/question.ts';
import { touchDraft, type Draft } from '../storage/drafts.ts';
import { inBatches } from '../storage/in-batches.ts';
import type { QuestionRecord } from '../storage/question-writes.ts';
import {
  findStoredQuestions,
  streamQuestions,
  type QuestionSelection,
  type StoredQuestion,
} from '../storage/questions.ts';
import { authorOf } from '../storage/tenant-scope.ts';
import { createBreather } from './breather.ts';
import { checkQrels, maxJudgmentsPerQuestion } from './check-qrels.ts';
import { createLabelWarnings } from './label-warnings.ts';
import {
  claimNextVersion,
  publishNextVersion,
  writeNextVersion,
  type NextVersion,
} from './next-version.ts';
import { keepVerdictsOf, toQuestionRecord, type SavedQuestionSet } from './save-question-set.ts';
import {
  stagePairs,
  type PairEntry,
  type StagedPairs,
  type StagedQuestion,
} from './stage-pairs.ts';
import type { Warning } from './warnings.ts';
import { withDraft } from './write-draft.ts';

/**
 * Replaces the judgments of the questions that the qrels name; the others keep theirs. Questions that do
 * not exist are refused, or made with their id as text when `create` is set. A question whose grades are all
 * 0 or less scores 0 and stays in the means, as in trec_eval, and a warning says so.
 *
 * What comes is written aside as it comes, then checked, then written as the set's next version, which one
 * short transaction publishes. Meanwhile the set can be read, but changed by nobody else.
 */
export async function importQrels(
  draft: Draft,
  name: string,
  qrels: { readonly entries: AsyncIterable<PairEntry>; readonly create: boolean },
): Promise<SavedQuestionSet> {
  return withDraft(draft, async () => {
    const staged = await stagePairs(draft, qrels.entries, { maxPairs: maxJudgmentsPerQuestion });
    const next = await claimNextVersion(draft, name);
    const places = await checkQrels(draft.db, next, { staged, create: qrels.create });
    const written = await writeJudged(draft, next, {
      staged,
      findPosition: rankPlaces(places, next),
    });
    await touchDraft(draft.db, draft);
    const warnings = await warnOfLabels(draft, next.selection);
    await touchDraft(draft.db, draft);
    const { latest } = next;
    if (latest && !written.isChanged) return { ...latest, warnings, isNew: false };
    const saved = await publishNextVersion(draft, next, {
      questions: (latest?.questions ?? 0) + places.length,
      judgments: (latest?.judgments ?? 0) + written.addedJudgments,
    });
    return { ...saved, warnings };
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

interface Written {
  readonly isChanged: boolean;
  readonly addedJudgments: number;
}

/** Writes every question that is judged otherwise now. */
async function writeJudged(
  draft: Draft,
  next: NextVersion,
  {
    staged,
    findPosition,
  }: { readonly staged: StagedPairs; readonly findPosition: (place: number) => number },
): Promise<Written> {
  const { latest, selection } = next;
  const by = { judge: authorOf(draft.db), judgedAt: draft.now() };
  const written = { isChanged: false, addedJudgments: 0 };
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
      const breathe = createBreather();
      for (const [id, judged] of some) {
        const old = stored.get(id);
        const question = judge(old?.question ?? createQuestion(id), judged, by);
        const record = toQuestionRecord(question, old?.position ?? findPosition(judged.place));
        await breathe();
        if (old?.contentHash === record.contentHash) continue;
        started.push(old ? keepVerdictsOf(old.question, record) : record);
        written.addedJudgments += record.judgments - (old?.question.judgments.length ?? 0);
      }
      written.isChanged ||= started.length > 0;
      const ended = started.map(({ id }) => id).filter((id) => stored.has(id));
      if (started.length > 0) await writeNextVersion(draft, next, { ended, started });
    });
  }
  return written;
}

function judge(
  question: Question,
  { pairs }: StagedQuestion,
  by: Pick<Judgment, 'judge' | 'judgedAt'>,
): Question {
  const judgments = pairs.map(({ documentId, value }) => ({
    documentId,
    grade: value ?? 0,
    ...by,
    documentVersion: null,
    note: null,
  }));
  return { ...question, judgments };
}

function createQuestion(id: string): Question {
  return { id, text: id, tags: [], answerable: true, forbidden: [], judgments: [] };
}

async function warnOfLabels(
  { db }: Draft,
  selection: QuestionSelection,
): Promise<readonly Warning[]> {
  const labels = createLabelWarnings();
  for await (const { question } of streamQuestions(db, selection)) labels.add(question);
  return labels.toList();
}
