import { toComparableRanking } from '../../ir/comparable-ids.ts';
import { judgeRanking } from '../../ir/measures/judged-ranking.ts';
import type { Measure } from '../../ir/measures/measure.ts';
import { toJudgments } from '../../ir/qrels.ts';
import { isInMean, type AverageRule, type Question } from '../../model/question.ts';
import type { Outcome } from '../../model/outcome.ts';

export interface ScoreScale {
  readonly measures: readonly Measure[];
  readonly maxGrade: number;
  readonly average: AverageRule;
}

/** The value of each measure, in their order; undefined when the question is outside the means. */
export function scoreQuestion(
  question: Question,
  outcome: Outcome,
  { measures, maxGrade, average }: ScoreScale,
): readonly number[] | undefined {
  if (!outcome.hits || !isInMean(question, average)) return undefined;
  const ranking = toComparableRanking(outcome.hits.map(({ documentId }) => documentId));
  const judged = judgeRanking(ranking, toJudgments(question.judgments));
  return measures.map((measure) => measure.compute(judged, { maxGrade }));
}
