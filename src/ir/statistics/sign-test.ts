import binomialCdf from '@stdlib/stats-base-dists-binomial-cdf';

import type { DifferenceSummary } from './differences.ts';
import { twoSidedP } from './two-sided-p.ts';

/** `p` is `null` where every question ties. */
export interface SignResult {
  readonly p: number | null;
}

/** The exact two-sided sign test: wins against losses as a fair coin, ties left out. */
export function signTest({ wins, losses }: Pick<DifferenceSummary, 'wins' | 'losses'>): SignResult {
  if (wins + losses === 0) return { p: null };
  return { p: twoSidedP(binomialCdf(Math.min(wins, losses), wins + losses, 0.5)) };
}
