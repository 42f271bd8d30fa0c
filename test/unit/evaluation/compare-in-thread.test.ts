import { describe, expect, it } from 'vitest';

import { compareInThread } from '../../../src/evaluation/compare-in-thread.ts';
import { comparePaired } from '../../../src/ir/statistics/compare-paired.ts';

const options = { confidence: 0.95, resamples: 1000, permutations: 1000, seed: 7 };

describe('compareInThread', () => {
  it.each([
    ['a small comparison at once', 50],
    ['a large one in a thread', 5000],
  ])('gives the same numbers for %s', async (_name, questions) => {
    const baseline = Array.from({ length: questions }, (_, index) => Math.abs(Math.sin(index)));
    const candidate = baseline.map((value, index) => value + Math.cos(index) / 10);

    const compared = await compareInThread({ baseline, candidate, options });

    expect(compared).toEqual(comparePaired(baseline, candidate, options));
  });

  it('rejects with what went wrong in the thread', async () => {
    const baseline = Array.from({ length: 5000 }, () => Number.NaN);

    await expect(compareInThread({ baseline, candidate: baseline, options })).rejects.toThrow(
      'finite',
    );
  });
});
