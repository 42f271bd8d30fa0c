import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';

import type { Ends } from './ends.ts';
import { probabilityAtMostZero, type ExponentialSum } from './exponential-sum.ts';
import { twoSidedP } from './two-sided-p.ts';

/** Between which values every value lies, drawn or not. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/**
 * The interval of a mean of which only the range of the values is known: each end is the (1 ∓ confidence) / 2
 * quantile of the mean under random weights (flat Dirichlet), with the worst value of the range as one more
 * observation (Gaffke, Mathematical Methods of Statistics 14, 2005). For values at both ends of the range this is the
 * interval of Clopper and Pearson (Biometrika 26, 1934), which holds whatever the rate is. That it holds for every
 * other distribution is a conjecture, supported by much numerical evidence (Learned-Miller and Thomas 2019). Throws
 * RangeError for a value outside the range.
 */
export function boundedMeanInterval(
  values: readonly number[],
  range: Range,
  confidence: number,
): Ends {
  const tail = (1 - confidence) / 2;
  const size = range.most - range.least;
  return {
    low: range.least + size * lowerBound(countValues(values, range), tail),
    high: range.most - size * lowerBound(countValues(values, mirror(range)), tail),
  };
}

/**
 * The two-sided p of "the mean is 0" for differences within ±1, by the same bounds: 1 − the highest confidence at
 * which that interval excludes 0. Throws RangeError for a larger difference.
 */
export function boundedMeanP(differences: readonly number[]): number {
  const range = { least: -1, most: 1 };
  const tails = [range, mirror(range)].map((each) =>
    chanceAtMost(countValues(differences, each), 0.5),
  );
  return twoSidedP(Math.min(...tails));
}

/** Read from the other end. */
function mirror({ least, most }: Range): Range {
  return { least: most, most: least };
}

/** Rounding may leave a value this far outside its range, in parts of the range. */
const tolerance = 1e-9;

/** Beyond this many, values are rounded to a grid towards the worst, so that a bound stays conservative. */
const mostExact = 5000;
const grid = 2 ** 13;

/** How often each value occurs, as parts of the range from 0, the worst, to 1. */
function countValues(values: readonly number[], { least, most }: Range): ExponentialSum {
  const counts = new Map<number, number>();
  for (const value of values) {
    const part = (value - least) / (most - least);
    if (!(part >= -tolerance && part <= 1 + tolerance)) {
      const [low, high] = [Math.min(least, most), Math.max(least, most)];
      throw new RangeError(`values must lie between ${low} and ${high}, not ${value}`);
    }
    const inside = Math.min(1, Math.max(0, part));
    const kept = values.length > mostExact ? Math.floor(inside * grid) / grid : inside;
    counts.set(kept, (counts.get(kept) ?? 0) + 1);
  }
  return { values: Float64Array.from(counts.keys()), counts: Float64Array.from(counts.values()) };
}

/** Of the mean as a part of the range. */
const precision = 1e-11;

/** The mean m with P(Σ Gⱼ (xⱼ − m) − G₀ m ≤ 0) = tail: by secants on a normal scale, kept between its ends. */
function lowerBound(sum: ExponentialSum, tail: number): number {
  const most = sum.values.reduce((largest, value) => Math.max(largest, value), 0);
  if (most <= precision) return 0;
  const target = normalQuantile(tail, 0, 1);
  let [low, high] = [0, most];
  let [before, scoreBefore] = [most, Infinity];
  let middle = firstGuess(sum, target);
  for (let round = 0; round < 100; round += 1) {
    const score = normalQuantile(chanceAtMost(sum, middle), 0, 1) - target;
    if (score > 0) high = middle;
    else low = middle;
    const next = middle - (score * (middle - before)) / (score - scoreBefore);
    [before, scoreBefore] = [middle, score];
    middle = next > low && next < high ? next : (low + high) / 2;
    if (Math.abs(middle - before) <= precision) break;
  }
  return middle;
}

/** Probability that the mean under random weights, with one more value 0, is at most `mean`. */
function chanceAtMost({ values, counts }: ExponentialSum, mean: number): number {
  const shifted = new Float64Array(values.length + 1);
  const shapes = new Float64Array(values.length + 1);
  for (let index = 0; index < values.length; index += 1) {
    shifted[index] = (values[index] as number) - mean;
    shapes[index] = counts[index] as number;
  }
  shifted[values.length] = -mean;
  shapes[values.length] = 1;
  return probabilityAtMostZero({ values: shifted, counts: shapes });
}

/** Where the bound would be if that mean were normally distributed. */
function firstGuess({ values, counts }: ExponentialSum, target: number): number {
  let [size, total, squares] = [1, 0, 0];
  for (let index = 0; index < values.length; index += 1) {
    const [value, count] = [values[index] as number, counts[index] as number];
    size += count;
    total += count * value;
    squares += count * value ** 2;
  }
  const mean = total / size;
  const guess = mean + target * Math.sqrt((squares / size - mean ** 2) / (size + 1));
  return Math.max(guess, mean / 20);
}
