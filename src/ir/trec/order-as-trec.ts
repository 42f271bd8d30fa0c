import { compareByCodePoint } from '../compare-ids.ts';
import type { Hit } from '../run.ts';

/**
 * The hits in the order of trec_eval 10.0: score descending, as double, then document id descending by
 * UTF-8 bytes. Scores must be numbers, not NaN.
 */
export function orderAsTrec<T extends Hit>(hits: readonly T[]): readonly T[] {
  return hits.toSorted(compareAsTrec);
}

/** Negative when trec_eval ranks `a` above `b`. */
export function compareAsTrec(a: Hit, b: Hit): number {
  if (a.score !== b.score) return a.score > b.score ? -1 : 1;
  return compareByCodePoint(b.documentId, a.documentId);
}
