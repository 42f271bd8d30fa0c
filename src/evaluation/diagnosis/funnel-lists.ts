import { toComparableId, toComparableRanking } from '../../ir/comparable-ids.ts';
import type { FunnelLists } from '../../ir/funnel/lost-documents.ts';
import type { DiagnosisSearch } from '../../storage/evaluations/diagnosis-searches.ts';
import type { DocumentId } from '../../ir/ids.ts';
import type { Outcome } from '../../model/outcome.ts';

/**
 * One question's way through a search, from its outcome. Without a pipeline the ranking is every list; a
 * re-ranker that gave up is read as none.
 */
export function toFunnelLists(outcome: Outcome, search?: DiagnosisSearch): FunnelLists {
  const final = toComparableRanking((outcome.hits ?? []).map(({ documentId }) => documentId));
  const ids = search?.documentIds?.map(toComparableId);
  const { versions = [], fused, candidates, reranked, scores, cut } = outcome.trace ?? {};
  const searched = versions.flatMap(({ ranking }) =>
    ranking ? [toComparableRanking(ranking)] : [],
  );
  return {
    versions: outcome.trace ? searched : [final],
    fused: fused ? toComparableRanking(fused) : (searched[0] ?? final),
    candidates: reranked && candidates !== undefined ? candidates : null,
    final,
    belowMinScore: cut && findBelow(toComparableRanking(reranked ?? []), scores, cut.minScore),
    unfiltered: ids ? new Set(ids) : null,
  };
}

function findBelow(
  reranked: readonly (DocumentId | null)[],
  scores: readonly number[] | undefined,
  minScore: number,
): ReadonlySet<DocumentId> {
  return new Set(
    reranked.flatMap((documentId, place) =>
      documentId !== null && (scores?.[place] ?? minScore) < minScore ? [documentId] : [],
    ),
  );
}
