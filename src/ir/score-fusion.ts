import { compareByCodePoint } from './compare-ids.ts';
import type { Hit } from './run.ts';

/**
 * Fusion by scores: within each ranking the scores are brought to 0 … 1, (score − lowest) / (highest − lowest),
 * and a document's are summed over the rankings that hold it (CombSUM, Fox and Shaw, TREC-2 1994; the
 * normalization: Lee, SIGIR 1997). Where all scores of a ranking are equal each counts 1. Ties: document id
 * ascending. A document that a ranking repeats counts once, with its first score.
 */
export function fuseScores(rankings: readonly (readonly Hit[])[]): readonly Hit[] {
  const sums = new Map<string, number>();
  for (const ranking of rankings) {
    const scores = new Map(
      ranking.toReversed().map(({ documentId, score }) => [documentId, score]),
    );
    const [lowest, highest] = findRange(scores.values());
    for (const [documentId, score] of scores) {
      const share = highest > lowest ? (score - lowest) / (highest - lowest) : 1;
      sums.set(documentId, (sums.get(documentId) ?? 0) + share);
    }
  }
  return [...sums]
    .map(([documentId, score]) => ({ documentId, score }))
    .toSorted((a, b) => b.score - a.score || compareByCodePoint(a.documentId, b.documentId));
}

function findRange(scores: Iterable<number>): readonly [lowest: number, highest: number] {
  let [lowest, highest] = [Infinity, -Infinity];
  for (const score of scores) {
    lowest = Math.min(lowest, score);
    highest = Math.max(highest, score);
  }
  return [lowest, highest];
}
