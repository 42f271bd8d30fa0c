import normalCdf from '@stdlib/stats-base-dists-normal-cdf';

import { numberAt } from './number-at.ts';
import { twoSidedP } from './two-sided-p.ts';

/** Rank sums of the wins and of the losses; `p` is `null` where every question ties. */
export interface WilcoxonResult {
  readonly p: number | null;
  readonly exact: boolean;
  readonly winRankSum: number;
  readonly lossRankSum: number;
}

/** Up to this many non-zero differences the distribution of the rank sum is counted out. */
const exactLimit = 25;

interface SignedRank {
  readonly difference: number;
  readonly rank: number;
}

/**
 * Wilcoxon's signed-rank test, two-sided. Zero differences are ranked and then left out (Pratt, JASA
 * 1959), equal sizes share their middle rank. Exact up to 25 non-zero differences, else the normal
 * approximation with tie and continuity correction.
 */
export function wilcoxonTest(differences: readonly number[]): WilcoxonResult {
  const ranked = signedRanks(differences).filter(({ difference }) => difference !== 0);
  const winRankSum = rankSum(ranked.filter(({ difference }) => difference > 0));
  const lossRankSum = rankSum(ranked.filter(({ difference }) => difference < 0));
  const exact = ranked.length <= exactLimit;
  if (ranked.length === 0) return { p: null, exact, winRankSum, lossRankSum };
  const ranks = ranked.map(({ rank }) => rank);
  const smaller = Math.min(winRankSum, lossRankSum);
  const tail = exact ? exactTail(ranks, smaller) : normalTail(ranks, smaller);
  return { p: twoSidedP(tail), exact, winRankSum, lossRankSum };
}

function signedRanks(differences: readonly number[]): readonly SignedRank[] {
  const sorted = differences.toSorted((a, b) => Math.abs(a) - Math.abs(b));
  const ranked: SignedRank[] = [];
  while (ranked.length < sorted.length) {
    const start = ranked.length;
    const size = Math.abs(numberAt(sorted, start));
    let end = start;
    while (end < sorted.length && Math.abs(numberAt(sorted, end)) === size) end += 1;
    // The ranks start + 1 to end, averaged.
    const rank = (start + 1 + end) / 2;
    for (const difference of sorted.slice(start, end)) ranked.push({ difference, rank });
  }
  return ranked;
}

function rankSum(ranked: readonly SignedRank[]): number {
  return ranked.reduce((sum, { rank }) => sum + rank, 0);
}

/** P(rank sum ≤ smaller) over all sign assignments, counted over doubled ranks, which are whole numbers. */
function exactTail(ranks: readonly number[], smaller: number): number {
  const highest = 2 * smaller;
  const counts = new Float64Array(highest + 1);
  counts[0] = 1;
  for (const rank of ranks) {
    for (let sum = highest; sum >= 2 * rank; sum -= 1) {
      counts[sum] = numberAt(counts, sum) + numberAt(counts, sum - 2 * rank);
    }
  }
  return counts.reduce((total, count) => total + count, 0) / 2 ** ranks.length;
}

/** Mean Σr/2 and variance Σr²/4 given the ranks, which hold the corrections for ties and zeros (Cureton, JASA 1967). */
function normalTail(ranks: readonly number[], smaller: number): number {
  const expected = ranks.reduce((sum, rank) => sum + rank, 0) / 2;
  const variance = ranks.reduce((sum, rank) => sum + rank ** 2, 0) / 4;
  return normalCdf((smaller + 0.5 - expected) / Math.sqrt(variance), 0, 1);
}
