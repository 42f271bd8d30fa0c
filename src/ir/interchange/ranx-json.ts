import type { Judgments } from '../qrels.ts';
import type { Hit } from '../run.ts';
import { quote } from '../trec/trec-line-error.ts';
import { checkId } from './check-id.ts';
import { InterchangeError } from './interchange-error.ts';
import { checkGrade, checkScore } from './read-number.ts';
import type { QuestionId, DocumentId } from '../ids.ts';

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

function formatQuestion(
  questionId: QuestionId,
  numbers: readonly (readonly [DocumentId, number])[],
): string {
  const members = numbers.map(
    ([documentId, value]) => `${JSON.stringify(checkId(documentId, 'document id'))}:${value}`,
  );
  return `${JSON.stringify(checkId(questionId, 'question id'))}:{${members.join(',')}}`;
}
