import type { Ends } from './ends.ts';

/** Whether the candidate is better than the baseline beyond what chance explains. */
export type Verdict = 'better' | 'worse' | 'inconclusive';

/**
 * An interval and a test decide together, as each alone is wrong too often: the interval must exclude 0, and p, of the
 * randomization test, adjusted in a family, must be at most `level`. A missing interval decides nothing.
 */
export function verdictOf(interval: Ends | null, p: number, level: number): Verdict {
  if (interval === null || p > level) return 'inconclusive';
  if (interval.low > 0) return 'better';
  return interval.high < 0 ? 'worse' : 'inconclusive';
}
