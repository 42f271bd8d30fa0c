import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { JumpableRandomGenerator } from 'pure-rand/types/JumpableRandomGenerator';

/** A source of 32-bit words. `next` changes it. */
type RandomStream = Pick<JumpableRandomGenerator, 'next'>;

const jumps = { bootstrap: 1, randomization: 2 } as const;

/**
 * The random words that a purpose takes from a seed (its low 32 bits), the same on every machine.
 * Streams lie 2^64 words apart in one xoroshiro128+ sequence, so that no count drawn from one
 * changes the other; the first jump also mixes neighbouring seeds apart.
 */
export function randomStream(seed: number, purpose: keyof typeof jumps): RandomStream {
  const generator = xoroshiro128plus(seed);
  for (let jump = 0; jump < jumps[purpose]; jump += 1) generator.jump();
  return generator;
}

/** A whole number from 0 to below `bound`, without modulo bias (Lemire, ACM TOMACS 2019). `bound` is at most 2^21. */
export function nextBelow(stream: RandomStream, bound: number): number {
  let word = stream.next() >>> 0;
  if (Math.imul(word, bound) >>> 0 < bound) {
    const rejectedBelow = 2 ** 32 % bound;
    while (Math.imul(word, bound) >>> 0 < rejectedBelow) word = stream.next() >>> 0;
  }
  return (word * bound * 2 ** -32) >>> 0;
}
