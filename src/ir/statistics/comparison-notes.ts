import { levelOf } from './level.ts';
import type { PairedComparison } from './paired-comparison.ts';

interface Deciding {
  readonly confidence: number;
  /** Of the randomization test, adjusted in a family: the p that the verdict was read off. */
  readonly p: number;
}

/** The sentences that a comparison carries where a number is missing, or says less than it seems to. */
export function comparisonNotes(
  comparison: Omit<PairedComparison, 'notes'>,
  deciding: Deciding,
): readonly string[] {
  return [
    missingNumbers(comparison),
    tooFewQuestions(comparison, deciding.confidence),
    tooFewResamples(comparison),
    disagreement(comparison, deciding),
  ].filter((note) => note !== null);
}

function missingNumbers(comparison: Omit<PairedComparison, 'notes'>): string | null {
  const { questions, ties, effectSize } = comparison;
  if (questions === 0) return 'There are no questions to compare, so every number is missing.';
  if (questions === 1) {
    return 'A single question has no variation: interval, t-test, effect size and minimum detectable difference require two or more.';
  }
  if (ties === questions) {
    return 'Every question ties: t-test, Wilcoxon test, sign test, effect size and minimum detectable difference are undefined.';
  }
  if (effectSize === null) {
    return 'Every question differs by the same amount: without variation the interval is that one value, and t-test, effect size and minimum detectable difference are undefined.';
  }
  return null;
}

/**
 * The lowest and the highest of n differences enclose the middle of their distribution with
 * probability 1 − 2^(1−n) (David and Nagaraja, Order Statistics, 2003), and a bootstrap interval
 * never leaves them.
 */
function tooFewQuestions(
  { questions }: { readonly questions: number },
  confidence: number,
): string | null {
  const reached = 1 - 2 ** (1 - questions);
  if (questions < 2 || reached >= confidence) return null;
  return `${questions} questions are too few for this confidence: even the range from the lowest to the highest difference reaches only ${(100 * reached).toFixed(1)} %.`;
}

/** An end of the interval needs at least one resampled mean beyond it. */
function tooFewResamples({ interval }: Pick<PairedComparison, 'interval'>): string | null {
  if (interval === null || interval.resamples * (1 - interval.confidence) >= 2) return null;
  return `${interval.resamples} resamples are too few for this confidence: the ends of the interval are arbitrary.`;
}

function disagreement(
  { interval, tests }: Pick<PairedComparison, 'interval' | 'tests'>,
  { confidence, p }: Deciding,
): string | null {
  const excludesZero = interval !== null && (interval.low > 0 || interval.high < 0);
  const level = levelOf(confidence);
  if (!excludesZero || p <= level) return null;
  if (tests.randomization.p <= level) {
    return 'The interval excludes zero and the randomization test confirms it for this comparison alone, but not after correction for all comparisons (pAdjusted), so the verdict is inconclusive.';
  }
  return 'The interval excludes zero, but the randomization test does not confirm it at this confidence, so the verdict is inconclusive.';
}
