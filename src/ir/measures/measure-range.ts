import type { Range } from '../statistics/bounded-mean.ts';
import { isBounded, type MeasureParts } from './measure.ts';

/** Where the values of a measure lie by its definition; null without an upper bound. */
export function rangeOf(measure: Pick<MeasureParts, 'family'>): Range | null {
  return isBounded(measure) ? { least: 0, most: 1 } : null;
}
