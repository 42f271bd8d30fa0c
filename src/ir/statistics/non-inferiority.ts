import tCdf from '@stdlib/stats-base-dists-t-cdf';
import tQuantile from '@stdlib/stats-base-dists-t-quantile';

import { bcaInterval } from './bootstrap.ts';
import { pairDifferences, summarizeDifferences, type DifferenceSummary } from './differences.ts';
import { levelOf } from './level.ts';
import { mean } from './mean.ts';
import { smallestP } from './two-sided-p.ts';

export interface NonInferiorityOptions {
  /** The largest drop of the mean that is accepted: the margin, 0 or more. */
  readonly maxDrop: number;
  /** Of each one-sided bound, above 0.5 and below 1. */
  readonly confidence: number;
  /** Bootstrap resamples. */
  readonly resamples: number;
  readonly seed: number;
}

export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** How far the candidate's mean may lie below the baseline's, by the same questions. */
export interface NonInferiority {
  readonly questions: number;
  readonly means: { readonly baseline: number | null; readonly candidate: number | null };
  /** Candidate minus baseline. */
  readonly meanDifference: number | null;
  /** Each bound is one-sided: the mean difference is above `low` with the stated confidence, and so for `high`. */
  readonly bounds: {
    readonly t: Bounds | null;
    /** `null` also beyond the questions that are resampled. */
    readonly bca: Bounds | null;
  };
  /** The less favourable of the bounds on each side: what a verdict is read off. */
  readonly lowerBound: number | null;
  readonly upperBound: number | null;
  /** One-sided p of "the drop is no larger than accepted": small when it is shown to be larger, never 0. */
  readonly pLarger: number | null;
  /** Even the range of so few differences cannot hold what the bounds state. */
  readonly isTooFew: boolean;
}

/** Beyond this many differences the mean is normal enough for t alone, and resampling would hold the process up. */
const maxResampled = 5000;

/**
 * Non-inferiority on paired values: the candidate is not inferior when the lower bound of the mean
 * difference reaches −maxDrop (Schuirmann, J. Pharmacokin. Biopharm. 15, 1987, one side of it; Piaggio et
 * al., JAMA 308, 2012). Both bounds are the wider of Student's t (Biometrika 1908) and the one-sided BCa
 * bootstrap (Efron, JASA 82, 1987).
 */
export function testNonInferiority(
  baseline: readonly number[],
  candidate: readonly number[],
  options: NonInferiorityOptions,
): NonInferiority {
  const { maxDrop, confidence } = options;
  const differences = pairDifferences(baseline, candidate);
  const summary = summarizeDifferences(differences);
  const t = tBounds(summary, confidence);
  const bca = bcaBounds(differences, options);
  return {
    questions: summary.questions,
    means: { baseline: mean(baseline), candidate: mean(candidate) },
    meanDifference: summary.mean,
    bounds: { t, bca },
    lowerBound: t && Math.min(t.low, bca?.low ?? t.low),
    upperBound: t && Math.max(t.high, bca?.high ?? t.high),
    pLarger: pOfLargerDrop(summary, maxDrop),
    isTooFew: 2 ** -summary.questions > levelOf(confidence),
  };
}

/** mean ± t(confidence, n − 1) · deviation / √n; equal differences give that value twice. */
function tBounds(
  { questions, mean: average, deviation }: DifferenceSummary,
  confidence: number,
): Bounds | null {
  if (average === null || deviation === null) return null;
  const reach = (tQuantile(confidence, questions - 1) * deviation) / Math.sqrt(questions);
  return { low: average - reach, high: average + reach };
}

/** Two one-sided bounds at a confidence are the ends of the interval that leaves 1 − confidence out on each side. */
function bcaBounds(
  differences: readonly number[],
  { confidence, resamples, seed }: NonInferiorityOptions,
): Bounds | null {
  if (differences.length > maxResampled) return null;
  const interval = bcaInterval(differences, { confidence: 2 * confidence - 1, resamples, seed });
  return interval && { low: interval.low, high: interval.high };
}

/** Of the t-test against −maxDrop; of equal differences, that of the sign test against it. */
function pOfLargerDrop(
  { questions, mean: average, deviation }: DifferenceSummary,
  maxDrop: number,
): number | null {
  if (average === null || deviation === null) return null;
  if (deviation === 0) return average < -maxDrop ? Math.max(2 ** -questions, smallestP) : 1;
  const statistic = (average + maxDrop) / (deviation / Math.sqrt(questions));
  return Math.max(tCdf(statistic, questions - 1), smallestP);
}
