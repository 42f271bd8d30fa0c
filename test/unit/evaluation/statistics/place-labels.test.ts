import { describe, expect, it } from 'vitest';

import { createImpactOrder } from '../../../../src/evaluation/pooling/impact-order.ts';
import { placeLabels } from '../../../../src/evaluation/statistics/place-labels.ts';

const judgments = new Map<string, number>();
const questions = [
  { questionId: 'q1', baseline: ['a', null, 'b'], candidate: ['b', 'c'], judgments },
  { questionId: 'q2', baseline: ['a'], candidate: [], judgments },
  { questionId: 'q3', baseline: ['d', 'e'], candidate: ['e', 'd'], judgments },
];
// In the order in which they are to be asked for; b of q1 stands below the depth in the baseline.
const labels = [
  { questionId: 'q3', documentId: 'e', impact: 0.5 },
  { questionId: 'q1', documentId: 'b', impact: 0.25 },
  { questionId: 'q1', documentId: 'c', impact: 0.125 },
  { questionId: 'q1', documentId: 'a', impact: 0 },
];
const placed = placeLabels(questions, labels, 2);

describe('placeLabels', () => {
  it('tells each rank down to the depth, baseline before candidate, and what comes first', () => {
    expect([...placed.starts]).toEqual([0, 4, 5, 9]);
    expect([...placed.baselineRanks]).toEqual([2, 1, 2]);
    expect([...placed.orders]).toEqual([4, 0, 2, 3, 0, 0, 1, 1, 0]);
    expect([...placed.impacts]).toEqual([0, NaN, 0.25, 0.125, NaN, NaN, 0.5, 0.5, NaN]);
    expect([...placed.firsts]).toEqual([2, 0, 1]);
  });
});

describe('createImpactOrder', () => {
  const compared = questions.map(({ questionId }) => questionId);
  const order = createImpactOrder(placed, {
    compared,
    all: ['q0', ...compared],
    candidate: 'new',
  });

  it('asks of the questions with the first labels first, of those without in their order', () => {
    expect(order.order).toEqual(['q3', 'q1', 'q0', 'q2']);
  });

  it('gives each document its impact and place, whichever side brought it', () => {
    const documents = [found('a', 'old', 1), found('b', 'new', 1), found('c', 'new', 2)];

    expect(
      order
        .sortDocuments('q1', documents)
        .map((each) => [each.documentId, each.impact, each.order]),
    ).toEqual([
      ['b', 0.25, 2],
      ['c', 0.125, 3],
      ['a', 0, 4],
    ]);
    expect(order.sortDocuments('q0', documents)).toEqual(documents);
  });
});

function found(documentId: string, configuration: string, rank: number) {
  return { documentId, title: null, snippet: null, retrievedBy: [{ configuration, rank }] };
}
