import { blindTo } from './blind-to.ts';
import { assertBootstrap, type BootstrapOptions } from './bootstrap.ts';
import { boundedMeanP } from './bounded-mean.ts';
import { comparisonNotes } from './comparison-notes.ts';
import { pairDifferences, summarizeDifferences, type DifferenceSummary } from './differences.ts';
import { levelOf } from './level.ts';
import { differenceInterval } from './mean-interval.ts';
import { mean } from './mean.ts';
import type { PairedComparison } from './paired-comparison.ts';
import { minimumDetectableEffect } from './power.ts';
import { randomizationTest, type RandomizationResult } from './randomization.ts';
import { signTest } from './sign-test.ts';
import { pairedTTest } from './t-test.ts';
import { verdictOf } from './verdict.ts';
import { wilcoxonTest } from './wilcoxon.ts';

/** One minus `confidence` is the level of the tests. */
export interface ComparisonOptions extends BootstrapOptions {
  /** Random sign assignments, where there are too many to try all. */
  readonly permutations: number;
  /** Whether the values lie between 0 and 1 by definition, so that no difference is beyond ±1. Default: not. */
  readonly isBounded?: boolean | undefined;
}

/** The power at which a difference counts as detectable (Cohen 1988, convention). */
const detectionPower = 0.8;

/**
 * Compares two systems on the same questions, one value a question, in the same order. Equal
 * arguments give equal results on every machine. Throws RangeError for lists of unequal length,
 * values that are not finite, and options out of range.
 */
export function comparePaired(
  baseline: readonly number[],
  candidate: readonly number[],
  options: ComparisonOptions,
): PairedComparison {
  const measured = measurePaired(baseline, candidate, options);
  return concludePaired(measured, randomizePaired(baseline, candidate, options), options);
}

/** All of a comparison but the randomization test and what it decides. */
export interface MeasuredPairs extends Omit<PairedComparison, 'tests' | 'verdict' | 'notes'> {
  readonly tests: Omit<PairedComparison['tests'], 'randomization'>;
}

/** `comparePaired` without its randomization test, which can be made elsewhere meanwhile. */
export function measurePaired(
  baseline: readonly number[],
  candidate: readonly number[],
  options: ComparisonOptions,
): MeasuredPairs {
  assertOptions(options);
  const differences = pairDifferences(baseline, candidate);
  const summary = summarizeDifferences(differences);
  const { confidence } = options;
  return {
    questions: summary.questions,
    wins: summary.wins,
    losses: summary.losses,
    ties: summary.ties,
    means: { baseline: mean(baseline), candidate: mean(candidate) },
    meanDifference: summary.mean,
    interval: differenceInterval(differences, options),
    tests: {
      t: pairedTTest(summary),
      wilcoxon: wilcoxonTest(differences),
      sign: signTest(summary),
      guaranteed: { p: options.isBounded === true ? boundedMeanP(differences) : null },
    },
    blindTo: blindTo(summary.questions, confidence),
    effectSize: effectSize(summary),
    minimumDetectableDifference: minimumDetectableDifference(summary, confidence),
  };
}

export function randomizePaired(
  baseline: readonly number[],
  candidate: readonly number[],
  options: ComparisonOptions,
): RandomizationResult {
  assertOptions(options);
  return randomizationTest(pairDifferences(baseline, candidate), options);
}

export function concludePaired(
  measured: MeasuredPairs,
  randomization: RandomizationResult,
  { confidence }: ComparisonOptions,
): PairedComparison {
  const found = {
    ...measured,
    tests: { randomization, ...measured.tests },
    verdict: verdictOf(measured.interval, randomization.p, levelOf(confidence)),
  };
  return { ...found, notes: comparisonNotes(found, { confidence, p: randomization.p }) };
}

function assertOptions({ permutations, ...bootstrap }: ComparisonOptions): void {
  assertBootstrap(bootstrap);
  if (!Number.isSafeInteger(permutations) || permutations < 1) {
    throw new RangeError(`permutations must be a positive whole number, not ${permutations}`);
  }
}

function effectSize({ mean: average, deviation }: DifferenceSummary): number | null {
  return average === null || deviation === null || deviation === 0 ? null : average / deviation;
}

function minimumDetectableDifference(
  { questions, deviation }: DifferenceSummary,
  confidence: number,
): number | null {
  if (deviation === null || deviation === 0) return null;
  const effect = minimumDetectableEffect({
    n: questions,
    alpha: 1 - confidence,
    power: detectionPower,
    alternative: 'two-sided',
  });
  return effect * deviation;
}
