import tCdf from '@stdlib/stats-base-dists-t-cdf';
import tQuantile from '@stdlib/stats-base-dists-t-quantile';

import type { DifferenceSummary } from './differences.ts';
import { smallestP } from './two-sided-p.ts';

export interface EquivalenceOptions {
  /** The largest mean difference that would not matter, in the measure's own unit. */
  readonly margin: number;
  /** The risk of calling two systems equivalent that differ by the margin or more. */
  readonly alpha: number;
}

/** Whether the mean difference is shown to be smaller than the margin. Not being equivalent does not mean different. */
export interface EquivalenceResult extends EquivalenceOptions {
  /** The larger p of the two one-sided tests; `null` where the differences have no spread, or are fewer than two. */
  readonly p: number | null;
  /** Student's interval of the mean difference at confidence 1 − 2α, which decides; `null` below two differences. */
  readonly interval: {
    readonly confidence: number;
    readonly low: number;
    readonly high: number;
  } | null;
  readonly equivalent: boolean;
}

/**
 * Two one-sided t-tests against ±margin (Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15,
 * 1987): t₁ = (mean + margin) / (deviation / √n) from above, t₂ = (mean − margin) / (deviation / √n) from
 * below; both must be significant, which is when the 1 − 2α interval lies within the margin. Equal
 * differences have that value as both ends. Throws RangeError unless margin > 0 and 0 < alpha < ½.
 */
export function equivalenceTest(
  { questions, mean, deviation }: DifferenceSummary,
  { margin, alpha }: EquivalenceOptions,
): EquivalenceResult {
  assertOptions({ margin, alpha });
  if (mean === null || deviation === null) {
    return { margin, alpha, p: null, interval: null, equivalent: false };
  }
  const error = deviation / Math.sqrt(questions);
  const reach = tQuantile(1 - alpha, questions - 1) * error;
  const [low, high] = [mean - reach, mean + reach];
  return {
    margin,
    alpha,
    p: error === 0 ? null : largerP({ mean, error, degrees: questions - 1 }, margin),
    interval: { confidence: 1 - 2 * alpha, low, high },
    equivalent: low > -margin && high < margin,
  };
}

function assertOptions({ margin, alpha }: EquivalenceOptions): void {
  if (!(margin > 0 && margin < Infinity)) {
    throw new RangeError(`a margin must be above 0, not ${margin}`);
  }
  if (!(alpha > 0 && alpha < 0.5)) {
    throw new RangeError(`alpha must lie between 0 and 0.5, not ${alpha}`);
  }
}

function largerP(
  {
    mean,
    error,
    degrees,
  }: { readonly mean: number; readonly error: number; readonly degrees: number },
  margin: number,
): number {
  const fromBelow = tCdf((mean - margin) / error, degrees);
  const fromAbove = tCdf(-(mean + margin) / error, degrees);
  return Math.max(fromBelow, fromAbove, smallestP);
}
