/** A running mean whose rounding error does not grow with the number of values. */
export interface Mean {
  readonly add: (value: number) => void;
  readonly count: number;
  /** undefined before the first value. */
  readonly mean: number | undefined;
}

/**
 * A mean over finite values by compensated summation (Neumaier, Rundungsfehleranalyse einiger Verfahren
 * zur Summation endlicher Summen, ZAMM 54, 1974).
 */
export function createMean(): Mean {
  let sum = 0;
  let compensation = 0;
  let count = 0;
  return {
    add(value) {
      const total = sum + value;
      const isSumLarger = Math.abs(sum) >= Math.abs(value);
      compensation += isSumLarger ? sum - total + value : value - total + sum;
      sum = total;
      count += 1;
    },
    get count() {
      return count;
    },
    get mean() {
      return count === 0 ? undefined : (sum + compensation) / count;
    },
  };
}
