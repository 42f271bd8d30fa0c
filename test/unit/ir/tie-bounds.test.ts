import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { judgeRanking } from '../../../src/ir/measures/judged-ranking.ts';
import { measureFamilies } from '../../../src/ir/measures/registry.ts';
import { boundTies, hasTieBounds } from '../../../src/ir/tie-bounds.ts';
import { getMeasure } from './unjudged/brute-force.ts';

const names = [
  'hit@2',
  'P@3',
  'P(rel=2)@2',
  'R@2',
  'F1@3',
  'RR',
  'RR@2',
  'RR(rel=2)',
  'AP',
  'AP@3',
  'AP(rel=2)',
  'nDCG',
  'nDCG@3',
  'nDCG-exp@3',
  'DCG',
  'DCG@3',
  'Rprec',
  'bpref',
  'bpref(rel=2)',
  'RBP(0.8)',
  'ERR',
  'ERR@3',
  'setP',
  'setR',
  'setF1',
];
const context = { maxGrade: 3 };
const ids = ['D1', 'D2', 'D3', 'D4', 'D5', 'D6'];

const ranking = fc
  .shuffledSubarray(ids)
  .chain((chosen) =>
    fc
      .array(fc.integer({ min: 1, max: 3 }), { minLength: chosen.length, maxLength: chosen.length })
      .map((scores) => ({ chosen, scores: scores.toSorted((a, b) => b - a) })),
  );
const judgments = fc
  .dictionary(fc.constantFrom(...ids, 'D9'), fc.integer({ min: -1, max: 3 }))
  .map((grades) => new Map(Object.entries(grades)));

describe('boundTies', () => {
  it.each(names)('%s: gives what trying every order gives', (name) => {
    const measure = getMeasure(name);
    fc.assert(
      fc.property(ranking, judgments, ({ chosen, scores }, byDocument) => {
        const bounds = boundTies(measure, { ...judgeRanking(chosen, byDocument), scores }, context);
        const values = everyOrder(chosen, scores).map((order) =>
          measure.compute(judgeRanking(order, byDocument), context),
        );
        expect(bounds.best).toBeCloseTo(Math.max(...values), 12);
        expect(bounds.worst).toBeCloseTo(Math.min(...values), 12);
      }),
    );
  });

  it('is worked by hand', () => {
    // Ranks 2 to 4 are tied, one of them relevant: RR is 1/2 at best and 1/4 at worst, AP the same (R = 1).
    const tied = { grades: [0, null, 1, 0, null], judged: [1, 0, 0], scores: [9, 5, 5, 5, 1] };
    const expected = { worst: 1 / 4, best: 1 / 2, tied: 3 };
    expect(boundTies(getMeasure('RR'), tied, context)).toEqual(expected);
    expect(boundTies(getMeasure('AP'), tied, context)).toEqual(expected);
  });

  it('has nothing tied where all scores differ', () => {
    const distinct = { grades: [0, 1], judged: [1, 0], scores: [2, 1] };
    expect(boundTies(getMeasure('RR'), distinct, context)).toEqual({
      worst: 0.5,
      best: 0.5,
      tied: 0,
    });
  });

  it('is 0 for an empty ranking', () => {
    const empty = { grades: [], judged: [1], scores: [] };
    expect(boundTies(getMeasure('P@3'), empty, context)).toEqual({ worst: 0, best: 0, tied: 0 });
  });

  it.each([
    ['rising scores', [1, 2], 'the score at rank 2 is above the one before it'],
    ['scores that are not numbers', [1, Number.NaN], 'rank 2'],
    ['a missing score', [1], '1 scores for 2 documents'],
  ])('refuses %s', (_what, scores, message) => {
    const wrong = { grades: [0, 1], judged: [1, 0], scores };
    expect(() => boundTies(getMeasure('RR'), wrong, context)).toThrow(message);
  });

  it.each(['infAP', 'judged@3'])('refuses %s', (name) => {
    const tied = { grades: [0, 1], judged: [1, 0], scores: [1, 1] };
    expect(() => boundTies(getMeasure(name), tied, context)).toThrow(`${name} has no tie bounds`);
  });
});

describe('hasTieBounds', () => {
  it('holds for every family that is tried here', () => {
    const tried = new Set(names.map((name) => getMeasure(name).family));
    const bounded = measureFamilies.filter(({ name }) => hasTieBounds({ family: name }));
    expect(bounded.map(({ name }) => name).toSorted()).toEqual([...tried].toSorted());
  });
});

/** Every order of the documents in which the scores still fall. */
function everyOrder(
  chosen: readonly string[],
  scores: readonly number[],
): readonly (readonly string[])[] {
  const scoreOf = new Map(chosen.map((id, index) => [id, scores[index]]));
  return permute(chosen).filter((order) =>
    order.every((id, index) => scoreOf.get(id) === scores[index]),
  );
}

function permute(items: readonly string[]): readonly (readonly string[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) =>
    permute(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}
