import type { Measure } from '../measures/measure.ts';
import { numberAt } from '../statistics/number-at.ts';
import { differenceUnder, findExtremes, type Bounds } from './bounds.ts';
import { decide, meanBounds, type Decision } from './decision.ts';
import { countLabelsLeft, type LabelsLeft } from './labels-left.ts';
import type { ComparedQuestion, MissingLabel, OpenQuestion, PlacedLabel } from './missing-label.ts';
import type { UnjudgedPair } from './unjudged-pair.ts';

/** Which labels to ask for next, and what can be known before they come. */
export interface LabelPlan {
  /** All missing labels of documents that either ranking holds, greatest impact first; equal ones in the order given. */
  readonly labels: readonly MissingLabel[];
  /** The exact range of the mean difference. */
  readonly bounds: Bounds;
  readonly decision: Decision;
  readonly labelsLeft: LabelsLeft;
}

/**
 * Sorts the missing labels by how much each can move the mean of candidate − baseline. A label's impact
 * is exact while the other missing ones count as 0, as they do in the scores; together, labels can move the mean by
 * more or less than their sum, and one without impact now can have some once others are given. Throws
 * RangeError without questions, and as `boundDifference`.
 */
export function planLabels(
  measure: Measure,
  questions: readonly ComparedQuestion[],
  maxGrade: number,
): LabelPlan {
  const open = questions.map((question) => ({
    question,
    ...findExtremes(measure, question, maxGrade),
  }));
  const bounds = meanBounds(
    open.map(({ low, high }) => ({ low: low.difference, high: high.difference })),
  );
  if (bounds === null) throw new RangeError('there are no questions to label');
  const placed = open
    .flatMap((each, place) => weighLabels(measure, each, { place, maxGrade }))
    .map((label) => ({ ...label, impact: label.impact / questions.length }))
    .toSorted((a, b) => b.impact - a.impact);
  return {
    labels: placed.map(({ questionId, documentId, impact }) => ({
      questionId,
      documentId,
      impact,
    })),
    bounds,
    decision: decide(bounds),
    labelsLeft: countLabelsLeft(measure, { open, labels: placed }, maxGrade),
  };
}

function weighLabels(
  measure: Measure,
  { question: { questionId }, pair }: OpenQuestion,
  { place, maxGrade }: { readonly place: number; readonly maxGrade: number },
): readonly PlacedLabel[] {
  const depth = measure.cutoff ?? Infinity;
  const grades = turningGrades(pair, maxGrade);
  const weighed = new Map<string, number>();
  return pair.pool.map((documentId, position) => {
    const ranks = [pair.baseline, pair.candidate].map(({ indexes }) =>
      toCutIndex(numberAt(indexes, position), depth),
    );
    const key = ranks.join(' ');
    const impact = weighed.get(key) ?? weighLabel(measure, pair, { position, grades });
    weighed.set(key, impact);
    return { questionId, documentId, impact, place, position };
  });
}

/** Below the cut-off one rank is as good as another, and as none. */
function toCutIndex(index: number, depth: number): number {
  return index < depth ? index : -1;
}

/**
 * Between two grades that were judged, the difference rises, falls or stays as one label grows (it is a
 * fraction of linear functions there, or does not look at the grade), so its extremes lie at these grades and at
 * the ends of the scale. A binary measure turns at the relevant grade only, which is an end or between them.
 */
function turningGrades({ judged }: UnjudgedPair, maxGrade: number): readonly number[] {
  const between = judged.filter((grade) => grade > 0 && grade < maxGrade);
  return [...new Set([0, ...between, maxGrade])];
}

function weighLabel(
  measure: Measure,
  pair: UnjudgedPair,
  { position, grades }: { readonly position: number; readonly grades: readonly number[] },
): number {
  const differences = grades.map((grade) =>
    differenceUnder(
      measure,
      pair,
      pair.pool.map((_, each) => (each === position ? grade : 0)),
    ),
  );
  return Math.max(...differences) - Math.min(...differences);
}
