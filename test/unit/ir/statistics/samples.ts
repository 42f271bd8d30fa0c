/** Student's sleep data (Biometrika 1908): hours of sleep gained under two drugs. */
export const sleep = {
  first: [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
  second: [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
};

/** Darwin's maize, crossed minus self-fertilised, in eighths of an inch (Fisher, The Design of Experiments 1935, § 17). */
export const maize = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];

/** The relative difference of two numbers. */
export function relativeError(actual: number | null, expected: number): number {
  return Math.abs((actual ?? Number.NaN) - expected) / Math.abs(expected);
}

/** The absolute difference of two numbers. */
export function absoluteError(actual: number | null | undefined, expected: number): number {
  return Math.abs((actual ?? Number.NaN) - expected);
}
