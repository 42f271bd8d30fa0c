import { InvalidInputError, NotFoundError, type InputError } from '../../errors.ts';
import type { AddedJudgments } from '../../model/added-judgments.ts';
import type { Judgment, Question } from '../../model/question.ts';
import type { Database } from '../../storage/database/database.ts';
import { findQuestionSet } from '../../storage/question-sets/question-sets.ts';
import type { QuestionRecord } from '../../storage/question-sets/question-writes.ts';
import { findStoredQuestions, type StoredQuestion } from '../../storage/question-sets/questions.ts';
import { changeQuestionSet } from './change-question-set.ts';
import type { Warning } from '../../model/warnings.ts';
import { createLabelWarnings } from './label-warnings.ts';
import { isVerdict } from './merge-judgments.ts';
import { saveChangedQuestions, toQuestionRecord } from './save-question-set.ts';

export interface NewJudgment {
  readonly questionId: string;
  readonly documentId: string;
  readonly grade: number;
  readonly documentVersion?: string | undefined;
  readonly note?: string | undefined;
  /** Where it stands in a file. */
  readonly line?: number | undefined;
}

/**
 * Adds one judge's verdicts as the set's next version. A pair that has the grade already counts as
 * unchanged; when its judge, note or document version differ, the newer ones are kept. Nothing is stored
 * when one verdict is refused, and no version is made when nothing is new. A verdict may take the last relevant
 * document of a question away: judges say what they see, and the question stays in the means with 0.
 */
export async function addJudgments(
  db: Database,
  name: string,
  verdicts: {
    readonly judge: string;
    readonly judgments: readonly NewJudgment[];
    readonly now: string;
  },
): Promise<AddedJudgments> {
  return changeQuestionSet(db, name, async (trx) => {
    const latest = await findQuestionSet(trx, name);
    if (!latest) throw new NotFoundError('Question set', name);

    const ids = [...new Set(verdicts.judgments.map(({ questionId }) => questionId))];
    const { version } = latest;
    const stored = await findStoredQuestions(trx, { questionSet: name, version }, ids);
    const judged = judgeQuestions(stored, verdicts);
    const { added, changed, unchanged, warnings } = judged;
    const counts = { added, changed, unchanged, warnings };
    if (judged.questions.length === 0) return { name, version, ...counts };

    const change = {
      questions: judged.questions,
      addedJudgments: judged.added,
      now: verdicts.now,
    };
    return { name, version: await saveChangedQuestions(trx, latest, change), ...counts };
  });
}

interface JudgedQuestions {
  /** Those that are no longer what they were. */
  readonly questions: readonly QuestionRecord[];
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly warnings: readonly Warning[];
}

function judgeQuestions(
  questions: ReadonlyMap<string, StoredQuestion>,
  verdicts: {
    readonly judge: string;
    readonly judgments: readonly NewJudgment[];
    readonly now: string;
  },
): JudgedQuestions {
  const errors = findJudgmentIssues(questions, verdicts.judgments);
  if (errors.length > 0) throw new InvalidInputError('Invalid judgments', errors);

  const counts = { added: 0, changed: 0, unchanged: 0 };
  const labels = createLabelWarnings();
  const byQuestion = Map.groupBy(verdicts.judgments, ({ questionId }) => questionId);
  const changed = [...byQuestion].flatMap(([id, news]) => {
    const asked = questions.get(id);
    if (!asked) return [];
    const { question, position } = asked;
    const before = new Map(question.judgments.map((old) => [old.documentId, old]));
    const after = new Map(before);
    for (const verdict of news) {
      const old = before.get(verdict.documentId);
      counts[old ? (old.grade === verdict.grade ? 'unchanged' : 'changed') : 'added'] += 1;
      const judgment = toJudgment(verdict, verdicts);
      if (!old || !isSameVerdict(old, judgment)) after.set(verdict.documentId, judgment);
    }
    const isChanged = [...after].some(
      ([documentId, judgment]) => before.get(documentId) !== judgment,
    );
    const judged = { ...question, judgments: [...after.values()] };
    labels.add(judged);
    return isChanged ? [toQuestionRecord(judged, position)] : [];
  });
  return { questions: changed, ...counts, warnings: labels.toList() };
}

/** Why verdicts cannot be added to these questions, each with its place in the list. */
export function findJudgmentIssues(
  questions: ReadonlyMap<string, StoredQuestion>,
  judgments: readonly NewJudgment[],
): readonly InputError[] {
  const seen = new Set<string>();
  return judgments.flatMap((judgment, index) => {
    const pair = JSON.stringify([judgment.questionId, judgment.documentId]);
    const isRepeated = seen.has(pair);
    seen.add(pair);
    const issue = isRepeated
      ? {
          field: 'documentId',
          detail: 'duplicate judgment of the same question and document in one request',
        }
      : findIssue(questions.get(judgment.questionId)?.question, judgment);
    if (!issue) return [];
    const { line } = judgment;
    const pointer = `/body/judgments/${index}/${issue.field}`;
    return [{ pointer, ...(line !== undefined && { line }), detail: issue.detail }];
  });
}

function findIssue(
  question: Question | undefined,
  { questionId, documentId, grade }: NewJudgment,
): { readonly field: string; readonly detail: string } | undefined {
  if (!question) {
    return { field: 'questionId', detail: `the question set has no question '${questionId}'` };
  }
  if (grade > 0 && !question.answerable) {
    const detail =
      'the question is marked as not answerable; change this in the question set first';
    return { field: 'grade', detail };
  }
  if (grade > 0 && question.forbidden.includes(documentId)) {
    return { field: 'grade', detail: 'the document is forbidden for the user of this question' };
  }
  return undefined;
}

function toJudgment(
  { documentId, grade, documentVersion, note }: NewJudgment,
  { judge, now }: { readonly judge: string; readonly now: string },
): Judgment {
  return {
    documentId,
    grade,
    judge,
    judgedAt: now,
    documentVersion: documentVersion ?? null,
    note: note ?? null,
  };
}

function isSameVerdict(a: Judgment, b: Judgment): boolean {
  return (
    a.grade === b.grade &&
    a.judge === b.judge &&
    isVerdict(a) === isVerdict(b) &&
    a.documentVersion === b.documentVersion &&
    a.note === b.note
  );
}
