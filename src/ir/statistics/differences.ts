import { mean } from './mean.ts';
import { numberAt } from './number-at.ts';

/** What the tests need of the differences. `deviation` is the standard deviation with n − 1, `null` below two questions. */
export interface DifferenceSummary {
  readonly questions: number;
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  readonly mean: number | null;
  readonly deviation: number | null;
}

/** How far apart two numbers may be, relative to the values they were computed from, and still be the same number. */
export const relativeTolerance = 1e-12;

/** Beyond this size the third powers that BCa needs could overflow. */
const largestValue = 1e100;

interface Difference {
  readonly index: number;
  readonly value: number;
  /** The larger of the two values subtracted: what the rounding error is proportional to. */
  readonly scale: number;
}

/**
 * Candidate minus baseline, with rounding noise removed: a difference within `relativeTolerance` of
 * its operands is 0, and differences whose sizes agree within it get the same size. Without this,
 * noise in the last bit decides ranks and ties, and a constant shift gets a variance.
 */
export function pairDifferences(
  baseline: readonly number[],
  candidate: readonly number[],
): readonly number[] {
  if (baseline.length !== candidate.length) {
    throw new RangeError(
      `a paired comparison requires the same questions: ${baseline.length} baseline values, ${candidate.length} candidate values`,
    );
  }
  return withEqualSizes(
    candidate.map((value, index) => subtract(value, numberAt(baseline, index), index)),
  );
}

/** Counts, mean and standard deviation of the differences. Equal differences have a deviation of exactly 0. */
export function summarizeDifferences(differences: readonly number[]): DifferenceSummary {
  const average = mean(differences);
  return {
    questions: differences.length,
    wins: differences.filter((difference) => difference > 0).length,
    losses: differences.filter((difference) => difference < 0).length,
    ties: differences.filter((difference) => difference === 0).length,
    mean: isConstant(differences) ? (differences[0] ?? null) : average,
    deviation: average === null ? null : standardDeviation(differences, average),
  };
}

/** Whether all differences are the same, so that they have no spread. */
export function isConstant(differences: readonly number[]): boolean {
  return differences.every((difference) => difference === differences[0]);
}

function subtract(value: number, subtrahend: number, index: number): Difference {
  const scale = Math.max(Math.abs(value), Math.abs(subtrahend));
  if (!(scale <= largestValue)) {
    throw new RangeError(
      `values must be finite and within ±${largestValue}, question ${index + 1} is not`,
    );
  }
  const difference = value - subtrahend;
  return {
    index,
    scale,
    value: Math.abs(difference) <= relativeTolerance * scale ? 0 : difference,
  };
}

function withEqualSizes(differences: readonly Difference[]): readonly number[] {
  const values = differences.map(({ value }) => value);
  let first: Difference | undefined;
  for (const difference of differences.toSorted((a, b) => Math.abs(a.value) - Math.abs(b.value))) {
    if (first === undefined || !isSameSize(first, difference)) first = difference;
    values[difference.index] = Math.sign(difference.value) * Math.abs(first.value);
  }
  return values;
}

function isSameSize(a: Difference, b: Difference): boolean {
  if (a.value === 0 || b.value === 0) return a.value === b.value;
  const scale = Math.max(a.scale, b.scale);
  return Math.abs(Math.abs(a.value) - Math.abs(b.value)) <= relativeTolerance * scale;
}

function standardDeviation(differences: readonly number[], average: number): number | null {
  if (differences.length < 2) return null;
  if (isConstant(differences)) return 0;
  const squares = differences.map((difference) => (difference - average) ** 2);
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / (differences.length - 1));
}
