import type { DocumentId } from '../../ir/ids.ts';
import type { Ranking } from '../../ir/run.ts';
import type { PipelineTrace } from '../../model/pipeline-trace.ts';

/** The ranks of a document, from 1, on its way through a pipeline; null: it was not in that ranking. */
export interface Move {
  /** In the order of the versions. */
  readonly versions: readonly (number | null)[];
  /** Absent where one version alone was searched. */
  readonly fused?: number | null;
  /** Absent without re-ranking. */
  readonly reranked?: number | null;
}

/** Finds the ranks of one document after another. A hit without a readable id cannot be followed. */
export function traceMoves({
  versions,
  fused,
  reranked,
}: PipelineTrace): (documentId: DocumentId | null) => Move {
  const ranksOfVersions = versions.map(({ ranking }) => rank(ranking ?? []));
  const ranksFused = fused && rank(fused);
  const ranksReranked = reranked && rank(reranked);
  return (id) => {
    const find = (ranks: ReadonlyMap<DocumentId, number>) =>
      id === null ? null : (ranks.get(id) ?? null);
    return {
      versions: ranksOfVersions.map(find),
      ...(ranksFused && { fused: find(ranksFused) }),
      ...(ranksReranked && { reranked: find(ranksReranked) }),
    };
  };
}

function rank(ranking: Ranking): ReadonlyMap<DocumentId, number> {
  return new Map(ranking.flatMap((id, index) => (id === null ? [] : [[id, index + 1] as const])));
}
