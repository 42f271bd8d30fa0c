import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { judgeRanking } from '../../../src/ir/measures/judged-ranking.ts';
import {
  hasUniqueJudged,
  measurePoolBias,
  type PooledQuestion,
} from '../../../src/ir/pool-bias.ts';
import { getMeasure } from './unjudged/brute-force.ts';

// Worked by hand. q1: A finds D1 (2) at rank 1 and, alone, D2 (1) at rank 2 and D7 at 3; B finds D1 at 2 and, alone, D8 (0) at 3. D9 (3) is found by nobody.
// q2: B alone finds D3 (1); A was not asked it.
const questions: readonly PooledQuestion[] = [
  {
    rankings: new Map([
      ['A', ['D1', 'D2', 'D7']],
      ['B', [null, 'D1', 'D8']],
    ]),
    judgments: new Map([
      ['D1', 2],
      ['D2', 1],
      ['D8', 0],
      ['D9', 3],
    ]),
  },
  { rankings: new Map([['B', ['D3']]]), judgments: new Map([['D3', 1]]) },
];

describe('hasUniqueJudged', () => {
  // By the lists above: D2 and D8 are judged and of one configuration each, D1 is of both.
  it.each([
    ['A', 2, true],
    ['A', 1, true],
    ['B', 2, false],
    ['B', 3, true],
    ['C', 3, false],
  ])('tells it of %s down to %i', (configuration, depth, expected) => {
    const [question] = questions.slice(0, 1) as [PooledQuestion];
    expect(hasUniqueJudged(configuration, question, depth)).toBe(expected);
  });
});

describe('measurePoolBias', () => {
  it('takes away what one configuration alone brought', () => {
    const options = { depth: 3, maxGrade: 3 };
    expect(measurePoolBias(getMeasure('P@2'), questions, options)).toEqual([
      {
        configuration: 'A',
        questions: 1,
        uniqueDocuments: 2,
        uniqueQuestions: 1,
        uniqueJudged: 1,
        uniqueRelevant: 1,
        mean: 1,
        meanWithout: 0.5,
        scoreDrop: 0.5,
      },
      {
        configuration: 'B',
        questions: 2,
        uniqueDocuments: 2,
        uniqueQuestions: 2,
        uniqueJudged: 2,
        uniqueRelevant: 1,
        mean: 0.5,
        meanWithout: 0.25,
        scoreDrop: 0.25,
      },
    ]);
  });

  it('shows a fall below 0 where the denominator shrinks', () => {
    // R@1 of A: D1 of D1, D2, D9; without D2 it is D1 of D1, D9.
    const [first] = measurePoolBias(getMeasure('R@1'), questions, { depth: 3, maxGrade: 3 });
    expect(first?.scoreDrop).toBeCloseTo(1 / 3 - 1 / 2, 15);
  });

  it('looks no deeper than the pool was', () => {
    const [first] = measurePoolBias(getMeasure('P@2'), questions, { depth: 1, maxGrade: 3 });
    expect(first).toMatchObject({ uniqueJudged: 1, uniqueRelevant: 1, meanWithout: 0.5 });
  });

  it('counts what is relevant by the measure', () => {
    const [first] = measurePoolBias(getMeasure('P(rel=2)@2'), questions, { depth: 3, maxGrade: 3 });
    expect(first).toMatchObject({ uniqueJudged: 1, uniqueRelevant: 0, scoreDrop: 0 });
  });

  it('is empty without questions', () => {
    expect(measurePoolBias(getMeasure('P@2'), [], { depth: 3, maxGrade: 3 })).toEqual([]);
  });

  it('takes nothing away from one of two equal configurations', () => {
    const ranking = fc.shuffledSubarray(['D1', 'D2', 'D3', 'D4']);
    const judgments = fc
      .dictionary(fc.constantFrom('D1', 'D2', 'D3', 'D9'), fc.integer({ min: -1, max: 3 }))
      .map((grades) => new Map(Object.entries(grades)));
    const measure = getMeasure('nDCG@3');
    fc.assert(
      fc.property(ranking, judgments, (documents, byDocument) => {
        const rankings = new Map([
          ['A', documents],
          ['B', documents.toReversed()],
        ]);
        const options = { depth: 4, maxGrade: 3 };
        const [first] = measurePoolBias(measure, [{ rankings, judgments: byDocument }], options);
        const score = measure.compute(judgeRanking(documents, byDocument), options);
        expect(first).toMatchObject({
          uniqueJudged: 0,
          mean: score,
          meanWithout: score,
          scoreDrop: 0,
        });
      }),
    );
  });
});
