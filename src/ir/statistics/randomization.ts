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
const tableSize = 2 ** groupSize;
const groupsPerWord = 4;

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

/** Samples that are summed side by side: their tables stay in the cache of the processor. Each sum keeps its order. */
const together = 128;

function countExtremeSamples(
  nonZero: readonly number[],
  threshold: number,
  { permutations, seed }: RandomizationOptions,
): number {
  const stream = randomStream(seed, 'randomization');
  const tables = signedSumTables(nonZero);
  const wordsEach = tables.length / (groupsPerWord * tableSize);
  const words = new Int32Array(wordsEach * together);
  const sums = new Float64Array(together);
  let extreme = 0;
  for (let done = 0; done < permutations; done += together) {
    const samples = Math.min(together, permutations - done);
    for (let place = 0; place < samples * wordsEach; place += 1) words[place] = stream.next();
    addSigned(sums.fill(0), { tables, words, wordsEach, samples });
    for (let sample = 0; sample < samples; sample += 1) {
      if (Math.abs(sums[sample] as number) >= threshold) extreme += 1;
    }
  }
  return extreme;
}

/** Adds to each sample the sums that the bytes of its words pick, one from each table. */
function addSigned(
  sums: Float64Array,
  {
    tables,
    words,
    wordsEach,
    samples,
  }: {
    readonly tables: Float64Array;
    readonly words: Int32Array;
    readonly wordsEach: number;
    readonly samples: number;
  },
): void {
  for (let index = 0; index < wordsEach; index += 1) {
    const first = index * groupsPerWord * tableSize;
    const [second, third, fourth] = [1, 2, 3].map((group) => first + group * tableSize) as [
      number,
      number,
      number,
    ];
    for (let sample = 0; sample < samples; sample += 1) {
      const word = words[sample * wordsEach + index] as number;
      sums[sample] =
        (sums[sample] as number) +
        (tables[first + (word & 0xff)] as number) +
        (tables[second + ((word >>> 8) & 0xff)] as number) +
        (tables[third + ((word >>> 16) & 0xff)] as number) +
        (tables[fourth + (word >>> 24)] as number);
    }
  }
}

/** One table after the other for whole words, each of all signed sums of `groupSize` differences (padded with zeros). */
function signedSumTables(values: readonly number[]): Float64Array {
  const groups = groupsPerWord * Math.ceil(values.length / (groupsPerWord * groupSize));
  const tables = new Float64Array(groups * tableSize);
  for (let group = 0; group < groups; group += 1) {
    const members = values.slice(group * groupSize, (group + 1) * groupSize);
    const padding = Array.from({ length: groupSize - members.length }, () => 0);
    tables.set(signedSums([...members, ...padding]), group * tableSize);
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
