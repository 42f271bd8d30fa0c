import type { PairedComparison } from './paired-comparison.ts';

/** The sentences that a comparison carries where a number is missing, or says less than it seems to. */
export function comparisonNotes(
  comparison: Omit<PairedComparison, 'notes'>,
  confidence: number,
): readonly string[] {
  return [
    missingNumbers(comparison),
    tooFewQuestions(comparison, confidence),
    tooFewResamples(comparison),
    disagreement(comparison, confidence),
  ].filter((note) => note !== null);
}

/** Whether the randomization test fails to confirm a verdict that the interval gives. */
export function isUnconfirmed(
  { verdict, tests }: Pick<PairedComparison, 'verdict' | 'tests'>,
  confidence: number,
): boolean {
  return verdict !== 'inconclusive' && tests.randomization.p > 1 - confidence;
}

function missingNumbers(comparison: Omit<PairedComparison, 'notes'>): string | null {
  const { questions, ties, effectSize } = comparison;
  if (questions === 0) return 'There is no question to compare on, so every number is missing.';
  if (questions === 1) {
    return 'One question has no spread: interval, t-test, effect size and minimum detectable difference need two or more.';
  }
  if (ties === questions) {
    return 'Every question ties: t-test, Wilcoxon test, sign test, effect size and minimum detectable difference are undefined.';
  }
  if (effectSize === null) {
    return 'Every question differs by the same amount: without spread the interval is that one value, and t-test, effect size and minimum detectable difference are undefined.';
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
  comparison: Omit<PairedComparison, 'notes'>,
  confidence: number,
): string | null {
  if (!isUnconfirmed(comparison, confidence)) return null;
  return 'The interval excludes zero but the randomization test does not confirm it at this confidence: treat the verdict as a hint.';
}
