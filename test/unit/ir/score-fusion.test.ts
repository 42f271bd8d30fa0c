import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { fuseScores } from '../../../src/ir/score-fusion.ts';

const rank = (scores: Readonly<Record<string, number>>) =>
  Object.entries(scores).map(([documentId, score]) => ({ documentId, score }));

describe('fuseScores', () => {
  it('sums scores that were brought to 0 … 1 within each ranking', () => {
    // By hand. First: A (9 − 1) / 8 = 1, B (5 − 1) / 8 = 0.5, C 0. Second: B 1, D 0.
    expect(fuseScores([rank({ A: 9, B: 5, C: 1 }), rank({ B: 0.4, D: -0.2 })])).toEqual([
      { documentId: 'B', score: 1.5 },
      { documentId: 'A', score: 1 },
      { documentId: 'C', score: 0 },
      { documentId: 'D', score: 0 },
    ]);
  });

  it('counts 1 for each document of a ranking whose scores are all equal', () => {
    expect(fuseScores([rank({ B: 7, A: 7 }), rank({ A: 3 })])).toEqual([
      { documentId: 'A', score: 2 },
      { documentId: 'B', score: 1 },
    ]);
  });

  it('counts a document that a ranking repeats once, with its first score', () => {
    const ranking = [...rank({ A: 4, B: 2 }), ...rank({ A: 0, C: 0 })];

    // The range is that of the first scores: A 4, B 2, C 0.
    expect(fuseScores([ranking]).map(({ score }) => score)).toEqual([1, 0.5, 0]);
  });

  it('is empty where nothing was found', () => {
    expect(fuseScores([[], []])).toEqual([]);
  });

  it('never leaves 0 … the number of rankings, whatever the scores are', () => {
    const score = fc.double({ noNaN: true, min: -1e9, max: 1e9 });
    const hit = fc.record({ documentId: fc.constantFrom('A', 'B', 'C', 'D'), score });
    fc.assert(
      fc.property(fc.array(fc.array(hit)), (rankings) => {
        const scores = fuseScores(rankings).map((fused) => fused.score);

        expect(Math.min(0, ...scores)).toBe(0);
        expect(Math.max(0, ...scores)).toBeLessThanOrEqual(rankings.length);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }),
    );
  });
});
