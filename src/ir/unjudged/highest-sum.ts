import type { AssignmentScale, FindHighest } from './find-highest.ts';
import type { UnjudgedPair } from './unjudged-pair.ts';
import { weighDiscount, weighPool, weighTop, type WeighRank } from './weigh-pool.ts';

/**
 * P and DCG are sums over documents, so each document is decided alone: the highest grade where the
 * candidate ranks it better than the baseline, else 0.
 */
export const findHighestPrecision: FindHighest = (pair, scale) =>
  gradeByWeight(pair, scale, weighTop(scale.depth));

export const findHighestDcg: FindHighest = (pair, scale) =>
  gradeByWeight(pair, scale, weighDiscount(scale.depth));

function gradeByWeight(
  pair: UnjudgedPair,
  { maxGrade }: AssignmentScale,
  weigh: WeighRank,
): readonly number[] {
  return weighPool(pair, weigh).map((weight) => (weight > 0 ? maxGrade : 0));
}
