import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Uniform in [0, 1). */
export type Random = () => number;

/** A population of differences, candidate minus baseline, whose mean is minus `drop`. */
export interface Population {
  readonly name: string;
  readonly draw: (random: Random, drop: number) => number;
}

export const populations: readonly Population[] = [
  { name: 'normal, deviation 0.15', draw: (random, drop) => bound(0.15 * normal(random) - drop) },
  {
    name: 'many small changes, one in twenty falls',
    draw: (random, drop) =>
      drawChange(random, [
        [0.2, 0.1],
        [0.2, -0.1],
      ]) - loseOneInTwenty(random, drop),
  },
  {
    name: 'a few large changes, one in twenty falls',
    draw: (random, drop) =>
      drawChange(random, [
        [0.04, 0.5],
        [0.04, -0.5],
      ]) - loseOneInTwenty(random, drop),
  },
  {
    name: 'hits that flip',
    draw: (random, drop) =>
      drawChange(random, [
        [0.03, 1],
        [0.03 + drop, -1],
      ]),
  },
  {
    name: 'small gains, rare large losses',
    draw: (random, drop) =>
      drawChange(random, [
        [0.02 + drop / 0.8, -0.8],
        [0.32, 0.05],
      ]),
  },
  { name: 'a few lose everything', draw: (random, drop) => drawChange(random, [[drop, -1]]) },
];

/** Changes with the chance of each; the rest is 0. */
function drawChange(random: Random, changes: readonly (readonly [number, number])[]): number {
  let left = random();
  for (const [chance, size] of changes) {
    if (left < chance) return size;
    left -= chance;
  }
  return 0;
}

/** Every twentieth question loses twenty times the drop, or more of them as much as half. */
function loseOneInTwenty(random: Random, drop: number): number {
  const chance = Math.max(0.05, 2 * drop);
  return random() < chance ? drop / chance : 0;
}

/** Box and Muller (Ann. Math. Statist. 29, 1958). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function bound(value: number): number {
  return Math.min(1, Math.max(-1, value));
}

/** The same numbers from a seed on every machine. */
export function createRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  generator.jump();
  return () => (generator.next() >>> 0) / 2 ** 32;
}
