import { probabilityAtMostZero, type ExponentialSum } from './exponential-sum.ts';
import { levelOf } from './level.ts';
import { smallestP } from './two-sided-p.ts';

export interface GaffkeOptions {
  /** The accepted drop of the mean, 0 or more. */
  readonly margin: number;
  /** Of the one-sided bound, between 0 and 1. */
  readonly confidence: number;
}

/** What is known of the mean of differences within [−1, 1] whatever their distribution is. */
export interface GaffkeBound {
  /** Of "the mean is −margin or less": small when a larger drop is ruled out. `1` without a difference. */
  readonly p: number;
  /** The mean is above it with the stated confidence; −1 when nothing is known. */
  readonly lowerBound: number;
}

/** Rounding of a measure may leave a difference this far outside [−1, 1]. */
const tolerance = 1e-9;

/**
 * Gaffke's bound for the mean of bounded values (Gaffke, Three test statistics for a nonparametric one-sided hypothesis on the
 * mean of a nonnegative variable, Math. Methods Statist. 14, 2005; as a bound: Learned-Miller and Thomas, A New
 * Confidence Interval for the Mean of a Bounded Random Variable, 2019). For d within [−1, 1] and the hypothesis
 * that their mean is −m or less, p = P(Σ eᵢ (dᵢ + m) ≤ e₀ (1 − m)) with independent eᵢ ~ Exp(1), computed without
 * random numbers. That it holds its level for every distribution is a conjecture of these papers. For losses of
 * all or nothing it is the bound of Clopper and Pearson, which is proven. Throws RangeError for differences
 * outside [−1, 1].
 */
export function gaffkeBound(
  differences: readonly number[],
  { margin, confidence }: GaffkeOptions,
): GaffkeBound {
  const values = countValues(differences);
  const p = pOfMean(values, -margin);
  return { p: Math.max(p, smallestP), lowerBound: findBound(values, levelOf(confidence)) };
}

/**
 * How many questions must be asked before a drop beyond the margin can be ruled out where no question gained
 * anything: the smallest n with (1 − margin)^n ≤ 1 − confidence, since n questions show
 * nothing with that probability where a share `margin` of all questions loses everything. This limits every
 * method that holds for every distribution. `null`: no number is enough, as with a margin of 0.
 */
export function questionsForGuarantee({ margin, confidence }: GaffkeOptions): number | null {
  if (margin <= 0) return null;
  if (margin >= 1) return 1;
  return Math.max(1, Math.ceil(Math.log(levelOf(confidence)) / Math.log1p(-margin) - tolerance));
}

/** Beyond this many, differences are rounded down to a grid: fewer values to count, and a conservative bound. */
const mostExact = 1000;
const grid = 2 ** 16;

/** Where log p is this close to the level, a chord leads there. */
const nearLevel = -20;

/** Of log p to the level: what a bound may be off from its confidence. */
const closeEnough = 1e-9;

function countValues(differences: readonly number[]): ExponentialSum {
  const counts = new Map<number, number>();
  const isMany = differences.length > mostExact;
  for (const difference of differences) {
    if (!(Math.abs(difference) <= 1 + tolerance)) {
      throw new RangeError(`Gaffke's bound needs differences within ±1, not ${difference}`);
    }
    const bounded = Math.min(1, Math.max(-1, difference));
    const value = isMany ? Math.floor(bounded * grid) / grid : bounded;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return { values: Float64Array.from(counts.keys()), counts: Float64Array.from(counts.values()) };
}

/** P(Σ eᵢ (dᵢ − mean) ≤ e₀ (1 + mean)): of "the mean is this or less". It rises with the mean. */
function pOfMean({ values, counts }: ExponentialSum, mean: number): number {
  const terms = new Float64Array(values.length + 1);
  const shapes = new Float64Array(values.length + 1);
  for (let index = 0; index < values.length; index += 1) {
    terms[index] = (values[index] as number) - mean;
    shapes[index] = counts[index] as number;
  }
  terms[values.length] = -(1 + mean);
  shapes[values.length] = 1;
  return probabilityAtMostZero({ values: terms, counts: shapes });
}

/**
 * The mean whose p is the level, from below and to 10⁻⁹; −1 where even that is not below the level. Halves the
 * range until p is near the level, then goes along the chord of log p (the Illinois rule of Dowell and Jarratt,
 * BIT 11, 1971).
 */
function findBound(values: ExponentialSum, level: number): number {
  const distance = (mean: number) =>
    Math.log(Math.max(pOfMean(values, mean), smallestP)) - Math.log(level);
  let low = { mean: -1, value: Number.NEGATIVE_INFINITY };
  let high = { mean: 1, value: -Math.log(level) };
  let moved: 'low' | 'high' | undefined;
  while (high.mean - low.mean > 1e-9) {
    const mean = low.mean + shareTo(low.value, high.value) * (high.mean - low.mean);
    const value = distance(mean);
    if (value <= 0) {
      if (value > -closeEnough) return mean;
      low = { mean, value };
      if (moved === 'low') high = { ...high, value: high.value / 2 };
      moved = 'low';
    } else {
      high = { mean, value };
      if (moved === 'high') low = { ...low, value: low.value / 2 };
      moved = 'high';
    }
  }
  return low.mean;
}

/** Where between two values of opposite sign a straight line is 0; the middle while the lower one is far off. */
function shareTo(low: number, high: number): number {
  return low < nearLevel ? 1 / 2 : Math.min(1 - 1e-6, Math.max(1e-6, low / (low - high)));
}
