import { mean } from '../statistics/mean.ts';
import { relativeTolerance } from '../statistics/differences.ts';
import type { Bounds } from './bounds.ts';

/**
 * What every possible labelling says of candidate − baseline; `undecided` when they do not agree on one
 * sign. `equal`: it is 0 under all of them.
 */
export type Decision = 'higher' | 'lower' | 'equal' | 'undecided';

/**
 * The exact range of a mean over questions: a label belongs to one question, so the questions reach
 * their ends independently. `null` without questions.
 */
export function meanBounds(bounds: readonly Bounds[]): Bounds | null {
  const low = mean(bounds.map((each) => each.low));
  const high = mean(bounds.map((each) => each.high));
  return low === null || high === null ? null : { low, high };
}

/** Reads the sign off a range. Ends within rounding noise of 0 are 0; a range that touches 0 at one end has no one sign. */
export function decide({ low, high }: Bounds): Decision {
  const noise = relativeTolerance * Math.max(1, -low, high);
  if (low > noise) return 'higher';
  if (high < -noise) return 'lower';
  return low >= -noise && high <= noise ? 'equal' : 'undecided';
}
