import { bcaInterval } from '../src/ir/statistics/bootstrap.ts';
import { boundedMeanInterval, type Range } from '../src/ir/statistics/bounded-mean.ts';
import { summarizeDifferences } from '../src/ir/statistics/differences.ts';
import { envelope, type Ends } from '../src/ir/statistics/ends.ts';
import { skewedTInterval } from '../src/ir/statistics/skewed-t-interval.ts';
import { tInterval } from '../src/ir/statistics/t-interval.ts';
import type { Random } from './populations.ts';

export const confidence = 0.95;
const resamples = 400;

/** Intervals of one mean, by name. `range` is where all values lie, seen or not. */
export function findCandidates(
  values: readonly number[],
  range: Range,
  seed: number,
): ReadonlyMap<string, Ends> {
  const summary = summarizeDifferences(values);
  const bca = bcaInterval(values, { confidence, resamples, seed });
  const t = tInterval(summary, confidence);
  const skewed = skewedTInterval(values, summary, confidence);
  if (!bca || !t || !skewed) throw new Error('an interval needs two values');
  return new Map<string, Ends>([
    ['percentile', bca.percentile],
    ['BCa', bca],
    ['t', t],
    ['t, BCa', envelope(t, bca)],
    ['t, Hall', envelope(t, skewed)],
    ['Gaffke', boundedMeanInterval(values, range, confidence)],
  ]);
}

/** Those that draw much: for differences alone. */
export function findDrawnCandidates(
  values: readonly number[],
  random: Random,
): ReadonlyMap<string, Ends> {
  return new Map<string, Ends>([
    ['bootstrap-t', bootstrapT(values, summarizeDifferences(values), random)],
    ['test inverted', invertTest(values, random)],
  ]);
}

/** Efron's studentised bootstrap (CBMS-NSF 38, 1982). A resample without spread lies at the end of all. */
function bootstrapT(
  values: readonly number[],
  { mean, deviation }: { readonly mean: number | null; readonly deviation: number | null },
  random: Random,
): Ends {
  if (mean === null || deviation === null || deviation === 0) return point(values);
  const size = values.length;
  const centred = Float64Array.from(values, (value) => value - mean);
  const scores = new Float64Array(resamples);
  for (let resample = 0; resample < resamples; resample += 1) {
    let [sum, squares] = [0, 0];
    for (let draw = 0; draw < size; draw += 1) {
      const value = centred[Math.floor(random() * size)] as number;
      sum += value;
      squares += value * value;
    }
    const variance = (squares - (sum * sum) / size) / (size - 1);
    const hasSpread = variance > 1e-24;
    scores[resample] = hasSpread ? sum / Math.sqrt(size * variance) : Math.sign(sum) * 1e9;
  }
  const error = deviation / Math.sqrt(size);
  const [lower, upper] = quantiles(scores);
  return { low: Math.max(-1, mean - upper * error), high: Math.min(1, mean - lower * error) };
}

/**
 * The means that the randomization test does not reject: Σ signs (d − θ) is as large as Σ (d − θ) when the mean of the
 * flipped differences is θ, so that the ends are quantiles of means of random subsets (Hartigan, JASA 64, 1969).
 */
function invertTest(values: readonly number[], random: Random): Ends {
  const means = new Float64Array(resamples);
  for (let resample = 0; resample < resamples; resample += 1) {
    const drawn = values.filter(() => random() < 0.5);
    const kept = drawn.length > 0 ? drawn : values;
    means[resample] = kept.reduce((sum, value) => sum + value, 0) / kept.length;
  }
  const [low, high] = quantiles(means);
  return { low, high };
}

function quantiles(values: Float64Array): readonly [number, number] {
  const sorted = values.toSorted();
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN;
  return [at((1 - confidence) / 2), at((1 + confidence) / 2)];
}

function point(values: readonly number[]): Ends {
  const value = values[0] ?? Number.NaN;
  return { low: value, high: value };
}

/** Wilson's interval of a share (JASA 22, 1927), with the values in place of hits. */
export function wilsonInterval(values: readonly number[]): Ends {
  const size = values.length;
  const share = values.reduce((sum, value) => sum + value, 0) / size;
  const z = 1.959963984540054;
  const centre = (share + z ** 2 / (2 * size)) / (1 + z ** 2 / size);
  const reach =
    (z / (1 + z ** 2 / size)) * Math.sqrt((share * (1 - share)) / size + z ** 2 / (4 * size ** 2));
  return { low: centre - reach, high: centre + reach };
}
