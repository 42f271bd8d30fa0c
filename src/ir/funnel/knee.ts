/** A point of a line of which index 0 is N = 1. */
export interface CurvePoint {
  readonly n: number;
  readonly value: number;
}

/**
 * Where a rising line bends: the point farthest above the straight line from its first point to its last,
 * both axes scaled to 0 … 1; of equally far ones the first. This is Kneedle without its smoothing and its
 * sensitivity, which are for noise and streams (Satopää, Albrecht, Irwin and Raghavan, Finding a "Kneedle"
 * in a Haystack, ICDCS Workshops 2011). Undefined where the line does not rise or lies nowhere above it.
 */
export function findKnee(values: readonly number[]): CurvePoint | undefined {
  const first = values.at(0) ?? 0;
  const rise = (values.at(-1) ?? 0) - first;
  if (rise <= 0) return undefined;
  const last = values.length - 1;
  let knee: CurvePoint | undefined;
  let farthest = roundingError;
  for (const [index, value] of values.entries()) {
    const height = (value - first) / rise - index / last;
    if (height <= farthest) continue;
    farthest = height;
    knee = { n: index + 1, value };
  }
  return knee;
}

/** The least N from which on the line stays within a tolerance of its last value. Undefined for no values. */
export function findPlateau(values: readonly number[], tolerance: number): CurvePoint | undefined {
  const end = values.at(-1);
  if (end === undefined) return undefined;
  const bound = tolerance + roundingError;
  const outside = values.findLastIndex((value) => Math.abs(value - end) > bound);
  return { n: outside + 2, value: values[outside + 1] ?? end };
}

/** Heights that differ by less are equal. */
const roundingError = 1e-12;
