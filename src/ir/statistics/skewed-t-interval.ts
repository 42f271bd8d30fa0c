import type { DifferenceSummary } from './differences.ts';
import type { Ends } from './ends.ts';
import { tReach } from './t-interval.ts';

/**
 * Student's interval with Hall's correction for skewness (Hall, On the Removal of Skewness by Transformation, JRSS B 54,
 * 1992): with T = √n (mean − μ) / deviation and the sample skewness γ, the cubic
 * g(T) = T + γ T² / (3√n) + γ² T³ / (27 n) + γ / (6√n) is closer to symmetric than T, and it can be inverted. The ends
 * are mean − g⁻¹(±t) · deviation / √n. The interval is longer on the side of the long tail, of which a
 * sample shows too little. `null` below two values; equal values give that one value as both ends.
 */
export function skewedTInterval(
  values: readonly number[],
  { questions, mean, deviation }: DifferenceSummary,
  confidence: number,
): Ends | null {
  if (mean === null || deviation === null) return null;
  if (deviation === 0) return { low: mean, high: mean };
  const reach = tReach(questions, confidence);
  const error = deviation / Math.sqrt(questions);
  const scaledSkewness = skewness(values, mean, deviation) / Math.sqrt(questions);
  return {
    low: mean - error * invert(reach, scaledSkewness),
    high: mean - error * invert(-reach, scaledSkewness),
  };
}

function skewness(values: readonly number[], mean: number, deviation: number): number {
  return values.reduce((sum, value) => sum + ((value - mean) / deviation) ** 3, 0) / values.length;
}

/** Below it the cubic differs from its argument by less than rounding does. */
const symmetric = 1e-8;

/** g⁻¹(y) = (3 / k) (∛(1 + k (y − k / 6)) − 1) for k = γ / √n. */
function invert(value: number, scaledSkewness: number): number {
  if (Math.abs(scaledSkewness) < symmetric) return value;
  const inner = 1 + scaledSkewness * (value - scaledSkewness / 6);
  return (3 / scaledSkewness) * (Math.cbrt(inner) - 1);
}
