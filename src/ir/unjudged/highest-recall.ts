import { countRelevantInTop } from '../measures/relevance.ts';
import type { FindHighest } from './find-highest.ts';
import { weighPool, weighTop } from './weigh-pool.ts';

/**
 * The difference of two recalls is n / R, |n| ≤ R: n counts the relevant documents that only the
 * candidate's top k holds, less those that only the baseline's holds. One more of the first kind adds 1
 * to both, which never lowers a fraction of at most 1; one more of the second kind takes 1 from n and
 * adds 1 to R, which never raises a fraction of at least −1. Any other document only adds to R: that
 * helps where n stays at or below 0, and harms above.
 */
export const findHighestRecall: FindHighest = (pair, { depth, relevantFrom, maxGrade }) => {
  const sides = weighPool(pair, weighTop(depth));
  const countTop = (grades: readonly (number | null)[]) =>
    countRelevantInTop({ grades, judged: pair.judged }, relevantFrom, depth);
  const ahead =
    countTop(pair.candidate.grades) -
    countTop(pair.baseline.grades) +
    sides.filter((side) => side > 0).length;
  return sides.map((side) => (side > 0 || (side === 0 && ahead <= 0) ? maxGrade : 0));
};
