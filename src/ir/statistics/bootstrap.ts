import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';

import { isConstant, relativeTolerance } from './differences.ts';
import { mean } from './mean.ts';
import { numberAt } from './number-at.ts';
import { nextBelow, randomStream } from './random-stream.ts';

export interface BootstrapOptions {
  /** Coverage of the interval, strictly between 0 and 1. */
  readonly confidence: number;
  readonly resamples: number;
  readonly seed: number;
}

/** Confidence interval of the mean over all such questions. */
export interface BootstrapInterval {
  readonly method: 'bca-bootstrap';
  readonly confidence: number;
  readonly low: number;
  readonly high: number;
  /** The uncorrected interval of the same resamples (Efron 1979): how far the correction moved the ends. */
  readonly percentile: Ends;
  readonly resamples: number;
  readonly seed: number;
}

interface Ends {
  readonly low: number;
  readonly high: number;
}

/**
 * The bias-corrected and accelerated bootstrap interval of the mean (Efron, JASA 1987), `null` below
 * two differences. Equal differences give that one value as both ends.
 */
export function bcaInterval(
  differences: readonly number[],
  options: BootstrapOptions,
): BootstrapInterval | null {
  return bcaIntervals([differences], options)[0] ?? null;
}

/** What `bcaInterval` gives for each column, from questions that are drawn once for all: columns have one length. */
export function bcaIntervals(
  columns: readonly (readonly number[])[],
  options: BootstrapOptions,
): readonly (BootstrapInterval | null)[] {
  const varying = columns.filter((column) => column.length >= 2 && !isConstant(column));
  const means = resampledMeans(varying, options);
  const resampled = new Map(varying.map((column, index) => [column, means[index]]));
  return columns.map((column) => toInterval(column, resampled.get(column), options));
}

function toInterval(
  differences: readonly number[],
  means: Float64Array | undefined,
  { confidence, resamples, seed }: BootstrapOptions,
): BootstrapInterval | null {
  if (differences.length < 2) return null;
  const value = numberAt(differences, 0);
  const { corrected, percentile } = means
    ? findEnds(differences, means, confidence)
    : { corrected: { low: value, high: value }, percentile: { low: value, high: value } };
  return { method: 'bca-bootstrap', confidence, ...corrected, percentile, resamples, seed };
}

/** Throws RangeError for options that no interval can be made with. */
export function assertBootstrap({ confidence, resamples, seed }: BootstrapOptions): void {
  if (!(confidence > 0 && confidence < 1)) {
    throw new RangeError(`confidence must lie between 0 and 1, not ${confidence}`);
  }
  if (!Number.isSafeInteger(resamples) || resamples < 1) {
    throw new RangeError(`resamples must be a positive whole number, not ${resamples}`);
  }
  if (!Number.isSafeInteger(seed)) throw new RangeError(`seed must be a whole number, not ${seed}`);
}

function findEnds(
  differences: readonly number[],
  means: Float64Array,
  confidence: number,
): { readonly corrected: Ends; readonly percentile: Ends } {
  const observed = mean(differences) ?? Number.NaN;
  const bias = normalQuantile(shareBelow(means, observed, differences), 0, 1);
  const acceleration = accelerationOf(differences, observed);
  const correct = (probability: number) => correctedProbability(probability, bias, acceleration);
  const [lower, upper] = [(1 - confidence) / 2, (1 + confidence) / 2];
  return {
    corrected: { low: quantile(means, correct(lower)), high: quantile(means, correct(upper)) },
    percentile: { low: quantile(means, lower), high: quantile(means, upper) },
  };
}

/** By column, sorted means of samples of n drawn with replacement: the same questions for all columns. */
function resampledMeans(
  columns: readonly (readonly number[])[],
  { resamples, seed }: BootstrapOptions,
): readonly Float64Array[] {
  const means: Float64Array[] = [];
  for (let start = 0; start < columns.length; start += together) {
    const block = columns.slice(start, start + together);
    const stream = randomStream(seed, 'bootstrap');
    const sums = block.length === 1 ? sumOne : sumTogether;
    means.push(...sums(block, resamples, stream));
  }
  return means.map((each) => each.toSorted());
}

/** Columns that are summed in parallel: the processor adds one while it waits for another. */
const together = 4;

type Stream = ReturnType<typeof randomStream>;

/**
 * The loops that cost: nothing is allocated in them, and they read their array themselves, as `numberAt`, which
 * reads arrays of many kinds, makes them half as slow again.
 */
function sumOne(
  [column = []]: readonly (readonly number[])[],
  resamples: number,
  stream: Stream,
): readonly Float64Array[] {
  const values = Float64Array.from(column);
  const size = values.length;
  const means = new Float64Array(resamples);
  for (let resample = 0; resample < resamples; resample += 1) {
    let sum = 0;
    for (let draw = 0; draw < size; draw += 1) sum += values[nextBelow(stream, size)] as number;
    means[resample] = sum / size;
  }
  return [means];
}

function sumTogether(
  columns: readonly (readonly number[])[],
  resamples: number,
  stream: Stream,
): readonly Float64Array[] {
  const size = columns[0]?.length ?? 0;
  const rows = interleave(columns, size);
  const means = columns.map(() => new Float64Array(resamples));
  for (let resample = 0; resample < resamples; resample += 1) {
    let [first, second, third, fourth] = [0, 0, 0, 0];
    for (let draw = 0; draw < size; draw += 1) {
      const row = together * nextBelow(stream, size);
      first += rows[row] as number;
      second += rows[row + 1] as number;
      third += rows[row + 2] as number;
      fourth += rows[row + 3] as number;
    }
    const sums = [first, second, third, fourth];
    for (const [index, each] of means.entries()) each[resample] = numberAt(sums, index) / size;
  }
  return means;
}

/** The values of a question beside each other; what is missing to a full block is 0. */
function interleave(columns: readonly (readonly number[])[], size: number): Float64Array {
  const rows = new Float64Array(together * size);
  for (const [index, column] of columns.entries()) {
    for (const [question, value] of column.entries()) rows[together * question + index] = value;
  }
  return rows;
}

/**
 * The share of resampled means below the observed one, equal ones counted half (as scipy), and kept
 * half a resample away from 0 and 1, where the bias correction would be infinite.
 */
function shareBelow(means: Float64Array, observed: number, differences: readonly number[]): number {
  const largest = differences.reduce((size, value) => Math.max(size, Math.abs(value)), 0);
  const tolerance = relativeTolerance * largest;
  let twice = 0;
  for (const value of means) {
    if (value < observed - tolerance) twice += 2;
    else if (value <= observed + tolerance) twice += 1;
  }
  return Math.min(Math.max(twice, 1), 2 * means.length - 1) / (2 * means.length);
}

/** Skewness of the jackknife values over 6, which for a mean is Σu³ / (6 (Σu²)^1.5), u being the deviations. */
function accelerationOf(differences: readonly number[], observed: number): number {
  const deviations = differences.map((difference) => difference - observed);
  const size = Math.sqrt(deviations.reduce((sum, deviation) => sum + deviation ** 2, 0));
  if (size === 0) return 0;
  return deviations.reduce((sum, deviation) => sum + (deviation / size) ** 3, 0) / 6;
}

/** Φ(z₀ + (z₀ + z) / (1 − a (z₀ + z))); past the pole, which only extreme confidences reach, the end of the distribution. */
function correctedProbability(probability: number, bias: number, acceleration: number): number {
  const shifted = bias + normalQuantile(probability, 0, 1);
  const denominator = 1 - acceleration * shifted;
  if (denominator <= 0) return shifted > 0 ? 1 : 0;
  return normalCdf(bias + shifted / denominator, 0, 1);
}

/** The quantile of sorted values by linear interpolation at (n − 1) p: type 7 of Hyndman and Fan, numpy's and so scipy's. */
function quantile(sorted: Float64Array, probability: number): number {
  const position = (sorted.length - 1) * probability;
  const below = Math.floor(position);
  const low = numberAt(sorted, below);
  return low + (numberAt(sorted, Math.ceil(position)) - low) * (position - below);
}
