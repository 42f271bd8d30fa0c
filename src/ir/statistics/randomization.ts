import { relativeTolerance } from './differences.ts';
import { randomStream } from './random-stream.ts';

interface RandomizationOptions {
  readonly permutations: number;
  readonly seed: number;
}

/** Two-sided p. Exact over all sign assignments, or estimated from `permutations` random ones; never 0. */
export type RandomizationResult =
  | { readonly p: number; readonly exact: true }
  | { readonly p: number; readonly exact: false; readonly permutations: number };

/** Up to this many non-zero differences every sign assignment is tried (2^20 of them). */
const exactLimit = 20;

/** Differences per table of signed sums: one random byte picks the signs of all of them. */
const groupSize = 8;

/**
 * Fisher's randomization test of the mean difference: how often random signs on the differences give
 * a mean at least as far from zero (Smucker, Allan and Carterette, CIKM 2007).
 */
export function randomizationTest(
  differences: readonly number[],
  { permutations, seed }: RandomizationOptions,
): RandomizationResult {
  const nonZero = differences.filter((difference) => difference !== 0);
  const total = nonZero.reduce((sum, difference) => sum + difference, 0);
  const size = nonZero.reduce((sum, difference) => sum + Math.abs(difference), 0);
  // Sums that are equal on paper differ in the last bits, by how the additions were ordered.
  const threshold = Math.abs(total) - relativeTolerance * size;
  if (nonZero.length <= exactLimit) return { p: exactP(nonZero, threshold), exact: true };
  const extreme = countExtremeSamples(nonZero, threshold, { permutations, seed });
  // The observed assignment is one of the possible ones (Phipson and Smyth 2010).
  return { p: (extreme + 1) / (permutations + 1), exact: false, permutations };
}

/** Each assignment is one of the first half joined with one of the second, so no sum has more than 20 terms of rounding. */
function exactP(nonZero: readonly number[], threshold: number): number {
  const middle = nonZero.length >> 1;
  const firstSums = signedSums(nonZero.slice(0, middle));
  const secondSums = signedSums(nonZero.slice(middle));
  let extreme = 0;
  for (const first of firstSums) {
    for (const second of secondSums) {
      if (Math.abs(first + second) >= threshold) extreme += 1;
    }
  }
  return extreme / (firstSums.length * secondSums.length);
}

function countExtremeSamples(
  nonZero: readonly number[],
  threshold: number,
  { permutations, seed }: RandomizationOptions,
): number {
  const stream = randomStream(seed, 'randomization');
  const tables = signedSumTables(nonZero);
  const tableSize = 2 ** groupSize;
  let extreme = 0;
  for (let permutation = 0; permutation < permutations; permutation += 1) {
    let sum = 0;
    let word = 0;
    for (let start = 0, group = 0; start < tables.length; start += tableSize, group += 1) {
      word = group % 4 === 0 ? stream.next() : word >>> groupSize;
      sum += tables[start + (word & (tableSize - 1))] as number;
    }
    if (Math.abs(sum) >= threshold) extreme += 1;
  }
  return extreme;
}

/** One table after the other, each of all signed sums of `groupSize` differences (the last padded with zeros). */
function signedSumTables(values: readonly number[]): Float64Array {
  const groups = Math.ceil(values.length / groupSize);
  const tables = new Float64Array(groups * 2 ** groupSize);
  for (let group = 0; group < groups; group += 1) {
    const members = values.slice(group * groupSize, (group + 1) * groupSize);
    const padding = Array.from({ length: groupSize - members.length }, () => 0);
    tables.set(signedSums([...members, ...padding]), group * 2 ** groupSize);
  }
  return tables;
}

/** The sums of the values under every assignment of signs; bit i of the index set means value i is negated. */
function signedSums(values: readonly number[]): Float64Array {
  const sums = new Float64Array(2 ** values.length);
  for (const [position, value] of values.entries()) {
    const done = 2 ** position;
    for (let index = 0; index < done; index += 1) {
      const sum = sums[index] as number;
      sums[index] = sum + value;
      sums[index + done] = sum - value;
    }
  }
  return sums;
}
