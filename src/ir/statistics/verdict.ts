/** Whether the candidate is better than the baseline beyond what chance explains. */
export type Verdict = 'better' | 'worse' | 'inconclusive';

/** Reads the verdict off the interval alone: one that touches zero, or is missing, decides nothing. */
export function verdictOf(
  interval: { readonly low: number; readonly high: number } | null,
): Verdict {
  if (interval !== null && interval.low > 0) return 'better';
  if (interval !== null && interval.high < 0) return 'worse';
  return 'inconclusive';
}
