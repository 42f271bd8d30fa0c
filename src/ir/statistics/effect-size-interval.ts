import type { DifferenceSummary } from './differences.ts';
import { noncentralTCdf } from './noncentral-t.ts';

/** Confidence interval of the effect size over all such questions. */
export interface EffectSizeInterval {
  readonly method: 'noncentral-t';
  readonly confidence: number;
  readonly low: number;
  readonly high: number;
}

/** Beyond it the noncentral t is too slow to sum: a mean difference this far from 0 has next to no spread. */
const largestStatistic = 1e4;

/**
 * The interval of Cohen's dz by inverting the noncentral t (Steiger and Fouladi 1997; Cumming and Finch,
 * Educational and Psychological Measurement 61, 2001): with t = dz √n, each end is δ / √n for the δ under which
 * P(T ≤ t) is (1 ± confidence) / 2. It rests on normally distributed differences. `null` below two
 * differences, without spread, and beyond |t| = 10⁴. Throws RangeError unless 0 < confidence < 1.
 */
export function effectSizeInterval(
  { questions, mean, deviation }: DifferenceSummary,
  confidence: number,
): EffectSizeInterval | null {
  if (!(confidence > 0 && confidence < 1)) {
    throw new RangeError(`confidence must lie between 0 and 1, not ${confidence}`);
  }
  if (mean === null || deviation === null || deviation === 0) return null;
  const root = Math.sqrt(questions);
  const statistic = (mean / deviation) * root;
  if (Math.abs(statistic) > largestStatistic) return null;
  const findEnd = (probability: number) =>
    findNoncentrality(statistic, questions - 1, probability) / root;
  return {
    method: 'noncentral-t',
    confidence,
    low: findEnd((1 + confidence) / 2),
    high: findEnd((1 - confidence) / 2),
  };
}

/** The δ with P(T ≤ t) = probability, which falls as δ grows. */
function findNoncentrality(statistic: number, degrees: number, probability: number): number {
  const isTooLow = (delta: number) => noncentralTCdf(statistic, degrees, delta) > probability;
  let step = 1;
  while (!isTooLow(statistic - step)) step *= 2;
  let low = statistic - step;
  step = 1;
  while (isTooLow(statistic + step)) step *= 2;
  let high = statistic + step;
  while (high - low > 1e-10 * Math.max(1, Math.abs(low), Math.abs(high))) {
    const middle = (low + high) / 2;
    if (isTooLow(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
