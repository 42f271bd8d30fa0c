import type { Measure } from '../ir/measures/measure.ts';
import type { Database } from '../storage/database.ts';
import type { StoredEvaluation } from '../storage/evaluations.ts';
import { streamQuestions } from '../storage/question-sets.ts';

/** The highest grade of the question set. Only ERR asks for it, so it is only then looked for; else 1. */
export async function findMaxGrade(
  db: Database,
  { questionSet, version }: Pick<StoredEvaluation, 'questionSet' | 'version'>,
  measures: readonly Measure[],
): Promise<number> {
  let highest = 1;
  if (!measures.some(({ family }) => family === 'ERR')) return highest;
  for await (const { question } of streamQuestions(db, { questionSet, version })) {
    for (const { grade } of question.judgments) highest = Math.max(highest, grade);
  }
  return highest;
}
