import {
  assertBootstrap,
  bcaIntervals,
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
  return meanIntervals([values], options)[0] ?? null;
}

/** What `meanInterval` gives for each of several measures of the same questions, in a fraction of the time. */
export function meanIntervals(
  columns: readonly (readonly number[])[],
  options: BootstrapOptions,
): readonly (BootstrapInterval | null)[] {
  assertBootstrap(options);
  const cleaned = columns.map((values) =>
    pairDifferences(
      values.map(() => 0),
      values,
    ),
  );
  return bcaIntervals(cleaned, options);
}
