import type { Judgments, Qrels } from '../qrels.ts';
import type { Hit } from '../run.ts';
import { quote } from '../trec/trec-line-error.ts';
import { checkId } from './check-id.ts';
import { InterchangeError } from './interchange-error.ts';
import { checkGrade, checkScore } from './read-number.ts';
import type { QuestionId, DocumentId } from '../ids.ts';

/**
 * Reads what JSON.parse made of a ranx qrels file: grades by document by question. A document that the
 * text had twice for one question is there once, with its last grade, as for ranx.
 */
export function parseRanxQrels(value: unknown): Qrels {
  return new Map(
    readQuestions(value).map(([questionId, numbers]) => [
      questionId,
      new Map(readNumbers(numbers, checkGrade)),
    ]),
  );
}

/** Reads what JSON.parse made of a ranx run: scores by document by question. The hits are in no order. */
export function parseRanxRun(value: unknown): ReadonlyMap<QuestionId, readonly Hit[]> {
  return new Map(
    readQuestions(value).map(([questionId, numbers]) => [
      questionId,
      readNumbers(numbers, checkScore).map(([documentId, score]) => ({ documentId, score })),
    ]),
  );
}

/** One question's member of a ranx qrels file; the file is `{`, the members joined by commas, and `}`. */
export function formatRanxJudgments(questionId: QuestionId, judgments: Judgments): string {
  return formatQuestion(
    questionId,
    [...judgments].map(([documentId, grade]) => [documentId, checkGrade(grade)]),
  );
}

/** One question's member of a ranx run, put together as a qrels file is. Throws where a document stands twice. */
export function formatRanxHits(questionId: QuestionId, hits: readonly Hit[]): string {
  const scores = new Map(hits.map(({ documentId, score }) => [documentId, checkScore(score)]));
  if (scores.size < hits.length) {
    throw new InterchangeError(`duplicate document in question ${quote(questionId)}`);
  }
  return formatQuestion(questionId, [...scores]);
}

function readQuestions(value: unknown): readonly (readonly [QuestionId, object])[] {
  return Object.entries(readObject(value, 'the file')).map(([questionId, numbers]) => [
    checkId(questionId, 'question id'),
    readObject(numbers, `question ${quote(questionId)}`),
  ]);
}

function readNumbers(
  numbers: object,
  check: (value: unknown) => number,
): readonly (readonly [DocumentId, number])[] {
  return Object.entries(numbers).map(([documentId, value]) => [
    checkId(documentId, 'document id'),
    check(value),
  ]);
}

function readObject(value: unknown, what: string): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InterchangeError(`${what} is not a JSON object`);
  }
  return value;
}

function formatQuestion(
  questionId: QuestionId,
  numbers: readonly (readonly [DocumentId, number])[],
): string {
  const members = numbers.map(
    ([documentId, value]) => `${JSON.stringify(checkId(documentId, 'document id'))}:${value}`,
  );
  return `${JSON.stringify(checkId(questionId, 'question id'))}:{${members.join(',')}}`;
}
