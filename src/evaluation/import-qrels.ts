import { InvalidInputError, NotFoundError } from '../errors.ts';
import type { Judgment, Question } from '../ir/question.ts';
import { lockCatalog } from '../storage/catalog-lock.ts';
import type { Database } from '../storage/database.ts';
import { findQuestionSet, lockQuestionSet, streamQuestions } from '../storage/question-sets.ts';
import { saveQuestionSet, toQuestionRecord, type SavedQuestionSet } from './save-question-set.ts';
import { nameSome, type Warning } from './warnings.ts';

export interface QrelsJudgment {
  readonly documentId: string;
  readonly grade: number;
  /** Where the text says so, for errors. */
  readonly line: number;
}

/**
 * Replaces the judgments of the questions that the text names; the others keep theirs. Questions that do
 * not exist are refused, or made with their id as text when `create` is set. Unlike labels written by
 * hand, imported qrels may name no relevant document: such a question scores 0 and stays in the means,
 * as in trec_eval, and a warning says so.
 */
export async function importQrels(
  db: Database,
  name: string,
  qrels: {
    readonly judgments: ReadonlyMap<string, readonly QrelsJudgment[]>;
    readonly create: boolean;
    readonly now: string;
  },
): Promise<SavedQuestionSet> {
  refuseRepeated(qrels.judgments);
  return db.transaction().execute(async (trx) => {
    await lockCatalog(trx, 'shared');
    await lockQuestionSet(trx, name);
    const set = await findQuestionSet(trx, name);
    if (!set && !qrels.create) throw new NotFoundError('Question set', name);

    const questions = set ? await readAll(trx, name, set.version) : [];
    const existing = new Set(questions.map(({ id }) => id));
    const missing = [...qrels.judgments.keys()].filter((id) => !existing.has(id));
    if (!qrels.create) refuseMissing(missing, qrels.judgments);
    const judged = [...questions, ...missing.map(createQuestion)].map((question) =>
      withJudgments(question, qrels.judgments.get(question.id), qrels.now),
    );
    refuseContradictions(judged, qrels.judgments);

    const records = judged.map((question, position) => toQuestionRecord(question, position));
    const saved = await saveQuestionSet(trx, name, { questions: records, now: qrels.now });
    return { ...saved, warnings: warnOfNothingRelevant(judged) };
  });
}

async function readAll(trx: Database, questionSet: string, version: number): Promise<Question[]> {
  const read = await Array.fromAsync(streamQuestions(trx, { questionSet, version }));
  return read.map(({ question }) => question);
}

function withJudgments(
  question: Question,
  judgments: readonly QrelsJudgment[] | undefined,
  now: string,
): Question {
  if (!judgments) return question;
  const toJudgment = ({ documentId, grade }: QrelsJudgment): Judgment => ({
    documentId,
    grade,
    judge: null,
    judgedAt: now,
    documentVersion: null,
    note: null,
  });
  return { ...question, judgments: judgments.map(toJudgment) };
}

function createQuestion(id: string): Question {
  return { id, text: id, tags: [], answerable: true, forbidden: [], judgments: [] };
}

/** A pair judged twice has no grade: which line counts would be an accident. */
function refuseRepeated(judgments: ReadonlyMap<string, readonly QrelsJudgment[]>): void {
  const errors = [...judgments].flatMap(([questionId, judged]) => {
    const lines = new Map<string, number>();
    return judged.flatMap(({ documentId, line }) => {
      const first = lines.get(documentId);
      lines.set(documentId, first ?? line);
      const detail = `document '${documentId}' is judged for question '${questionId}' in line ${first} already`;
      return first === undefined ? [] : [{ pointer: '/body', line, detail }];
    });
  });
  if (errors.length === 0) return;
  throw new InvalidInputError('The qrels judge a pair twice', errors.slice(0, 100));
}

function refuseMissing(
  missing: readonly string[],
  judgments: ReadonlyMap<string, readonly QrelsJudgment[]>,
): void {
  if (missing.length === 0) return;
  const errors = missing.slice(0, 100).map((id) => ({
    pointer: '/body',
    line: judgments.get(id)?.[0]?.line ?? 1,
    detail: `the question set has no question '${id}'`,
  }));
  const message = `${missing.length} questions do not exist; add ?create=true to make them`;
  throw new InvalidInputError(message, errors);
}

function refuseContradictions(
  questions: readonly Question[],
  judgments: ReadonlyMap<string, readonly QrelsJudgment[]>,
): void {
  const errors = questions.flatMap(({ id, answerable, forbidden }) =>
    (judgments.get(id) ?? [])
      .filter(
        ({ grade, documentId }) => grade > 0 && (!answerable || forbidden.includes(documentId)),
      )
      .map(({ line, documentId }) => ({
        pointer: '/body',
        line,
        detail: answerable
          ? `document '${documentId}' is forbidden to this question's user`
          : `question '${id}' is marked as not answerable`,
      })),
  );
  if (errors.length === 0) return;
  throw new InvalidInputError('The qrels contradict the question set', errors.slice(0, 100));
}

function warnOfNothingRelevant(questions: readonly Question[]): readonly Warning[] {
  const ids = questions
    .filter(({ answerable, judgments }) => answerable && !judgments.some(({ grade }) => grade > 0))
    .map(({ id }) => id);
  if (ids.length === 0) return [];
  const message = `No document is relevant to ${nameSome(ids)}: they score 0 and stay in the means`;
  return [{ code: 'no-relevant-document', message, questions: ids.length }];
}
