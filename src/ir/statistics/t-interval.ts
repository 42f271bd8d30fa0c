import tQuantile from '@stdlib/stats-base-dists-t-quantile';

import type { DifferenceSummary } from './differences.ts';
import type { Ends } from './ends.ts';

/**
 * Student's interval of the mean, mean ± t((1 + confidence) / 2, n − 1) · deviation / √n. `null` below two values.
 * Equal values give that one value as both ends.
 */
export function tInterval(
  { questions, mean, deviation }: DifferenceSummary,
  confidence: number,
): Ends | null {
  if (mean === null || deviation === null) return null;
  const reach = tReach(questions, confidence) * (deviation / Math.sqrt(questions));
  return { low: mean - reach, high: mean + reach };
}

/** How many standard errors of the mean the interval reaches to each side. */
export function tReach(questions: number, confidence: number): number {
  return tQuantile((1 + confidence) / 2, questions - 1);
}
