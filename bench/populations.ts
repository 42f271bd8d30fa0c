import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Uniform on [0, 1). */
export type Random = () => number;

export interface Population {
  readonly name: string;
  readonly mean: number;
  readonly draw: (random: Random) => number;
  /** The chance of an outcome so large that a sample without it tells nothing of the mean; 0: there is none. */
  readonly rare: number;
}

export function createRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  generator.jump();
  return () => uniformFloat64(generator);
}

/** Sizes of the differences in nDCG@3 of two methods on 20 questions, 14 of them ties. */
const seenSizes = [0.471, 0.24, 0.48, 0.38, 0.631, 0.369, ...Array.from({ length: 14 }, () => 0)];

/** Differences of two systems that are equally good: the mean is 0 in all. */
export const differencePopulations: readonly Population[] = [
  { ...centred('normal, deviation 0.2'), draw: (random) => bound(0.2 * drawNormal(random)) },
  {
    ...centred('skewed (exponential)'),
    draw: (random) => bound(0.15 * (-Math.log1p(-random()) - 1)),
  },
  {
    ...centred('heavy tails (t, 3 degrees)'),
    draw: (random) => {
      const squares = [0, 1, 2].map(() => drawNormal(random) ** 2);
      const chi = squares.reduce((sum, square) => sum + square, 0);
      return bound((0.08 * drawNormal(random)) / Math.sqrt(chi / 3));
    },
  },
  {
    ...centred('ties, rare jumps (10 % ±0.5)'),
    draw: (random) => drawOne(random, [0.05, 0.5], [0.05, -0.5]),
  },
  {
    ...centred('hits that flip (30 % ±1)'),
    draw: (random) => drawOne(random, [0.15, 1], [0.15, -1]),
  },
  {
    ...centred('halves of RR'),
    draw: (random) => {
      const baseline = drawReciprocal(random);
      return random() < 0.6 ? 0 : drawReciprocal(random) - baseline;
    },
  },
  {
    ...centred('60 % ties, else normal'),
    draw: (random) => (random() < 0.6 ? 0 : bound(0.25 * drawNormal(random))),
  },
  {
    ...centred('40 % gain up to 0.5, all lose 0.1'),
    draw: (random) => (random() < 0.4 ? 0.5 * random() : 0) - 0.1,
  },
  {
    ...centred('20 seen differences, random signs'),
    draw: (random) => {
      const size = seenSizes[Math.floor(random() * seenSizes.length)] ?? 0;
      return random() < 0.5 ? size : -size;
    },
  },
  {
    ...centred('10 % × −0.9, else +0.1'),
    rare: 0.1,
    draw: (random) => (random() < 0.1 ? -0.9 : 0.1),
  },
  {
    ...centred('one loss in twenty (5 % × −0.95)'),
    rare: 0.05,
    draw: (random) => (random() < 0.05 ? -0.95 : 0.05),
  },
  {
    ...centred('30 % × +0.1, 3 % × −1'),
    rare: 0.03,
    draw: (random) => drawOne(random, [0.03, -1], [0.3, 0.1]),
  },
];

/** Values of measures from 0 to 1. */
export const valuePopulations: readonly Population[] = [
  hits(0.5),
  hits(0.8),
  hits(0.95),
  hits(0.99),
  {
    name: 'nDCG: 20 % 0, 10 % 1, else middling',
    mean: 0.45,
    rare: 0,
    draw: (random) => {
      const kind = random();
      if (kind < 0.2) return 0;
      return kind < 0.3 ? 1 : (random() + random()) / 2;
    },
  },
  {
    name: 'nDCG: 90 % 1, else 0 to 0.8',
    mean: 0.94,
    rare: 0.1,
    draw: (random) => (random() < 0.9 ? 1 : 0.8 * random()),
  },
  {
    name: 'RR: 1, 1/2, 1/3 or 0',
    mean: 0.5 + 0.2 / 2 + 0.15 / 3,
    rare: 0,
    draw: (random) => drawOne(random, [0.5, 1], [0.2, 1 / 2], [0.15, 1 / 3]),
  },
  {
    name: 'P@10 with few relevant (0 to 0.3)',
    mean: 0.1,
    rare: 0,
    draw: (random) => drawOne(random, [0.4, 0.1], [0.15, 0.2], [0.1, 0.3]),
  },
  {
    name: 'R of three: 0, 1/3, 2/3 or 1',
    mean: 0.6 + 0.2 * (2 / 3) + 0.1 / 3,
    rare: 0,
    draw: (random) => drawOne(random, [0.6, 1], [0.2, 2 / 3], [0.1, 1 / 3]),
  },
];

function centred(name: string): Pick<Population, 'name' | 'mean' | 'rare'> {
  return { name, mean: 0, rare: 0 };
}

function hits(rate: number): Population {
  const name = `hits, ${100 * rate} %`;
  const rare = rate > 0.8 ? 1 - rate : 0;
  return { name, mean: rate, rare, draw: (random) => (random() < rate ? 1 : 0) };
}

/** Each outcome with its chance; 0 with the rest. */
function drawOne(random: Random, ...outcomes: readonly (readonly [number, number])[]): number {
  let left = random();
  for (const [chance, value] of outcomes) {
    if (left < chance) return value;
    left -= chance;
  }
  return 0;
}

function drawReciprocal(random: Random): number {
  return drawOne(random, [0.4, 1], [0.2, 1 / 2], [0.1, 1 / 3], [0.1, 1 / 4]);
}

/** Box and Muller's. */
function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log1p(-random())) * Math.cos(2 * Math.PI * random());
}

function bound(difference: number): number {
  return Math.max(-1, Math.min(1, difference));
}
