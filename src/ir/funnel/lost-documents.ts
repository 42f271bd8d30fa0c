import type { DocumentId } from '../ids.ts';

/** Why a relevant document is not in the top k, in the order in which a search can lose it. */
export const lossCauses = [
  'filtered',
  'absent',
  'below-depth',
  'lost-in-fusion',
  'lost-in-rerank',
  'below-k',
] as const;
export type LossCause = (typeof lossCauses)[number];

/** One question's way through a search, as lists of comparable document ids; null holds the rank of an unmapped one. */
export interface FunnelLists {
  /** What each version of the question found: the widest shortlist is all of them together. */
  readonly versions: readonly (readonly (DocumentId | null)[])[];
  /** Of these in one order, the first `candidates` go on. */
  readonly fused: readonly (DocumentId | null)[];
  /** How many the re-ranker saw; null: nothing was re-ranked. */
  readonly candidates: number | null;
  readonly final: readonly (DocumentId | null)[];
  /** Those that a minimum score of the re-ranker left out. Absent: none. */
  readonly belowMinScore?: ReadonlySet<DocumentId> | undefined;
  /** What the same search returns without the conditions of the user; null: not searched. */
  readonly unfiltered: ReadonlySet<DocumentId> | null;
}

export interface LostDocument {
  readonly documentId: DocumentId;
  readonly cause: LossCause;
  /** Its rank, from 1; null: not in the list. */
  readonly ranks: {
    /** The best rank that any version of the question had it at. */
    readonly version: number | null;
    readonly fused: number | null;
    readonly final: number | null;
  };
}

/**
 * The relevant documents that are not in the top k, each with exactly one cause: the first step that lost it.
 * What a step takes is `candidates` of the fused list, or the top k where nothing was re-ranked.
 *
 * - No version found it: `filtered` when the same search without the user's conditions does, else `absent`.
 * - Fusion left it behind what the next step takes, though a version had it among as many: `lost-in-fusion`.
 * - It was found, but the re-ranker never saw it, or the ranking ended before it: `below-depth`.
 * - It stood in the top k before re-ranking and not after, or scored less than `minScore`: `lost-in-rerank`.
 * - Else it was within reach of the last step, which left it too low: `below-k`.
 */
export function findLostDocuments(
  lists: FunnelLists,
  relevant: readonly DocumentId[],
  k: number,
): readonly LostDocument[] {
  const fused = toRanks(lists.fused);
  const final = toRanks(lists.final);
  const versions = lists.versions.map(toRanks);
  return relevant
    .filter((documentId) => (final.get(documentId) ?? Infinity) > k)
    .map((documentId) => {
      const ranks = {
        version: findBest(versions, documentId),
        fused: fused.get(documentId) ?? null,
        final: final.get(documentId) ?? null,
      };
      return { documentId, cause: findCause(ranks, { documentId, lists, k }), ranks };
    });
}

function findCause(
  ranks: LostDocument['ranks'],
  {
    documentId,
    lists: { candidates, unfiltered, belowMinScore },
    k,
  }: { readonly documentId: DocumentId; readonly lists: FunnelLists; readonly k: number },
): LossCause {
  const found = Math.min(
    ranks.version ?? Infinity,
    ranks.fused ?? Infinity,
    ranks.final ?? Infinity,
  );
  if (found === Infinity) return unfiltered?.has(documentId) ? 'filtered' : 'absent';
  const taken = candidates ?? k;
  const fused = ranks.fused ?? Infinity;
  const isCut = belowMinScore?.has(documentId) ?? false;
  if (fused <= taken) return fused <= k || isCut ? 'lost-in-rerank' : 'below-k';
  if ((ranks.version ?? Infinity) <= taken) return 'lost-in-fusion';
  return candidates === null && ranks.final !== null ? 'below-k' : 'below-depth';
}

/** The first rank of each. */
function toRanks(ranking: readonly (DocumentId | null)[]): ReadonlyMap<DocumentId, number> {
  const ranks = new Map<DocumentId, number>();
  for (const [index, documentId] of ranking.entries()) {
    if (documentId !== null && !ranks.has(documentId)) ranks.set(documentId, index + 1);
  }
  return ranks;
}

function findBest(
  versions: readonly ReadonlyMap<DocumentId, number>[],
  documentId: DocumentId,
): number | null {
  const ranks = versions.flatMap((version) => version.get(documentId) ?? []);
  return ranks.length > 0 ? Math.min(...ranks) : null;
}
