import type { Metadata } from '../../../src/retrieval/match-filter.ts';

/** A chunk that a search brought back, with all that the answer says about it. */
export interface FoundChunk {
  readonly id: string;
  readonly content: string;
  readonly metadata: Metadata;
  readonly document: { readonly id: string; readonly metadata: Metadata };
  readonly repository: { readonly id: string; readonly title: string; readonly metadata: Metadata };
  /** `null`: the answer gives no score of the search. */
  readonly searchScores: { readonly aggregated: number; readonly dense: number } | null;
  /** `null`: no re-ranker looked at it. */
  readonly postProcessingScore: number | null;
}

/** Best first, those without score last. Sorting by it keeps the order of equal ones. */
export function compareByScore(a: FoundChunk, b: FoundChunk): number {
  const scoreA = readScore(a) ?? Number.NEGATIVE_INFINITY;
  const scoreB = readScore(b) ?? Number.NEGATIVE_INFINITY;
  return scoreA === scoreB ? 0 : scoreB - scoreA;
}

/** The score that decides a chunk's rank; `null` where it has none. */
function readScore({ postProcessingScore, searchScores }: FoundChunk): number | null {
  return postProcessingScore ?? searchScores?.aggregated ?? null;
}
