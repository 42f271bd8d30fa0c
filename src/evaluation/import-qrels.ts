import { maxInputErrors, InvalidInputError, NotFoundError, type InputError } from '../errors.ts';
import type { Judgment, Question } from '../ir/question.ts';
import { lockCatalog } from '../storage/catalog-lock.ts';
import type { Database } from '../storage/database.ts';
import { findQuestionSet, lockQuestionSet, streamQuestions } from '../storage/question-sets.ts';
import { saveQuestionSet, toQuestionRecord, type SavedQuestionSet } from './save-question-set.ts';
import { nameSome, type Warning } from './warnings.ts';

type Place = Pick<InputError, 'pointer' | 'line'>;

export interface QrelsJudgment {
  readonly documentId: string;
  readonly grade: number;
  /** Where it stands in a text; absent in JSON. */
  readonly line?: number;
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
  refuseDoubles(qrels.judgments);
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

function refuseDoubles(judgments: ReadonlyMap<string, readonly QrelsJudgment[]>): void {
  const errors: InputError[] = [];
  for (const [id, judged] of judgments) {
    const seen = new Set<string>();
    for (const judgment of judged) {
      const detail = `document '${judgment.documentId}' stands twice in question '${id}'`;
      if (seen.has(judgment.documentId)) errors.push({ ...toPlace([id], judgment), detail });
      seen.add(judgment.documentId);
    }
  }
  if (errors.length === 0) return;
  const byLine = errors.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)).slice(0, maxInputErrors);
  const where = byLine[0]?.line === undefined ? '' : `line ${byLine[0].line}: `;
  throw new InvalidInputError(`The body was refused: ${where}${byLine[0]?.detail}`, byLine);
}

/** The place of a judgment: its line in a text, its path in JSON. */
function toPlace(path: readonly string[], judgment: QrelsJudgment | undefined): Place {
  if (judgment?.line !== undefined) return { pointer: '/body', line: judgment.line };
  const parts = path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  return { pointer: `/body${parts.join('')}` };
}

function refuseMissing(
  missing: readonly string[],
  judgments: ReadonlyMap<string, readonly QrelsJudgment[]>,
): void {
  if (missing.length === 0) return;
  const errors = missing.slice(0, maxInputErrors).map((id) => ({
    ...toPlace([id], judgments.get(id)?.[0]),
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
      .map((judgment) => ({
        ...toPlace([id, judgment.documentId], judgment),
        detail: answerable
          ? `document '${judgment.documentId}' is forbidden to this question's user`
          : `question '${id}' is marked as not answerable`,
      })),
  );
  if (errors.length === 0) return;
  throw new InvalidInputError(
    'The qrels contradict the question set',
    errors.slice(0, maxInputErrors),
  );
}

function warnOfNothingRelevant(questions: readonly Question[]): readonly Warning[] {
  const ids = questions
    .filter(({ answerable, judgments }) => answerable && !judgments.some(({ grade }) => grade > 0))
    .map(({ id }) => id);
  if (ids.length === 0) return [];
  const message = `No document is relevant to ${nameSome(ids)}: they score 0 and stay in the means`;
  return [{ code: 'no-relevant-document', message, questions: ids.length }];
}
