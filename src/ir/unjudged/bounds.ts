import type { Measure } from '../measures/measure.ts';
import type { Judgments } from '../qrels.ts';
import type { Ranking } from '../run.ts';
import type { FindHighest } from './find-highest.ts';
import { findHighestHit, findHighestReciprocalRank } from './highest-first-rank.ts';
import { findHighestNdcg, findHighestNdcgExp } from './highest-ndcg.ts';
import { findHighestRecall } from './highest-recall.ts';
import { findHighestDcg, findHighestPrecision } from './highest-sum.ts';
import {
  collectUnjudged,
  notRetrieved,
  swapRoles,
  type RankedPair,
  type UnjudgedPair,
  type UnjudgedRanking,
} from './unjudged-pair.ts';

/** The least and the greatest value that labels still missing allow. Each is reached by some labels. */
export interface Bounds {
  readonly low: number;
  readonly high: number;
}

const findersByFamily: ReadonlyMap<string, FindHighest> = new Map([
  ['hit', findHighestHit],
  ['P', findHighestPrecision],
  ['R', findHighestRecall],
  ['RR', findHighestReciprocalRank],
  ['nDCG', findHighestNdcg],
  ['nDCG-exp', findHighestNdcgExp],
  ['DCG', findHighestDcg],
]);

/** Whether a measure has exact bounds: those of hit, P, R, RR, nDCG, nDCG-exp and DCG do, with any cut-off and `(rel=n)`, but not `(judged)`. */
export function isBoundable({
  family,
  judgedOnly,
}: Pick<Measure, 'family' | 'judgedOnly'>): boolean {
  return findersByFamily.has(family) && !judgedOnly;
}

/**
 * The exact range of a measure when every unjudged document in the ranking, at any depth, gets any whole
 * grade from 0 to `maxGrade`; these documents also count in R and in the ideal list then, so "unjudged =
 * 0" is not nDCG's least value. Documents that the ranking lacks stay as they are judged. Throws
 * RangeError for a measure that is not boundable and for a `maxGrade` that is not a whole number from 0.
 */
export function boundMeasure(
  measure: Measure,
  { ranking, judgments }: { readonly ranking: Ranking; readonly judgments: Judgments },
  maxGrade: number,
): Bounds {
  return boundDifference(measure, { baseline: [], candidate: ranking, judgments }, maxGrade);
}

/**
 * The exact range of candidate − baseline on one question when every unjudged document of either
 * ranking, at any depth, gets one whole grade from 0 to `maxGrade`, the same in both rankings, and both are
 * scored with the same R and ideal list, to which all these documents belong. Throws as `boundMeasure`.
 */
export function boundDifference(measure: Measure, pair: RankedPair, maxGrade: number): Bounds {
  const { low, high } = findExtremes(measure, pair, maxGrade);
  return { low: low.difference, high: high.difference };
}

/** An assignment of grades to a pool, in its order, and the difference under it. */
export interface Extreme {
  readonly grades: readonly number[];
  readonly difference: number;
}

/** The pool of a question with labels that make candidate − baseline least and greatest. */
export function findExtremes(
  measure: Measure,
  rankedPair: RankedPair,
  maxGrade: number,
): { readonly pair: UnjudgedPair; readonly low: Extreme; readonly high: Extreme } {
  const findHighest = isBoundable(measure) ? findersByFamily.get(measure.family) : undefined;
  if (findHighest === undefined) throw new RangeError(`${measure.name} has no exact bounds`);
  if (!Number.isSafeInteger(maxGrade) || maxGrade < 0) {
    throw new RangeError(`the highest grade must be a whole number of 0 or more, not ${maxGrade}`);
  }
  const scale = {
    depth: measure.cutoff ?? Infinity,
    relevantFrom: measure.relevantFrom,
    maxGrade,
  };
  const pair = collectUnjudged(rankedPair);
  const toExtreme = (grades: readonly number[]) => ({
    grades,
    difference: differenceUnder(measure, pair, grades),
  });
  return {
    pair,
    low: toExtreme(findHighest(swapRoles(pair), scale)),
    high: toExtreme(findHighest(pair, scale)),
  };
}

/** Candidate − baseline, as the measure itself has it, when the pool is graded so. */
export function differenceUnder(
  measure: Measure,
  { baseline, candidate, judged }: UnjudgedPair,
  grades: readonly number[],
): number {
  const all = mergeFalling(judged, grades);
  const score = (ranking: UnjudgedRanking) =>
    measure.compute({ grades: fillPool(ranking, grades), judged: all }, { maxGrade: all[0] ?? 0 });
  return score(candidate) - score(baseline);
}

function fillPool(
  { grades, indexes }: UnjudgedRanking,
  labels: readonly number[],
): readonly (number | null)[] {
  const filled = [...grades];
  for (let position = 0; position < labels.length; position += 1) {
    const index = indexes[position] as number;
    if (index !== notRetrieved) filled[index] = labels[position] as number;
  }
  return filled;
}

/** Labels of 0 are left out: they add to no R and no ideal list, and no boundable measure reads more. */
function mergeFalling(judged: readonly number[], grades: readonly number[]): readonly number[] {
  return judged.concat(grades.filter((grade) => grade > 0)).toSorted((a, b) => b - a);
}
