import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  boundDifference,
  boundMeasure,
  differenceUnder,
  findExtremes,
  isBoundable,
} from '../../../../src/ir/unjudged/bounds.ts';
import { differenceWith, getMeasure, rankedPair, tryEveryLabelling } from './brute-force.ts';

const boundable = [
  'hit@1',
  'hit@3',
  'hit(rel=2)@3',
  'P@1',
  'P@3',
  'P@10',
  'P(rel=2)@3',
  'R@1',
  'R@3',
  'R@10',
  'R(rel=2)@3',
  'R(rel=4)@3',
  'RR',
  'RR@3',
  'RR(rel=2)',
  'RR(rel=3)@2',
  'DCG',
  'DCG@3',
  'nDCG',
  'nDCG@1',
  'nDCG@2',
  'nDCG@3',
  'nDCG@10',
  'nDCG-exp',
  'nDCG-exp@3',
];
const maxGrade = fc.integer({ min: 0, max: 3 });

describe('boundDifference', () => {
  it.each(boundable)('%s: gives what trying every labelling gives', (name) => {
    const measure = getMeasure(name);
    fc.assert(
      fc.property(rankedPair, maxGrade, (pair, scale) => {
        const { low, high } = boundDifference(measure, pair, scale);
        const tried = tryEveryLabelling(measure, pair, scale);
        expect(low).toBeCloseTo(tried.low, 12);
        expect(high).toBeCloseTo(tried.high, 12);
      }),
      { numRuns: 200 },
    );
  });

  it.each(boundable)('%s: turns round when the rankings change places', (name) => {
    const measure = getMeasure(name);
    fc.assert(
      fc.property(rankedPair, maxGrade, ({ baseline, candidate, judgments }, scale) => {
        const there = boundDifference(measure, { baseline, candidate, judgments }, scale);
        const back = boundDifference(
          measure,
          { baseline: candidate, candidate: baseline, judgments },
          scale,
        );
        expect(there.high + back.low).toBeCloseTo(0, 12);
        expect(there.low + back.high).toBeCloseTo(0, 12);
      }),
    );
  });

  it('is 0 for two rankings that agree, whatever is unjudged', () => {
    const ranking = ['D1', 'D2', 'D3'];
    const pair = { baseline: ranking, candidate: ranking, judgments: new Map([['D2', 1]]) };
    expect(boundDifference(getMeasure('nDCG@10'), pair, 3)).toEqual({ low: 0, high: 0 });
  });

  it('gives a shared document one grade', () => {
    // By hand: D1 is at rank 1 in one and rank 2 in the other, so P@2 cannot tell them apart.
    const pair = { baseline: ['D1', 'A'], candidate: ['B', 'D1'], judgments: new Map() };
    expect(boundDifference(getMeasure('P@2'), pair, 1)).toEqual({ low: -0.5, high: 0.5 });
  });

  it('holds every labelling of long rankings', () => {
    const [baseline, candidate] = [0, 40].map((start) =>
      Array.from({ length: 100 }, (_, index) => `D${((index * 37) % 100) + start}`),
    ) as [string[], string[]];
    const judgments = new Map([5, 17, 60, 99, 120].map((each, index) => [`D${each}`, index]));
    const pair = { baseline, candidate, judgments };
    const measure = getMeasure('nDCG@10');
    const { low, high } = boundDifference(measure, pair, 3);
    const labels = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 140, maxLength: 140 });
    fc.assert(
      fc.property(labels, (grades) => {
        const unjudged = grades
          .map((grade, index) => [`D${index}`, grade] as const)
          .filter(([id]) => !judgments.has(id));
        const difference = differenceWith(measure, pair, unjudged);
        expect(difference).toBeGreaterThanOrEqual(low - 1e-12);
        expect(difference).toBeLessThanOrEqual(high + 1e-12);
      }),
    );
  });
});

describe('boundMeasure', () => {
  // By hand. Judged: D1 = 2 at rank 2. U is unjudged at rank 1, V at rank 3; grades 0 to 3.
  const question = { ranking: ['U', 'D1', 'V'], judgments: new Map([['D1', 2]]) };
  const log3 = Math.log2(3);

  it.each([
    ['hit@1', 0, 1],
    ['P@3', 1 / 3, 1],
    ['R@2', 1 / 2, 1],
    ['RR', 1 / 2, 1],
    ['RR(rel=3)', 0, 1],
    ['DCG@2', 2 / log3, 3 + 2 / log3],
    // U = 3, V = 0 is ideal. U = 0, V = 3 gains what U = V = 0 does, and the ideal list becomes 3, 2.
    ['nDCG@2', 2 / log3 / (3 + 2 / log3), 1],
  ])('%s lies between %d and %d', (name, low, high) => {
    const bounds = boundMeasure(getMeasure(name), question, 3);
    expect(bounds.low).toBeCloseTo(low, 14);
    expect(bounds.high).toBeCloseTo(high, 14);
  });

  it('goes below the score that counts unjudged as 0', () => {
    // By hand: as scored the ideal list is D1 alone, so 1. With U = 3 it is U, D1.
    const perfect = { ranking: ['D1', 'U'], judgments: new Map([['D1', 2]]) };
    const { low, high } = boundMeasure(getMeasure('nDCG@2'), perfect, 3);
    expect(low).toBeCloseTo((2 + 3 / log3) / (3 + 2 / log3), 14);
    expect(high).toBe(1);
  });

  it('leaves an unmapped entry without gain', () => {
    const unmapped = { ranking: [null, 'D1'], judgments: new Map([['D1', 1]]) };
    expect(boundMeasure(getMeasure('RR'), unmapped, 3)).toEqual({ low: 0.5, high: 0.5 });
  });

  it.each([-1, 0.5, Number.NaN])('refuses the highest grade %d', (scale) => {
    expect(() => boundMeasure(getMeasure('P@3'), question, scale)).toThrow(RangeError);
  });

  it('refuses a measure without exact bounds', () => {
    expect(() => boundMeasure(getMeasure('AP'), question, 3)).toThrow('AP has no exact bounds');
  });

  it.each(['D1', 'U'])('refuses a ranking that holds %s twice', (id) => {
    const twice = { ...question, ranking: [...question.ranking, id] };
    expect(() => boundMeasure(getMeasure('P@3'), twice, 3)).toThrow(`duplicate document '${id}'`);
  });
});

describe('findExtremes', () => {
  it('gives labels that reach the bounds', () => {
    const measure = getMeasure('nDCG@3');
    fc.assert(
      fc.property(rankedPair, maxGrade, (ranked, scale) => {
        const { pair, low, high } = findExtremes(measure, ranked, scale);
        expect(differenceUnder(measure, pair, low.grades)).toBe(low.difference);
        const labels = pair.pool.map(
          (documentId, position) => [documentId, high.grades[position]!] as const,
        );
        expect(differenceWith(measure, ranked, labels)).toBe(high.difference);
      }),
    );
  });
});

describe('isBoundable', () => {
  it.each(['AP', 'bpref', 'RBP(0.8)', 'ERR@10', 'judged@10'])('does not hold for %s', (name) => {
    expect(isBoundable(getMeasure(name))).toBe(false);
  });

  it.each(boundable)('holds for %s', (name) => {
    expect(isBoundable(getMeasure(name))).toBe(true);
  });
});
