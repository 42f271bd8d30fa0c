import { boundedMeanP } from '../src/ir/statistics/bounded-mean.ts';
import type { Ends } from '../src/ir/statistics/ends.ts';
import { levelOf } from '../src/ir/statistics/level.ts';
import { randomizationTest } from '../src/ir/statistics/randomization.ts';
import { verdictOf } from '../src/ir/statistics/verdict.ts';
import {
  confidence,
  findCandidates,
  findDrawnCandidates,
  wilsonInterval,
} from './interval-candidates.ts';
import { createRandom, type Population, type Random } from './populations.ts';

/** What one rule did in all samples of a cell. */
export interface Tally {
  held: number;
  width: number;
  wrong: number;
}

export interface Cell {
  readonly population: Population;
  readonly questions: number;
  readonly byRule: ReadonlyMap<string, Tally>;
}

/** Rounding of a mean must not decide whether an interval holds it. */
const sameWithin = 1e-12;

export function listCells(
  populations: readonly Population[],
  sizes: readonly number[],
  tally: (cell: Omit<Cell, 'byRule'>) => Cell['byRule'],
): readonly Cell[] {
  return populations.flatMap((population) =>
    sizes.map((questions) => ({
      population,
      questions,
      byRule: tally({ population, questions }),
    })),
  );
}

export function tallyDifferences(
  { population, questions }: Omit<Cell, 'byRule'>,
  samples: number,
): Cell['byRule'] {
  const tallies = new Map<string, Tally>();
  const level = levelOf(confidence);
  forEachSample({ population, questions }, samples, (values, options) => {
    const { p } = randomizationTest(values, { permutations: 2000, seed: options.seed });
    const candidates = [
      ...findCandidates(values, { least: -1, most: 1 }, options.seed),
      ...findDrawnCandidates(values, options.random),
    ];
    for (const [rule, ends] of candidates) {
      const verdict = verdictOf(withoutRounding(ends), p, level);
      add(tallies, rule, { ends, mean: population.mean, isWrong: verdict !== 'inconclusive' });
      if (rule === 'BCa') {
        const alone = verdictOf(withoutRounding(ends), 0, level) !== 'inconclusive';
        add(tallies, 'BCa alone', { ends, mean: population.mean, isWrong: alone });
      }
      if (rule !== 't, Hall') continue;
      const shared = { ends, mean: population.mean };
      const isShown = verdict !== 'inconclusive' && boundedMeanP(values) <= level;
      add(tallies, 'test alone', { ...shared, isWrong: p <= level });
      add(tallies, 'more than luck', { ...shared, isWrong: isShown });
    }
  });
  return tallies;
}

export function tallyValues(
  { population, questions }: Omit<Cell, 'byRule'>,
  samples: number,
): Cell['byRule'] {
  const tallies = new Map<string, Tally>();
  const { mean } = population;
  forEachSample({ population, questions }, samples, (values, options) => {
    const candidates = findCandidates(values, { least: 0, most: 1 }, options.seed);
    for (const [rule, ends] of [...candidates, ['Wilson', wilsonInterval(values)] as const]) {
      add(tallies, rule, { ends, mean, isWrong: false });
    }
  });
  return tallies;
}

function forEachSample(
  { population, questions }: Omit<Cell, 'byRule'>,
  samples: number,
  take: (
    values: readonly number[],
    options: { readonly random: Random; readonly seed: number },
  ) => void,
): void {
  for (let seed = 1; seed <= samples; seed += 1) {
    const random = createRandom(1000 * seed + questions);
    const values = Array.from({ length: questions }, () => population.draw(random));
    take(values, { random, seed });
  }
}

function withoutRounding({ low, high }: Ends): Ends {
  return { low: low - sameWithin, high: high + sameWithin };
}

function add(
  tallies: Map<string, Tally>,
  rule: string,
  {
    ends,
    mean,
    isWrong,
  }: { readonly ends: Ends; readonly mean: number; readonly isWrong: boolean },
): void {
  const tally = tallies.get(rule) ?? { held: 0, width: 0, wrong: 0 };
  tallies.set(rule, tally);
  const { low, high } = withoutRounding(ends);
  if (low <= mean && high >= mean) tally.held += 1;
  tally.width += ends.high - ends.low;
  if (isWrong) tally.wrong += 1;
}

/** How often the questions show nothing of the rare outcome: so often at least an interval of the sample alone misses. */
export function unseen({ population, questions }: Omit<Cell, 'byRule'>): number {
  return population.rare === 0 ? 0 : (1 - population.rare) ** questions;
}
