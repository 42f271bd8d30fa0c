import { averageRules, type AverageRule } from './question.ts';
import type { EvaluationPlan } from './evaluation-plan.ts';
import type { ScorecardRow } from './scorecard.ts';

export const usualAverage: AverageRule = averageRules[0];

/** Evaluations that are older than the choice scored every unlabelled question 0. */
const ruleBefore: AverageRule = 'set';

/** Over which questions the means of an evaluation go. */
export function averageOf({ average }: Pick<EvaluationPlan, 'average'>): AverageRule {
  return average ?? ruleBefore;
}

/** The row with its rule and count; both are absent in scorecards that are older than the choice. */
export function tellAverage<Row extends ScorecardRow>(
  row: Row,
): Row & { readonly average: AverageRule; readonly averagedQuestions: number } {
  const { average = ruleBefore, averagedQuestions = row.questions.scored } = row;
  return { ...row, average, averagedQuestions };
}

/** What the means of an evaluation are over, for a sentence. */
export const ruleInWords = {
  labelled: 'questions with a judgment',
  answerable: 'questions with a relevant document',
  set: 'all questions except unanswerable ones, with 0 for unlabelled ones',
} as const satisfies Record<AverageRule, string>;
