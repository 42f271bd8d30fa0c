import { assertBootstrap, bcaIntervals, type BootstrapOptions } from './bootstrap.ts';
import { boundedMeanInterval, type Range } from './bounded-mean.ts';
import { pairDifferences, summarizeDifferences } from './differences.ts';
import { envelope, type Ends } from './ends.ts';
import { skewedTInterval } from './skewed-t-interval.ts';
import { tInterval } from './t-interval.ts';

/** Confidence interval of the mean over all such questions. `bench/statistics.ts` shows how often each holds. */
export interface MeanInterval extends Ends {
  /**
   * How `low` and `high` are made. `gaffke`: from the range of the values alone. `t-and-hall`: the wider of Student's t and
   * Hall's correction of it for skewness, on each side.
   */
  readonly method: 'gaffke' | 't-and-hall';
  readonly confidence: number;
  readonly bca: Ends;
  /** The uncorrected interval of the same resamples (Efron 1979): how far the correction moved the ends. */
  readonly percentile: Ends;
  readonly t: Ends;
  /** Of `bca` and `percentile`. */
  readonly resamples: number;
  readonly seed: number;
}

/** Values of the same questions in each column. */
interface Column {
  readonly values: readonly number[];
  /** Where the values lie by definition; null where that has no end, or where the values are differences. */
  readonly range: Range | null;
}

/**
 * The interval of the mean of one measure over the questions of a scorecard or a slice: where the mean of
 * all such questions lies. `null` below two values. Values that differ by rounding noise only are equal, and equal
 * values give that one value as both ends unless their range says more. Throws RangeError for values that
 * are not finite or outside the range, and options out of range.
 */
export function meanInterval(
  values: readonly number[],
  range: Range | null,
  options: BootstrapOptions,
): MeanInterval | null {
  return meanIntervals([{ values, range }], options)[0] ?? null;
}

/** What `meanInterval` gives for each of several measures of the same questions, in a fraction of the time. */
export function meanIntervals(
  columns: readonly Column[],
  options: BootstrapOptions,
): readonly (MeanInterval | null)[] {
  assertBootstrap(options);
  const cleaned = columns.map(({ values, range }) => ({
    range,
    values: pairDifferences(
      values.map(() => 0),
      values,
    ),
  }));
  return intervalsOf(cleaned, options);
}

/** The interval of a mean of paired differences, as `pairDifferences` gives them. `null` below two. */
export function differenceInterval(
  differences: readonly number[],
  options: BootstrapOptions,
): MeanInterval | null {
  return intervalsOf([{ values: differences, range: null }], options)[0] ?? null;
}

function intervalsOf(
  columns: readonly Column[],
  options: BootstrapOptions,
): readonly (MeanInterval | null)[] {
  const { confidence, resamples, seed } = options;
  const bootstrapped = bcaIntervals(
    columns.map(({ values }) => values),
    options,
  );
  return columns.map(({ values, range }, index) => {
    const bootstrap = bootstrapped[index];
    const summary = summarizeDifferences(values);
    const t = tInterval(summary, confidence);
    const skewed = skewedTInterval(values, summary, confidence);
    if (!bootstrap || !t || !skewed) return null;
    const ends = range ? boundedMeanInterval(values, range, confidence) : envelope(t, skewed);
    const { low, high, percentile } = bootstrap;
    return {
      method: range ? 'gaffke' : 't-and-hall',
      confidence,
      ...ends,
      bca: { low, high },
      percentile,
      t,
      resamples,
      seed,
    };
  });
}
