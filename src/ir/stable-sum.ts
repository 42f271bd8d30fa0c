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

/** As many means as there are columns, each as `createMean` makes it, in two arrays of numbers. */
export interface MeanColumns {
  /** One value a column; a missing one counts as NaN. */
  readonly add: (values: readonly number[]) => void;
  readonly count: () => number;
  /** undefined before the first row. */
  readonly meanOf: (column: number) => number | undefined;
}

/** Means of many columns: a scorecard has one for each slice and measure, so that an object for each takes too much memory. */
export function createMeanColumns(columns: number): MeanColumns {
  const sums = new Float64Array(columns);
  const compensations = new Float64Array(columns);
  let count = 0;
  return {
    add(values) {
      count += 1;
      for (let column = 0; column < columns; column += 1) {
        const value = values[column] ?? Number.NaN;
        const sum = sums[column] ?? 0;
        const total = sum + value;
        const isSumLarger = Math.abs(sum) >= Math.abs(value);
        const lost = isSumLarger ? sum - total + value : value - total + sum;
        compensations[column] = (compensations[column] ?? 0) + lost;
        sums[column] = total;
      }
    },
    count: () => count,
    meanOf: (column) =>
      count === 0 ? undefined : ((sums[column] ?? 0) + (compensations[column] ?? 0)) / count,
  };
}
