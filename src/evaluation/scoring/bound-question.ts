import { toComparableRanking } from '../../ir/comparable-ids.ts';
import type { Measure } from '../../ir/measures/measure.ts';
import { toJudgments } from '../../ir/qrels.ts';
import { isInMean, type AverageRule, type Question } from '../../model/question.ts';
import { createMean } from '../../ir/stable-sum.ts';
import { boundMeasure, isBoundable, type Bounds } from '../../ir/unjudged/bounds.ts';
import type { BoundsByMeasure } from '../../model/scorecard.ts';
import type { Outcome } from '../../model/outcome.ts';

export interface BoundScale {
  readonly measures: readonly Measure[];
  /** The highest grade that a label can be: that of the question set. */
  readonly highestGrade: number;
  readonly average: AverageRule;
}

/** What each measure could be, whatever the unjudged documents are; undefined when the question is outside the means. */
export function boundQuestion(
  question: Question,
  outcome: Outcome,
  { measures, highestGrade, average }: BoundScale,
): BoundsByMeasure | undefined {
  if (!outcome.hits || !isInMean(question, average)) return undefined;
  const ranking = toComparableRanking(outcome.hits.map(({ documentId }) => documentId));
  const judged = { ranking, judgments: toJudgments(question.judgments) };
  const boundable = measures.filter(isBoundable);
  return Object.fromEntries(
    boundable.map((measure) => [measure.name, boundMeasure(measure, judged, highestGrade)]),
  );
}

interface BoundsCollector {
  readonly add: (bounds: BoundsByMeasure) => void;
  /** The bounds of each mean; empty without questions. */
  readonly toBounds: () => BoundsByMeasure;
}

/** Averages the ends over questions: a label belongs to one question, so each is at its end independently. */
export function createMeanBounds(): BoundsCollector {
  const ends = new Map<string, Readonly<Record<keyof Bounds, ReturnType<typeof createMean>>>>();
  return {
    add(bounds) {
      for (const [name, { low, high }] of Object.entries(bounds)) {
        const means = ends.get(name) ?? { low: createMean(), high: createMean() };
        means.low.add(low);
        means.high.add(high);
        ends.set(name, means);
      }
    },
    toBounds: () =>
      Object.fromEntries(
        [...ends].map(([name, { low, high }]) => [
          name,
          { low: low.mean ?? 0, high: high.mean ?? 0 },
        ]),
      ),
  };
}
