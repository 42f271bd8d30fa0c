import { describe, expect, it } from 'vitest';

import { runComparison } from '../../../../src/evaluation/statistics/run-comparison.ts';
import { runTask } from '../../../../src/evaluation/statistics/run-task.ts';
import { comparePaired } from '../../../../src/ir/statistics/compare-paired.ts';

const options = { confidence: 0.95, resamples: 1000, permutations: 1000, seed: 7 };
const measure = 'nDCG@3';
const judgments = new Map([['a', 2]]);
const compared = {
  questionId: 'q',
  baseline: ['a', 'b', null],
  candidate: ['c', 'a', 'b'],
  judgments,
};
const pooled = {
  rankings: new Map([
    ['x', ['a', 'b']],
    ['y', ['c', 'd']],
  ]),
  judgments,
};
const ranges = [{ least: 0, most: 1 }];
const values = {
  columns: [[0, 1, 0.5, 0.25]],
  ranges,
  groups: [[0, 1, 2, 3], [1, 2], []],
  options,
};
const questions = { measure, questions: [compared], maxGrade: 2 };
/** More than come to a thread at once, each with other rankings. */
const many = {
  ...questions,
  questions: Array.from({ length: 450 }, (_, index) => ({
    ...compared,
    questionId: `q${index}`,
    candidate: compared.candidate.slice(index % 3),
  })),
};
const pools = { measure, questions: [pooled], maxGrade: 2, depth: 2 };
const pairs = { baseline: [0, 1, 0.5], candidate: [1, 1, 0.25], options };

describe('runTask', () => {
  it.each<[string, (isSmall: boolean) => Promise<unknown>]>([
    ['comparePaired', (isSmall) => runTask('comparePaired', pairs, isSmall)],
    ['meanIntervals', (isSmall) => runTask('meanIntervals', values, isSmall)],
    ['boundDifferences', (isSmall) => runTask('boundDifferences', questions, isSmall)],
    ['planLabels', (isSmall) => runTask('planLabels', { ...questions, depth: 2 }, isSmall)],
    ['many questions', (isSmall) => runTask('boundDifferences', many, isSmall)],
    ['measurePoolBias', (isSmall) => runTask('measurePoolBias', pools, isSmall)],
  ])('gives the same for %s at once and in a thread', async (_name, run) => {
    const [atOnce, inThread] = await Promise.all([run(true), run(false)]);

    expect(inThread).toEqual(atOnce);
  });

  it.each([
    ['a small comparison', 50],
    ['a large one', 5000],
  ])('gives the numbers of the pure function for %s', async (_name, size) => {
    const baseline = Array.from({ length: size }, (_, index) => Math.abs(Math.sin(index)));
    const candidate = baseline.map((value, index) => value + Math.cos(index) / 10);

    const found = await runTask('comparePaired', { baseline, candidate, options });

    expect(found).toEqual(comparePaired(baseline, candidate, options));
  });

  it.each([
    ['a small comparison', 50],
    ['a large one, in two threads', 5000],
  ])('gives the numbers of the pure function for the halves of %s', async (_name, size) => {
    const baseline = Array.from({ length: size }, (_, index) => Math.abs(Math.sin(index)));
    const candidate = baseline.map((value, index) => value + Math.cos(index) / 10);

    const found = await runComparison({ baseline, candidate, options });

    expect(found).toEqual(comparePaired(baseline, candidate, options));
  });

  it('rejects with what went wrong in the thread', async () => {
    const baseline = Array.from({ length: 5000 }, () => Number.NaN);
    const run = runTask('comparePaired', { baseline, candidate: baseline, options });

    await expect(run).rejects.toThrow('finite');
  });
});
