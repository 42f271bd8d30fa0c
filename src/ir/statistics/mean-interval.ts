import {
  assertBootstrap,
  bcaInterval,
  type BootstrapInterval,
  type BootstrapOptions,
} from './bootstrap.ts';
import { pairDifferences } from './differences.ts';

/**
 * The BCa interval of the mean of one measure over the questions of a scorecard or a slice: where the mean of
 * all such questions lies. `null` below two values. Values that differ by rounding noise only are equal, and equal
 * values give that one value as both ends. Throws RangeError for values that are not finite and options
 * out of range.
 */
export function meanInterval(
  values: readonly number[],
  options: BootstrapOptions,
): BootstrapInterval | null {
  assertBootstrap(options);
  const zeros = values.map(() => 0);
  return bcaInterval(pairDifferences(zeros, values), options);
}
