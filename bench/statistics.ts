import { loadavg } from 'node:os';
import process from 'node:process';

import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

import { parseMeasure } from '../src/ir/measures/parse-measure.ts';
import { bcaInterval } from '../src/ir/statistics/bootstrap.ts';
import { comparePaired } from '../src/ir/statistics/compare-paired.ts';
import { meanInterval } from '../src/ir/statistics/mean-interval.ts';
import { randomizationTest } from '../src/ir/statistics/randomization.ts';
import { boundDifference, boundMeasure } from '../src/ir/unjudged/bounds.ts';
import { planLabels } from '../src/ir/unjudged/impact.ts';
import { measureIntervals } from './interval-tables.ts';
import { bestOf, printTiming } from './measuring.ts';

// Measures bootstrap, randomization test, comparison and bounds, and how often intervals hold the true mean and verdicts are
// wrong. Usage: node bench/statistics.ts [samples a cell, default 2000]
const repeats = 5;
const random = xoroshiro128plus(20_261_130);
const draw = () => uniformFloat64(random);

if (import.meta.main) {
  process.stdout.write(`load ${loadavg()[0]?.toFixed(2)}, best of ${repeats}\n`);
  await measureResampling();
  await measureBounds();
  measureIntervals(Number(process.argv[2] ?? 2000));
}

export async function measureResampling(): Promise<void> {
  const differences = Array.from({ length: 10_000 }, () => draw() - 0.48);
  const bootstrap = await bestOf(repeats, () =>
    bcaInterval(differences, { confidence: 0.95, resamples: 10_000, seed: 7 }),
  );
  printTiming('BCa, 10,000 resamples of 10,000', bootstrap, { target: 1_000 });
  const some = differences.slice(0, 1_000);
  const randomization = await bestOf(repeats, () =>
    randomizationTest(some, { permutations: 100_000, seed: 7 }),
  );
  printTiming('randomization, 100,000 of 1,000', randomization, { target: 500 });
  const pairs = differences.slice(0, 5_000);
  const zeros = pairs.map(() => 0);
  const options = { confidence: 0.95, resamples: 10_000, permutations: 100_000, seed: 7 };
  const comparison = await bestOf(repeats, () =>
    comparePaired(zeros, pairs, { ...options, isBounded: true }),
  );
  printTiming('comparison of 5,000 questions', comparison, { target: 2_000 });
  const values = Array.from({ length: 5_000 }, draw);
  const range = { least: 0, most: 1 };
  const mean = await bestOf(repeats, () =>
    meanInterval(values, range, { confidence: 0.95, resamples: 2_000, seed: 7 }),
  );
  printTiming('interval of a mean of 5,000 values', mean, { target: 400 });
}

/** 100 hits, k = 10, 25 judged documents of which about half are retrieved; the pair shares about half of its hits. */
async function measureBounds(): Promise<void> {
  const questions = Array.from({ length: 500 }, (_, number) => makeQuestion(`q${number}`));
  for (const name of ['nDCG@10', 'R@10', 'RR@10', 'P@10', 'DCG@10', 'hit@10']) {
    const measure = parseMeasure(name);
    if (measure === undefined) throw new Error(`no measure ${name}`);
    const one = await bestOf(repeats, () => {
      for (const { candidate, judgments } of questions) {
        boundMeasure(measure, { ranking: candidate, judgments }, 3);
      }
    });
    const pair = await bestOf(repeats, () => {
      for (const question of questions) boundDifference(measure, question, 3);
    });
    const each = { target: 0.1, count: questions.length };
    printTiming(`bounds of ${name}, a question`, one, each);
    printTiming(`bounds of a difference in ${name}`, pair, each);
    if (name !== 'nDCG@10') continue;
    const plan = await bestOf(1, () => planLabels(measure, questions, 3));
    printTiming('plan of labels, a question', plan, { target: 10, count: questions.length });
  }
}

function makeQuestion(questionId: string) {
  const ids = Array.from({ length: 165 }, (_, number) => `${questionId}-document-${number}`);
  const retrieve = () =>
    ids
      .map((id) => ({ id, key: draw() }))
      .toSorted((a, b) => a.key - b.key)
      .slice(0, 100)
      .map(({ id }) => id);
  const judged = ids.filter(() => draw() < 0.15);
  const judgments = new Map(judged.map((id) => [id, Math.floor(4 * draw())]));
  return { questionId, baseline: retrieve(), candidate: retrieve(), judgments };
}
