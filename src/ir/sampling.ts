import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { mersenne } from 'pure-rand/generator/mersenne';

export interface SampleOptions {
  readonly size: number;
  /** A whole number; those that agree modulo 2^32 give the same sample. */
  readonly seed: number;
}

/**
 * A simple random sample without replacement, in the order of `ids`; all of them when `size` is not
 * smaller. The same ids in the same order, size and seed give the same sample on every machine.
 * Selection sampling (Knuth, The Art of Computer Programming, volume 2, algorithm 3.4.2 S) with MT19937.
 */
export function sampleIds(
  ids: readonly string[],
  { size, seed }: SampleOptions,
): readonly string[] {
  if (!Number.isSafeInteger(size) || size < 0) {
    throw new RangeError(`the sample size must be a whole number of 0 or more, not ${size}`);
  }
  const random = mersenne(seed);
  const sample: string[] = [];
  for (const [index, id] of ids.entries()) {
    const wanted = size - sample.length;
    const left = ids.length - index;
    if (uniformInt(random, 0, left - 1) < wanted) sample.push(id);
  }
  return sample;
}
