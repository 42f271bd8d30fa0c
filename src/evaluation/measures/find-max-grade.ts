import type { Measure } from '../../ir/measures/measure.ts';
import type { Database } from '../../storage/database/database.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { streamQuestions } from '../../storage/question-sets/questions.ts';

type QuestionSetVersion = Pick<StoredEvaluation, 'questionSet' | 'version'>;

/** The highest grade of the question set. Only ERR asks for it, so it is only then looked for; else 1. */
export async function findMaxGrade(
  db: Database,
  set: QuestionSetVersion,
  measures: readonly Measure[],
): Promise<number> {
  return measures.some(({ family }) => family === 'ERR') ? findHighestGrade(db, set) : 1;
}

/** The highest grade that anybody gave in this version, at least 1: the end of the scale that a missing label can be on. */
export async function findHighestGrade(
  db: Database,
  { questionSet, version }: QuestionSetVersion,
): Promise<number> {
  let highest = 1;
  for await (const { question } of streamQuestions(db, { questionSet, version })) {
    for (const { grade } of question.judgments) highest = Math.max(highest, grade);
  }
  return highest;
}
