import { isRelevant } from '../measures/relevance.ts';
import type { AssignmentScale, FindHighest } from './find-highest.ts';
import { notRetrieved, type UnjudgedPair } from './unjudged-pair.ts';
import { weighTop, type WeighRank } from './weigh-pool.ts';

/**
 * RR and hit are the greatest weight of any relevant document. Of the documents made relevant only the
 * one that gives the candidate its value is needed: dropping another never lowers the candidate and
 * never raises the baseline. So one document is made relevant, or none, and all of them are tried.
 */
export const findHighestReciprocalRank: FindHighest = (pair, scale) =>
  gradeOne(pair, scale, (index) => (index < scale.depth ? 1 / (index + 1) : 0));

export const findHighestHit: FindHighest = (pair, scale) =>
  gradeOne(pair, scale, weighTop(scale.depth));

function gradeOne(
  { pool, baseline, candidate }: UnjudgedPair,
  { relevantFrom, maxGrade }: AssignmentScale,
  weigh: WeighRank,
): readonly number[] {
  const weighRetrieved = (index: number) => (index === notRetrieved ? 0 : weigh(index));
  const baselineWeight = weighRetrieved(firstRelevant(baseline.grades, relevantFrom));
  const candidateWeight = weighRetrieved(firstRelevant(candidate.grades, relevantFrom));
  let highest = candidateWeight - baselineWeight;
  let chosen = -1;
  for (let position = 0; position < pool.length; position += 1) {
    const inCandidate = weighRetrieved(candidate.indexes[position] as number);
    const inBaseline = weighRetrieved(baseline.indexes[position] as number);
    const difference =
      Math.max(candidateWeight, inCandidate) - Math.max(baselineWeight, inBaseline);
    if (difference > highest) [highest, chosen] = [difference, position];
  }
  return pool.map((_, position) => (position === chosen ? maxGrade : 0));
}

/** `notRetrieved` when no rank holds a relevant document. */
function firstRelevant(grades: readonly (number | null)[], relevantFrom: number): number {
  return grades.findIndex((grade) => isRelevant(grade, relevantFrom));
}
