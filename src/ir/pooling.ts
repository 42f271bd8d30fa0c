import type { Judgments } from './qrels.ts';
import type { Ranking } from './run.ts';
import type { DocumentId } from './ids.ts';

/** One search configuration's ranking of the question. */
export interface PooledRanking {
  readonly configuration: string;
  readonly ranking: Ranking;
}

/** A document that needs a judgment, and who brought it back. Ranks count from 1. */
export interface PooledDocument {
  readonly documentId: DocumentId;
  readonly retrievedBy: readonly { readonly configuration: string; readonly rank: number }[];
}

/**
 * The documents in any top `depth` that have no judgment (grade 0 is one), in order of first appearance:
 * by configuration as given, then by rank. Unmapped entries hold their rank and are left out.
 */
export function poolQuestion(
  rankings: readonly PooledRanking[],
  judgments: Judgments,
  depth: number,
): readonly PooledDocument[] {
  const pool = new Map<DocumentId, { configuration: string; rank: number }[]>();
  for (const { configuration, ranking } of rankings) {
    for (const [index, documentId] of ranking.slice(0, depth).entries()) {
      if (documentId === null || judgments.has(documentId)) continue;
      const retrievedBy = pool.get(documentId) ?? [];
      retrievedBy.push({ configuration, rank: index + 1 });
      pool.set(documentId, retrievedBy);
    }
  }
  return [...pool].map(([documentId, retrievedBy]) => ({ documentId, retrievedBy }));
}
