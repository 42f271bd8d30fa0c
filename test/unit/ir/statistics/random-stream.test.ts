import { describe, expect, it } from 'vitest';

import { nextBelow, randomStream } from '../../../../src/ir/statistics/random-stream.ts';

const draws = Array.from({ length: 30_000 }, (_, index) => index);

function words(seed: number, purpose: 'bootstrap' | 'randomization'): readonly number[] {
  const stream = randomStream(seed, purpose);
  return draws.slice(0, 100).map(() => stream.next());
}

function streamOf(...values: readonly number[]): { next: () => number } {
  const left = [...values];
  return { next: () => left.shift() ?? Number.NaN };
}

describe('randomStream', () => {
  it('repeats itself for a seed', () => {
    expect(words(7, 'bootstrap')).toEqual(words(7, 'bootstrap'));
  });

  it('differs between purposes and between neighbouring seeds', () => {
    const all = [words(7, 'bootstrap'), words(7, 'randomization'), words(8, 'bootstrap')].flat();
    expect(new Set(all).size).toBe(300);
  });
});

describe('nextBelow', () => {
  // By hand: of 2^32 words one too many falls on 0 for a bound of 3, so the word 0 is drawn again.
  it.each([
    ['the lowest word', [1], 0],
    ['the middle word', [2 ** 31], 1],
    ['the highest word, which is −1 as a signed number', [-1], 2],
    ['a word that would bias the result', [0, -1], 2],
  ])('maps %s', (_name, values, expected) => {
    expect(nextBelow(streamOf(...values), 3)).toBe(expected);
  });

  it('gives each of six faces its share, within 5 standard deviations', () => {
    const stream = randomStream(1, 'bootstrap');
    const faces = draws.map(() => nextBelow(stream, 6));
    const counts = [0, 1, 2, 3, 4, 5].map((face) => faces.filter((drawn) => drawn === face).length);
    const deviation = Math.sqrt(draws.length * (1 / 6) * (5 / 6));
    const worst = Math.max(...counts.map((count) => Math.abs(count - draws.length / 6)));
    expect(worst).toBeLessThan(5 * deviation);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(draws.length);
  });
});
