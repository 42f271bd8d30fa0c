import { InvalidInputError, NotFoundError, type InputError } from '../../errors.ts';
import type { Judgment, Question } from '../../model/question.ts';
import type { Database } from '../../storage/database/database.ts';
import { findQuestionSet } from '../../storage/question-sets/question-sets.ts';
import type { QuestionRecord } from '../../storage/question-sets/question-writes.ts';
import { findStoredQuestions, type StoredQuestion } from '../../storage/question-sets/questions.ts';
import { changeQuestionSet } from './change-question-set.ts';
import { isVerdict } from './merge-judgments.ts';
import { saveChangedQuestions, toQuestionRecord } from './save-question-set.ts';

export interface NewJudgment {
  readonly questionId: string;
  readonly documentId: string;
  readonly grade: number;
  readonly documentVersion?: string | undefined;
  readonly note?: string | undefined;
}

export interface AddedJudgments {
  readonly name: string;
  readonly version: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
}

/**
 * Adds one judge's verdicts as the set's next version. A pair that has the grade already counts as
 * unchanged; when its judge, note or document version differ, the newer ones are kept. Nothing is stored
 * when one verdict is refused, and no version is made when nothing is new.
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
    const counts = { added: judged.added, changed: judged.changed, unchanged: judged.unchanged };
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
}

function judgeQuestions(
  questions: ReadonlyMap<string, StoredQuestion>,
  verdicts: {
    readonly judge: string;
    readonly judgments: readonly NewJudgment[];
    readonly now: string;
  },
): JudgedQuestions {
  const errors = findFaults(questions, verdicts.judgments);
  if (errors.length > 0) throw new InvalidInputError('Invalid judgments', errors);

  const counts = { added: 0, changed: 0, unchanged: 0 };
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
    if (!isChanged) return [];
    return [toQuestionRecord({ ...question, judgments: [...after.values()] }, position)];
  });
  return { questions: changed, ...counts };
}

function findFaults(
  questions: ReadonlyMap<string, StoredQuestion>,
  judgments: readonly NewJudgment[],
): readonly InputError[] {
  const seen = new Set<string>();
  const faults = judgments.flatMap((judgment, index) => {
    const pair = JSON.stringify([judgment.questionId, judgment.documentId]);
    const isRepeated = seen.has(pair);
    seen.add(pair);
    const fault = isRepeated
      ? {
          field: 'documentId',
          detail: 'duplicate judgment of the same question and document in one request',
        }
      : findFault(questions.get(judgment.questionId)?.question, judgment);
    if (!fault) return [];
    return [{ pointer: `/body/judgments/${index}/${fault.field}`, detail: fault.detail }];
  });
  return faults.length > 0 ? faults : findEmptied(questions, judgments);
}

function findFault(
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

/** Questions that would lose their last relevant document. */
function findEmptied(
  questions: ReadonlyMap<string, StoredQuestion>,
  judgments: readonly NewJudgment[],
): readonly InputError[] {
  const placed = judgments.map((judgment, index) => ({ ...judgment, index }));
  const byQuestion = Map.groupBy(placed, ({ questionId }) => questionId);
  return [...byQuestion].flatMap(([id, news]) => {
    const before = questions.get(id)?.question.judgments ?? [];
    const grades = new Map(before.map(({ documentId, grade }) => [documentId, grade]));
    const hadRelevant = [...grades.values()].some((grade) => grade > 0);
    for (const { documentId, grade } of news) grades.set(documentId, grade);
    if (!hadRelevant || [...grades.values()].some((grade) => grade > 0)) return [];
    const detail = `question '${id}' would have no relevant document left; PUT it with "answerable": false if no document answers it`;
    return [{ pointer: `/body/judgments/${news[0]?.index}/grade`, detail }];
  });
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
