import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { comparePaired } from '../../../../src/ir/statistics/compare-paired.ts';
import { goldenPairs } from './golden.ts';
import { absoluteError, relativeError, sleep } from './samples.ts';

const options = { confidence: 0.95, resamples: 2000, permutations: 2000, seed: 7 };

/** A measure's values for both systems on the same questions: ties, equal shifts and fine differences. */
const runs = fc
  .array(fc.tuple(fc.constantFrom(0, 0.1, 0.2, 0.5, 1), fc.constantFrom(0, 0.1, 0.3, 0.63, 1)), {
    minLength: 2,
    maxLength: 40,
  })
  .map((pairs) => ({ baseline: pairs.map(([a]) => a), candidate: pairs.map(([, b]) => b) }));

describe('golden results of scipy', () => {
  it.each(goldenPairs.map((pair) => [pair.name, pair] as const))(
    '%s: counts and means',
    (_name, pair) => {
      const { expected, n: questions } = pair;
      const found = comparePaired(pair.b, pair.a, options);
      expect(found).toMatchObject({
        questions,
        wins: expected.wins,
        losses: expected.losses,
        ties: expected.ties,
      });
      expect(absoluteError(found.means.candidate, expected.meanA)).toBeLessThan(1e-14);
      expect(absoluteError(found.means.baseline, expected.meanB)).toBeLessThan(1e-14);
      expect(absoluteError(found.meanDifference, expected.meanDiff)).toBeLessThan(1e-14);
    },
  );
});

describe('comparePaired', () => {
  // t, p and dz: scipy 1.17.1; power: dz 0.9960013714362284 for n = 10 (scipy) times the deviation 1.23.
  it('reports everything about the sleep data', () => {
    const found = comparePaired(sleep.first, sleep.second, options);
    expect(found).toMatchObject({
      questions: 10,
      wins: 9,
      losses: 0,
      ties: 1,
      verdict: 'better',
      notes: [],
    });
    expect(found.tests.sign.p).toBeCloseTo(2 / 2 ** 9, 12);
    expect(found.tests.randomization).toEqual({ p: 2 / 2 ** 9, exact: true });
    expect(relativeError(found.tests.t.p, 0.002832890197384273)).toBeLessThan(1e-12);
    expect(relativeError(found.effectSize, 1.2845575625910546)).toBeLessThan(1e-12);
    expect(
      relativeError(found.minimumDetectableDifference, 0.9960013714362284 * 1.2299954832798732),
    ).toBeLessThan(1e-8);
  });

  // nDCG@3 of two methods on 20 questions: 5 wins, 1 loss, 14 ties. Of the 64 assignments of signs 6 give a sum as large:
  // p = 6/64 (counted by hand), and BCa alone excluded 0 for every seed.
  const seenDifferences = [
    0.47060948365357264,
    0.2398124665681315,
    0.4796249331362629,
    0.38009376671593426,
    0.6309297535714575,
    -0.36907024642854247,
    ...Array.from({ length: 14 }, () => 0),
  ];

  it.each([1, 2, 7, 11, 20_240_000])('leaves five wins against one loss open, seed %d', (seed) => {
    const baseline = seenDifferences.map(() => 0);
    const found = comparePaired(baseline, seenDifferences, { ...options, seed, isBounded: true });
    expect(found).toMatchObject({ wins: 5, losses: 1, ties: 14, verdict: 'inconclusive' });
    expect(found.tests.randomization).toEqual({ p: 6 / 64, exact: true });
    expect(found.interval?.low).toBeLessThan(0);
  });

  // 8 gains of 1 in 20: P(Σ eᵢ over 8 ≤ e₀) = 2^(−8), twice; of 12 ties and no loss.
  it('shows what holds for every distribution, and what these questions cannot see', () => {
    const gains = [...Array.from({ length: 8 }, () => 1), ...Array.from({ length: 12 }, () => 0)];
    const baseline = gains.map(() => 0);
    const bounded = comparePaired(baseline, gains, { ...options, isBounded: true });
    expect(bounded.tests.guaranteed.p).toBeCloseTo(2 ** -7, 12);
    expect(bounded.blindTo).toBeCloseTo(1 - 0.05 ** (1 / 20), 12);
    expect(comparePaired(baseline, gains, options).tests.guaranteed.p).toBeNull();
  });

  // Ten gains of 0.1 and no loss: p = 2^(−9), and yet a loss of everything on 14 % of questions would hide.
  it('does not call a rare loss impossible that 20 questions cannot show', () => {
    const gains = [
      ...Array.from({ length: 10 }, () => 0.1),
      ...Array.from({ length: 10 }, () => 0),
    ];
    const found = comparePaired(
      gains.map(() => 0),
      gains,
      { ...options, isBounded: true },
    );
    expect(found.verdict).toBe('better');
    expect(found.tests.guaranteed.p).toBeGreaterThan(0.05);
  });

  it('reports no question as nothing, in words', () => {
    expect(comparePaired([], [], options)).toEqual({
      questions: 0,
      wins: 0,
      losses: 0,
      ties: 0,
      means: { baseline: null, candidate: null },
      meanDifference: null,
      interval: null,
      tests: {
        randomization: { p: 1, exact: true },
        t: { statistic: null, p: null },
        wilcoxon: { p: null, exact: true, winRankSum: 0, lossRankSum: 0 },
        sign: { p: null },
        guaranteed: { p: null },
      },
      blindTo: 1,
      effectSize: null,
      minimumDetectableDifference: null,
      verdict: 'inconclusive',
      notes: ['There are no questions to compare, so every number is missing.'],
    });
  });

  it('decides nothing on one question', () => {
    expect(comparePaired([0], [1], options)).toMatchObject({
      meanDifference: 1,
      interval: null,
      tests: { randomization: { p: 1 }, t: { p: null }, wilcoxon: { p: 1 }, sign: { p: 1 } },
      verdict: 'inconclusive',
      notes: [expect.stringContaining('A single question has no variation')],
    });
  });

  it('warns about two questions', () => {
    const { interval, notes } = comparePaired([0, 0], [0.25, 0.5], options);
    expect(interval).toMatchObject({ bca: { low: 0.25, high: 0.5 } });
    expect(notes).toEqual([
      '2 questions are too few for this confidence: even the range from the lowest to the highest difference reaches only 50.0 %.',
    ]);
  });

  // 1 − 2^(1−n) is 93.75 % for five questions and 96.875 % for six.
  it.each([
    [5, 0.95, 1],
    [6, 0.95, 0],
    [6, 0.99, 1],
    [8, 0.99, 0],
  ])('%d questions at a confidence of %d: %d notes of too few', (questions, confidence, count) => {
    const baseline = Array.from({ length: questions }, () => 0);
    const candidate = baseline.map((_, index) => index + 1);
    const { notes } = comparePaired(baseline, candidate, { ...options, confidence });
    expect(notes.filter((note) => note.includes('questions are too few'))).toHaveLength(count);
  });

  it('has a tie on every question for equal runs', () => {
    expect(comparePaired([0.2, 0.9], [0.2, 0.9], options)).toMatchObject({
      ties: 2,
      meanDifference: 0,
      interval: { low: 0, high: 0 },
      tests: { randomization: { p: 1 }, t: { p: null }, wilcoxon: { p: null }, sign: { p: null } },
      effectSize: null,
      minimumDetectableDifference: null,
      verdict: 'inconclusive',
      notes: [expect.stringContaining('Every question ties'), expect.any(String)],
    });
  });

  it('has no spread in a constant shift, and says so', () => {
    const baseline = [0.4186, 0.204, 0.467, 0.6248, 0.5753, 0.5377, 0.3078];
    const found = comparePaired(
      baseline,
      baseline.map((value) => value + 0.17),
      options,
    );
    expect(found).toMatchObject({
      wins: 7,
      tests: { randomization: { p: 2 / 2 ** 7 }, t: { statistic: null, p: null } },
      effectSize: null,
      minimumDetectableDifference: null,
      verdict: 'better',
      notes: [expect.stringContaining('differs by the same amount')],
    });
    expect(found.interval?.low).toBe(found.meanDifference);
    expect(found.interval?.high).toBe(found.meanDifference);
  });

  it('says when the resamples cannot carry the confidence', () => {
    const few = comparePaired([0, 1, 0, 1, 0, 0], [1, 0, 1, 0, 0, 1], {
      ...options,
      resamples: 10,
    });
    expect(few.notes).toEqual([expect.stringContaining('10 resamples are too few')]);
  });

  it.each([
    ['confidence', { confidence: 0 }],
    ['confidence', { confidence: 1 }],
    ['confidence', { confidence: Number.NaN }],
    ['resamples', { resamples: 0 }],
    ['resamples', { resamples: 1.5 }],
    ['permutations', { permutations: 0 }],
    ['seed', { seed: 0.5 }],
  ])('refuses a wrong %s: %o', (name, wrong) => {
    expect(() => comparePaired([0], [1], { ...options, ...wrong })).toThrow(
      new RegExp(`^${name} must`),
    );
  });

  it('draws the interval and the permutations from separate streams', () => {
    const baseline = Array.from({ length: 30 }, (_, index) => Math.sin(index) / 2 + 0.5);
    const candidate = Array.from({ length: 30 }, (_, index) => Math.cos(index) / 2 + 0.5);
    const found = comparePaired(baseline, candidate, options);
    const moreResamples = comparePaired(baseline, candidate, { ...options, resamples: 3000 });
    const morePermutations = comparePaired(baseline, candidate, { ...options, permutations: 50 });
    expect(moreResamples.tests).toEqual(found.tests);
    expect(morePermutations.interval).toEqual(found.interval);
  });

  it('repeats itself exactly for a seed', () => {
    fc.assert(
      fc.property(runs, fc.integer(), ({ baseline, candidate }, seed) => {
        const few = { ...options, resamples: 200, permutations: 200, seed };
        expect(comparePaired(baseline, candidate, few)).toEqual(
          comparePaired(baseline, candidate, few),
        );
      }),
    );
  });

  it('is mirrored when baseline and candidate are swapped', () => {
    const few = { ...options, resamples: 200, permutations: 200 };
    fc.assert(
      fc.property(runs, ({ baseline, candidate }) => {
        const there = comparePaired(baseline, candidate, few);
        const back = comparePaired(candidate, baseline, few);
        expect([back.wins, back.losses, back.ties]).toEqual([there.losses, there.wins, there.ties]);
        expect(back.meanDifference! + there.meanDifference!).toBe(0);
        expect(back.interval!.low).toBeCloseTo(-there.interval!.high, 10);
        expect(back.interval!.high).toBeCloseTo(-there.interval!.low, 10);
        expect([
          back.tests.randomization,
          back.tests.t.p,
          back.tests.sign,
          back.tests.wilcoxon.p,
        ]).toEqual([
          there.tests.randomization,
          there.tests.t.p,
          there.tests.sign,
          there.tests.wilcoxon.p,
        ]);
        expect(back.minimumDetectableDifference).toBe(there.minimumDetectableDifference);
      }),
    );
  });

  it('has every p within (0, 1] and no number that JSON cannot hold', () => {
    fc.assert(
      fc.property(runs, ({ baseline, candidate }) => {
        const few = { ...options, resamples: 100, permutations: 100 };
        const found = comparePaired(baseline, candidate, few);
        const { randomization, t, wilcoxon, sign } = found.tests;
        const pValues = [randomization.p, t.p ?? 1, wilcoxon.p ?? 1, sign.p ?? 1];
        expect(pValues.every((p) => p > 0 && p <= 1)).toBe(true);
        expect(JSON.parse(JSON.stringify(found))).toEqual(found);
      }),
    );
  });
});
