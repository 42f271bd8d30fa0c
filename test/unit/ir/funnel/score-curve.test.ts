import { describe, expect, it } from 'vitest';

import { createScoreCurve, type HitVerdict } from '../../../../src/ir/funnel/score-curve.ts';
import { createThresholdFinder } from '../../../../src/ir/funnel/score-thresholds.ts';

const toHit = ([score, verdict]: readonly [number, HitVerdict]) => ({ score, verdict });

describe('createScoreCurve', () => {
  // Worked by hand. q1 has 2 relevant documents and one of them was found, q2 has 1, q3 has no answer, q4 found nothing.
  // Scores: q1 0.9 relevant, 0.5 not; q2 0.5 relevant, 0.2 unjudged; q3 0.2 not relevant.
  it('counts what stays at each threshold', () => {
    const curve = createScoreCurve([0.2, 0.5, 0.9]);
    curve.add({
      hits: (
        [
          [0.9, 'relevant'],
          [0.5, 'nonRelevant'],
        ] as const
      ).map(toHit),
      isAnswerable: true,
      relevant: 2,
    });
    curve.add({
      hits: (
        [
          [0.5, 'relevant'],
          [0.2, 'unjudged'],
        ] as const
      ).map(toHit),
      isAnswerable: true,
      relevant: 1,
    });
    curve.add({ hits: [toHit([0.2, 'nonRelevant'])], isAnswerable: false, relevant: 0 });
    curve.add({ hits: [], isAnswerable: true, relevant: 1 });

    expect(curve.toPoints()).toEqual([
      {
        minScore: 0.2,
        relevant: 2,
        nonRelevant: 2,
        unjudged: 1,
        precision: 2 / 5,
        precisionOfJudged: 2 / 4,
        recall: 2 / 4,
        empty: { answerable: 1, unanswerable: 0 },
      },
      {
        minScore: 0.5,
        relevant: 2,
        nonRelevant: 1,
        unjudged: 0,
        precision: 2 / 3,
        precisionOfJudged: 2 / 3,
        recall: 2 / 4,
        empty: { answerable: 1, unanswerable: 1 },
      },
      {
        minScore: 0.9,
        relevant: 1,
        nonRelevant: 0,
        unjudged: 0,
        precision: 1,
        precisionOfJudged: 1,
        recall: 1 / 4,
        empty: { answerable: 2, unanswerable: 1 },
      },
    ]);
  });

  it('knows no share of nothing', () => {
    const curve = createScoreCurve([1]);
    curve.add({ hits: [], isAnswerable: false, relevant: 0 });

    expect(curve.toPoints()).toMatchObject([
      { precision: null, precisionOfJudged: null, recall: null },
    ]);
  });
});

describe('createThresholdFinder', () => {
  it('gives quantiles by nearest rank, each score once', () => {
    const finder = createThresholdFinder();
    for (const score of [5, 1, 4, 2, 3, 3, 3, 10]) finder.add(score);

    // Sorted: 1 2 3 3 3 4 5 10. A quarter is the 2nd, a half the 4th, three quarters the 6th.
    expect(finder.toThresholds(4)).toEqual([1, 2, 3, 4, 10]);
  });

  it('has no threshold without a score', () => {
    expect(createThresholdFinder().toThresholds(4)).toEqual([]);
  });

  it('stays close in bounded memory, and keeps the ends', () => {
    const finder = createThresholdFinder(100);
    for (let score = 0; score <= 10_000; score += 1) finder.add((score * 7919) % 10_001);
    const thresholds = finder.toThresholds(4);

    expect(thresholds[0]).toBe(0);
    expect(thresholds.at(-1)).toBe(10_000);
    for (const [index, threshold] of thresholds.entries()) {
      expect(Math.abs(threshold - index * 2500)).toBeLessThan(700);
    }
  });
});
