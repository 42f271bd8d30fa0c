import process from 'node:process';

import { print, printTable } from '../scripts/demo/print.ts';
import {
  listCells,
  tallyDifferences,
  tallyValues,
  unseen,
  type Cell,
  type Tally,
} from './interval-tally.ts';
import { differencePopulations, valuePopulations } from './populations.ts';

const ofDifferences = [
  'percentile',
  'BCa',
  't',
  't, BCa',
  'bootstrap-t',
  'test inverted',
  'Gaffke',
  't, Hall',
];
const ofMeans = ['percentile', 'BCa', 't', 't, Hall', 'Wilson', 'Gaffke'];
const ofVerdicts = ['BCa alone', 'test alone', 'BCa', 't, BCa', 't, Hall', 'more than luck'];

/** Prints how often intervals hold the true mean and verdicts are wrong; a miss makes the process exit with 1. */
export function measureIntervals(samples: number): void {
  print(`\nIntervals of a mean difference at 95 %, ${samples} samples a cell.`);
  const differences = listCells(differencePopulations, [12, 20, 50], (cell) =>
    tallyDifferences(cell, samples),
  );
  const held = ({ held: count }: Tally) => percent(count / samples);
  const width = ({ width: sum }: Tally) => (sum / samples).toFixed(2);
  printCells('Hold the true mean, in %', differences, { rules: ofDifferences, show: held });
  printCells('Mean width', differences, { rules: ofDifferences, show: width });
  printCells('Verdicts without an effect, in %, by interval and test', differences, {
    rules: ofVerdicts,
    show: ({ wrong }) => percent(wrong / samples),
  });
  const misses = differences.flatMap((cell) => checkDifference(cell, samples));
  print(`\nIntervals of a mean from 0 to 1 at 95 %, ${samples} samples a cell.`);
  const values = listCells(valuePopulations, [5, 10, 20, 50], (cell) => tallyValues(cell, samples));
  printCells('Hold the true mean, in %', values, { rules: ofMeans, show: held });
  printCells('Mean width', values, { rules: ofMeans, show: width });
  reportMisses([...misses, ...values.flatMap((cell) => checkMean(cell, samples))]);
}

function printCells(
  title: string,
  cells: readonly Cell[],
  { rules, show }: { readonly rules: readonly string[]; readonly show: (tally: Tally) => string },
): void {
  print(`\n${title}:\n`);
  printTable(
    ['population', 'questions', 'unseen', ...rules],
    cells.map((cell) => [
      cell.population.name,
      String(cell.questions),
      cell.population.rare === 0 ? '' : percent(unseen(cell)),
      ...rules.map((rule) => {
        const tally = cell.byRule.get(rule);
        return tally ? show(tally) : '';
      }),
    ]),
  );
}

/** Where samples show the rare outcome less often than this, no interval of the sample alone can hold. */
const mostUnseen = 0.01;

function checkDifference(cell: Cell, samples: number): readonly string[] {
  const chosen = cell.byRule.get('t, Hall');
  const shown = cell.byRule.get('more than luck');
  if (!chosen || !shown) throw new Error('a cell without the chosen interval');
  const name = `${cell.population.name}, ${cell.questions} questions`;
  const noise = noiseOf(samples);
  const misses = [];
  if (shown.wrong / samples > 0.05 + noise) misses.push(`${name}: says more than luck too often`);
  if (unseen(cell) > mostUnseen) return misses;
  if (chosen.held / samples < 0.93) misses.push(`${name}: the interval holds too seldom`);
  if (chosen.wrong / samples > 0.05 + noise) misses.push(`${name}: verdicts without an effect`);
  return misses;
}

function checkMean(cell: Cell, samples: number): readonly string[] {
  const held = cell.byRule.get('Gaffke')?.held ?? 0;
  if (held / samples >= 0.95 - noiseOf(samples)) return [];
  return [`${cell.population.name}, ${cell.questions} questions: the interval holds too seldom`];
}

/** Two standard errors of a simulated 5 %. */
function noiseOf(samples: number): number {
  return 2 * Math.sqrt((0.05 * 0.95) / samples);
}

function reportMisses(misses: readonly string[]): void {
  for (const miss of misses) print(`MISS  ${miss}`);
  if (misses.length > 0) process.exitCode = 1;
  else print('\nok    the chosen intervals and verdicts hold wherever the questions can show it');
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}
