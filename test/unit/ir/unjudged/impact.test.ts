import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Bounds } from '../../../../src/ir/unjudged/bounds.ts';
import { decide, meanBounds } from '../../../../src/ir/unjudged/decision.ts';
import { planLabels } from '../../../../src/ir/unjudged/impact.ts';
import { countLabelsLeft } from '../../../../src/ir/unjudged/labels-left.ts';
import type { ComparedQuestion } from '../../../../src/ir/unjudged/missing-label.ts';
import {
  differenceWith,
  everyLabelling,
  getMeasure,
  listUnjudged,
  rankedPair,
  tryEveryLabelling,
} from './brute-force.ts';

const maxGrade = fc.integer({ min: 0, max: 3 });
const names = ['hit@2', 'P@2', 'R@3', 'RR', 'RR(rel=2)@3', 'DCG@3', 'nDCG', 'nDCG@2', 'nDCG-exp@3'];

/** One to three questions. */
const questions = fc
  .array(rankedPair, { minLength: 1, maxLength: 3 })
  .map((pairs) => pairs.map((pair, index) => ({ ...pair, questionId: `q${index}` })));

describe('planLabels', () => {
  it.each(names)('%s: a label has the impact that trying its grades shows', (name) => {
    const measure = getMeasure(name);
    fc.assert(
      fc.property(questions, maxGrade, (compared, scale) => {
        const { labels } = planLabels(measure, compared, scale);
        const tried = labels.map(({ questionId, documentId }) => {
          const question = compared.find((each) => each.questionId === questionId)!;
          const others = listUnjudged([question.baseline, question.candidate], question.judgments);
          const zeros = others.map((id) => [id, 0] as const);
          const values = everyLabelling([documentId], scale).map((label) =>
            differenceWith(measure, question, [...zeros, ...label]),
          );
          return (Math.max(...values) - Math.min(...values)) / compared.length;
        });
        expect(labels.map(({ impact }) => impact)).toEqual(
          tried.map((value) => expect.closeTo(value, 12) as number),
        );
      }),
    );
  });

  it('lists each missing label once, the greatest impact first', () => {
    fc.assert(
      fc.property(questions, maxGrade, (compared, scale) => {
        const { labels } = planLabels(getMeasure('nDCG@3'), compared, scale);
        const missing = compared.flatMap(({ questionId, baseline, candidate, judgments }) =>
          listUnjudged([baseline, candidate], judgments).map((id) => `${questionId} ${id}`),
        );
        const listed = labels.map(({ questionId, documentId }) => `${questionId} ${documentId}`);
        expect(listed.toSorted()).toEqual(missing.toSorted());
        const impacts = labels.map(({ impact }) => impact);
        expect(impacts).toEqual(impacts.toSorted((a, b) => b - a));
      }),
    );
  });

  it.each(names)('%s: counts the labels of grade 0 until the sign is decided', (name) => {
    const measure = getMeasure(name);
    fc.assert(
      fc.property(questions, maxGrade, (compared, scale) => {
        const { labels, bounds, decision, labelsLeft } = planLabels(measure, compared, scale);
        const after = [...labels.keys(), labels.length].map((count) => {
          const given = labels.slice(0, count).map((label) => ({ ...label, grade: 0 }));
          return meanBounds(tryQuestions(compared, given, { name, scale }))!;
        });
        expect(bounds.low).toBeCloseTo(after[0]!.low, 12);
        expect(bounds.high).toBeCloseTo(after[0]!.high, 12);
        expect(decision).toBe(decide(after[0]!));
        const first = after.findIndex((each) => decide(each) !== 'undecided');
        expect(labelsLeft.ifNotRelevant).toBe(first);
        expect(labelsLeft.atBest).toBeLessThanOrEqual(labels.length);
      }),
      { numRuns: 60 },
    );
  });

  it.each(['P@2', 'DCG@2'])('%s: nothing decides it with fewer labels than at best', (name) => {
    const few = questions.filter(
      (compared) =>
        compared.flatMap((each) => listUnjudged([each.baseline, each.candidate], each.judgments))
          .length <= 5,
    );
    fc.assert(
      fc.property(few, fc.integer({ min: 1, max: 2 }), (compared, scale) => {
        const { labels, labelsLeft } = planLabels(getMeasure(name), compared, scale);
        const subsets = labels.reduce<(typeof labels)[]>(
          (sets, label) => sets.flatMap((set) => [set, [...set, label]]),
          [[]],
        );
        const deciding = subsets.filter((subset) => {
          const keys = subset.map((_, index) => `${index}`);
          return everyLabelling(keys, scale).some((labelling) => {
            const given = subset.map((label, index) => ({ ...label, grade: labelling[index]![1] }));
            const bounds = meanBounds(tryQuestions(compared, given, { name, scale }))!;
            return decide(bounds) !== 'undecided';
          });
        });
        expect(labelsLeft.atBest).toBe(Math.min(...deciding.map((subset) => subset.length)));
      }),
      { numRuns: 40 },
    );
  });

  it('is worked by hand for two questions', () => {
    // P@2 of B − A. q1: only B has X at rank 1 (+1/2), only A has Y (−1/2). q2: only B has Z (+1/2); D is judged 1
    // and in B alone: +1/2. Halved for the mean: range (−1/2 + 1/2) / 2 = 0 to (1/2 + 1) / 2 = 3/4.
    const compared = [
      { questionId: 'q1', baseline: ['Y', 'S'], candidate: ['X', 'S'], judgments: new Map() },
      { questionId: 'q2', baseline: [], candidate: ['D', 'Z'], judgments: new Map([['D', 1]]) },
    ];
    expect(planLabels(getMeasure('P@2'), compared, 1)).toEqual({
      labels: [
        { questionId: 'q1', documentId: 'X', impact: 0.25 },
        { questionId: 'q1', documentId: 'Y', impact: 0.25 },
        { questionId: 'q2', documentId: 'Z', impact: 0.25 },
        { questionId: 'q1', documentId: 'S', impact: 0 },
      ],
      bounds: { low: 0, high: 0.75 },
      decision: 'undecided',
      // X = 0 changes nothing, Y = 0 takes the only loss away. X = 1 is enough.
      labelsLeft: { ifNotRelevant: 2, atBest: 1 },
    });
  });

  it('refuses to plan for no question', () => {
    expect(() => planLabels(getMeasure('P@2'), [], 1)).toThrow('there are no questions to label');
  });
});

describe('countLabelsLeft', () => {
  it('is 0 without questions', () => {
    const nothing = { open: [], labels: [] };
    expect(countLabelsLeft(getMeasure('P@2'), nothing, 1)).toEqual({ ifNotRelevant: 0, atBest: 0 });
  });
});

interface Given {
  readonly questionId: string;
  readonly documentId: string;
  readonly grade: number;
}

/** The range of each question by trying every labelling of what is not given. */
function tryQuestions(
  compared: readonly ComparedQuestion[],
  given: readonly Given[],
  { name, scale }: { readonly name: string; readonly scale: number },
): readonly Bounds[] {
  return compared.map((question) => {
    const added = given
      .filter(({ questionId }) => questionId === question.questionId)
      .map(({ documentId, grade }) => [documentId, grade] as const);
    const judgments = new Map([...question.judgments, ...added]);
    return tryEveryLabelling(getMeasure(name), { ...question, judgments }, scale);
  });
}
