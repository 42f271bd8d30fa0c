/**
 * How often does a gate pass a candidate whose true drop is exactly the accepted one, which it may in 5 % of the
 * cases, and how often one that lost nothing? And how often are two systems called equivalent that differ by the
 * margin? Draws question sets from populations of differences, for both strengths. Seeded.
 *
 * The bounds of `usual` are shown for every number of questions, so that the number can be chosen from which on
 * it uses them (src/ir/statistics/strength.ts).
 *
 * node bench/gate-error-rates.ts [draws a cell, default 1000]
 */
import { print, printTable } from '../scripts/demo/print.ts';
import { summarizeDifferences } from '../src/ir/statistics/differences.ts';
import { equivalenceTest } from '../src/ir/statistics/equivalence.ts';
import { judgeDrop } from '../src/ir/statistics/gate-verdict.ts';
import { gaffkeBound } from '../src/ir/statistics/gaffke.ts';
import { testNonInferiority } from '../src/ir/statistics/non-inferiority.ts';
import { questionsNeeded } from '../src/ir/statistics/strength.ts';
import { createRandom, populations, type Population, type Random } from './gate-populations.ts';

const repetitions = Number(process.argv[2] ?? 1000);
const confidence = 0.95;

type Draw = (random: Random) => number;

const oneInTwentyGains: Draw = (random) => (random() < 0.05 ? 1 : 0);
const smallChanges: Draw = (random) => (random() < 0.2 ? 0.1 * Math.sign(random() - 0.5) : 0);

print(
  `Gates with maxDrop 0.02 at 95 %, ${repetitions} a cell: passed at a drop of 0.02, and without.`,
);
printTable(
  [
    'differences',
    'questions',
    'usual: at 0.02',
    'without',
    'failed at 0.02',
    'guaranteed: at 0.02',
    'without',
  ],
  populations.flatMap((population) =>
    [10, 20, 50, 100, 150, 300].map((questions) => gateRow(population, questions, 0.02)),
  ),
);

print('');
print('The same where fewer questions are enough for `usual`.');
printTable(
  [
    'differences',
    'maxDrop',
    'questions',
    'usual: at maxDrop',
    'without',
    'failed',
    'guaranteed',
    'without',
  ],
  [0.05, 0.1, 0.2].flatMap((maxDrop) => {
    const questions =
      questionsNeeded('usual', { margin: maxDrop, confidence, isBounded: true }) ?? 0;
    return populations.map((population) => {
      const [name = '', ...rest] = gateRow(population, questions, maxDrop);
      return [name, String(maxDrop), ...rest];
    });
  }),
);

print('');
print(
  'Equivalence with margin 0.05 at 95 %: shown where one in twenty gains 1, and where nothing changed.',
);
printTable(
  ['questions', 'two t-tests: at 0.05', 'guaranteed: at 0.05', 'guaranteed, small changes'],
  [5, 10, 20, 50, 100, 150, 300].map((questions) => equivalenceRow(questions)),
);

interface Counts {
  readonly pass: number;
  readonly fail: number;
  readonly guaranteed: number;
}

function gateRow(population: Population, questions: number, maxDrop: number): string[] {
  const atMargin = countVerdicts(population, questions, { maxDrop, drop: maxDrop });
  const without = countVerdicts(population, questions, { maxDrop, drop: 0 });
  const found = [
    atMargin.pass,
    without.pass,
    atMargin.fail,
    atMargin.guaranteed,
    without.guaranteed,
  ];
  return [population.name, String(questions), ...found.map(percent)];
}

function countVerdicts(
  population: Population,
  questions: number,
  { maxDrop, drop }: { readonly maxDrop: number; readonly drop: number },
): Counts {
  const counts = { pass: 0, fail: 0, guaranteed: 0 };
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    const random = createRandom(repetition);
    const differences = Array.from({ length: questions }, () => population.draw(random, drop));
    const options = { maxDrop, confidence, resamples: 1000, seed: repetition };
    const test = testNonInferiority(
      differences.map(() => 0),
      differences,
      options,
    );
    const { p } = gaffkeBound(differences, { margin: maxDrop, confidence });
    const rules = { maxDrop, confidence, pAdjusted: test.pLarger };
    const verdict = judgeDrop(
      { ...test, guarantee: null, isIdentical: false, questionsNeeded: 50 },
      rules,
    );
    counts.pass +=
      !test.isTooFew && test.lowerBound !== null && test.lowerBound >= -maxDrop ? 1 : 0;
    counts.fail += verdict === 'fail' ? 1 : 0;
    counts.guaranteed += p <= 1 - confidence ? 1 : 0;
  }
  return counts;
}

function equivalenceRow(questions: number): string[] {
  const atMargin = countEquivalent(questions, oneInTwentyGains);
  const without = countEquivalent(questions, smallChanges);
  const found = [atMargin.usual, atMargin.guaranteed, without.guaranteed];
  return [String(questions), ...found.map(percent)];
}

function countEquivalent(
  questions: number,
  draw: Draw,
): { readonly usual: number; readonly guaranteed: number } {
  const counts = { usual: 0, guaranteed: 0 };
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    const random = createRandom(repetition);
    const differences = Array.from({ length: questions }, () => draw(random));
    const { interval } = equivalenceTest(summarizeDifferences(differences), {
      margin: 0.05,
      alpha: 0.05,
    });
    counts.usual += interval !== null && interval.low > -0.05 && interval.high < 0.05 ? 1 : 0;
    const ps = [1, -1].map(
      (sign) =>
        gaffkeBound(
          differences.map((d) => sign * d),
          { margin: 0.05, confidence },
        ).p,
    );
    counts.guaranteed += Math.max(...ps) <= 1 - confidence ? 1 : 0;
  }
  return counts;
}

function percent(count: number): string {
  return `${((100 * count) / repetitions).toFixed(1)} %`;
}
