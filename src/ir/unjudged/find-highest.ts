import type { UnjudgedPair } from './unjudged-pair.ts';

/** What a search for an extreme assignment needs of the measure and the scale. */
export interface AssignmentScale {
  /** k, or Infinity without one. */
  readonly depth: number;
  readonly relevantFrom: number;
  /** The highest grade that a label can be. The lowest is 0. */
  readonly maxGrade: number;
}

/**
 * Finds a grade for each document of the pool, in its order, with which candidate − baseline is as
 * high as any whole grades from 0 to `maxGrade` can make it.
 */
export type FindHighest = (pair: UnjudgedPair, scale: AssignmentScale) => readonly number[];
