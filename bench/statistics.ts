import { loadavg } from 'node:os';
import process from 'node:process';

import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

import { parseMeasure } from '../src/ir/measures/parse-measure.ts';
import { bcaInterval } from '../src/ir/statistics/bootstrap.ts';
import { meanInterval } from '../src/ir/statistics/mean-interval.ts';
import { randomizationTest } from '../src/ir/statistics/randomization.ts';
import { boundDifference, boundMeasure } from '../src/ir/unjudged/bounds.ts';
import { planLabels } from '../src/ir/unjudged/impact.ts';
import { bestOf, printTiming } from './measuring.ts';

// Measures bootstrap, randomization test and bounds, and how often the interval of a mean holds the true one. Usage:
// node bench/statistics.ts
const repeats = 5;
const random = xoroshiro128plus(20_261_130);
const draw = () => uniformFloat64(random);

if (import.meta.main) {
  process.stdout.write(`load ${loadavg()[0]?.toFixed(2)}, best of ${repeats}\n`);
  await measureResampling();
  await measureBounds();
  measureCoverage();
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

/** Values such as nDCG has: a fifth 0, a tenth 1, the others spread over the middle. Their mean is 0.1 + 0.7 · 0.5. */
function measureCoverage(): void {
  const [sets, size] = [2_000, 50];
  let held = 0;
  for (let seed = 0; seed < sets; seed += 1) {
    const values = Array.from({ length: size }, drawNdcg);
    const interval = meanInterval(values, { confidence: 0.95, resamples: 2_000, seed });
    if (interval !== null && interval.low <= 0.45 && interval.high >= 0.45) held += 1;
  }
  const share = (100 * held) / sets;
  const verdict = share >= 93 && share <= 97 ? 'ok   ' : 'MISS ';
  process.stdout.write(
    `${verdict} 95 % intervals of ${size} values that hold the true mean: ${share.toFixed(1)} % (93 to 97)\n`,
  );
}

function drawNdcg(): number {
  const kind = draw();
  if (kind < 0.2) return 0;
  return kind < 0.3 ? 1 : (draw() + draw()) / 2;
}
