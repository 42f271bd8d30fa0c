/**
 * How often does a gate pass a candidate whose true drop is exactly the accepted one, which it may in 5 % of
 * the cases, and how often one that lost nothing? Draws question sets from populations of differences. Seeded.
 *
 * node bench/gate-error-rates.ts [gates a cell, default 2000]
 */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

import { print, printTable } from '../scripts/demo/print.ts';
import { judgeDrop } from '../src/ir/statistics/gate-verdict.ts';
import { testNonInferiority } from '../src/ir/statistics/non-inferiority.ts';

const repetitions = Number(process.argv[2] ?? 2000);
const rules = { maxDrop: 0.02, confidence: 0.95 };

type Random = () => number;

/** Differences by the chance of each, of mean 0; the rest is 0. A loss of the accepted size is added to it. */
const populations = [
  {
    name: 'many small changes',
    changes: [
      [0.2, 0.1],
      [0.2, -0.1],
    ],
  },
  {
    name: 'a few large changes',
    changes: [
      [0.04, 0.5],
      [0.04, -0.5],
    ],
  },
  {
    name: 'rare losses, small gains',
    changes: [
      [0.02, -0.8],
      [0.32, 0.05],
    ],
  },
] as const;

print(`Gates with maxDrop 0.02 at 95 %, ${repetitions} a cell.`);
printTable(
  [
    'differences',
    'questions',
    'passed at a drop of 0.02',
    'passed without a drop',
    'failed at 0.02',
  ],
  populations.flatMap(({ name, changes }) =>
    [20, 50, 150, 500].map((questions) => {
      const atMargin = countVerdicts(changes, questions, 0.02);
      const without = countVerdicts(changes, questions, 0);
      return [
        name,
        String(questions),
        percent(atMargin.pass),
        percent(without.pass),
        percent(atMargin.fail),
      ];
    }),
  ),
);

type Changes = (typeof populations)[number]['changes'];

function countVerdicts(
  changes: Changes,
  questions: number,
  drop: number,
): { readonly pass: number; readonly fail: number } {
  const counts = { pass: 0, inconclusive: 0, fail: 0 };
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    const random = createRandom(repetition);
    const differences = Array.from(
      { length: questions },
      () => draw(changes, random) - lose(drop, random),
    );
    const options = { ...rules, resamples: 2000, seed: repetition };
    const zeros = differences.map(() => 0);
    const test = testNonInferiority(zeros, differences, options);
    counts[judgeDrop(test, { ...rules, pAdjusted: test.pLarger })] += 1;
  }
  return counts;
}

function draw(changes: Changes, random: Random): number {
  let left = random();
  for (const [chance, size] of changes) {
    if (left < chance) return size;
    left -= chance;
  }
  return 0;
}

/** Every twentieth question loses twenty times the drop. */
function lose(drop: number, random: Random): number {
  return random() < 0.05 ? 20 * drop : 0;
}

function createRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  generator.jump();
  return () => (generator.next() >>> 0) / 2 ** 32;
}

function percent(count: number): string {
  return `${((100 * count) / repetitions).toFixed(1)} %`;
}
