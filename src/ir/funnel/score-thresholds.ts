/** Collects scores for quantiles, in bounded memory. */
export interface ThresholdFinder {
  readonly add: (score: number) => void;
  /** Scores that occurred, rising and distinct: the quantiles 0, 1/n … 1 by nearest rank. None without a score. */
  readonly toThresholds: (n: number) => readonly number[];
}

/**
 * Quantiles of the scores that are added. Beyond `maxKept` scores every second, then every fourth one counts and
 * so on, so that quantiles are close and not exact; the lowest and the highest score always are.
 */
export function createThresholdFinder(maxKept = 1_000_000): ThresholdFinder {
  let kept: number[] = [];
  let stride = 1;
  let count = 0;
  let lowest = Infinity;
  let highest = -Infinity;
  return {
    add(score) {
      lowest = Math.min(lowest, score);
      highest = Math.max(highest, score);
      if (count % stride === 0) kept.push(score);
      count += 1;
      if (kept.length <= maxKept) return;
      kept = kept.filter((_score, index) => index % 2 === 0);
      stride *= 2;
    },
    toThresholds(n) {
      if (count === 0) return [];
      const sorted = Float64Array.from(kept).toSorted();
      const inner = Array.from({ length: n - 1 }, (_none, index) => {
        const rank = Math.ceil(((index + 1) / n) * sorted.length);
        return sorted[rank - 1] ?? lowest;
      });
      return [...new Set([lowest, ...inner, highest])].toSorted((a, b) => a - b);
    },
  };
}
