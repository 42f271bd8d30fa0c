import { compareByCodePoint } from './compare-ids.ts';
import type { Hit } from './run.ts';
import type { DocumentId } from './ids.ts';

/**
 * Reciprocal rank fusion: a document's score is the sum of 1 / (k + rank) over the rankings that hold it,
 * ranks from 1 (Cormack, Clarke and Büttcher, SIGIR 2009, with k = 60). Ties: document id ascending.
 * A document that a ranking repeats counts once, at its first rank.
 */
export function fuseReciprocalRank(
  rankings: readonly (readonly DocumentId[])[],
  k: number,
): readonly Hit[] {
  const scores = new Map<DocumentId, number>();
  for (const ranking of rankings) {
    const seen = new Set<DocumentId>();
    for (const [index, documentId] of ranking.entries()) {
      if (seen.has(documentId)) continue;
      seen.add(documentId);
      scores.set(documentId, (scores.get(documentId) ?? 0) + weighRank(index + 1, k));
    }
  }
  return [...scores]
    .map(([documentId, score]) => ({ documentId, score }))
    .toSorted((a, b) => b.score - a.score || compareByCodePoint(a.documentId, b.documentId));
}

/** What one ranking adds to the fused score of the document at this rank (from 1). */
export function weighRank(rank: number, k: number): number {
  return 1 / (k + rank);
}
