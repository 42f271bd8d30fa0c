import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { fuseReciprocalRank } from '../../../../../src/ir/fusion.ts';
import { rankByFusion } from '../../../../../src/retrieval/backends/local/rank-documents.ts';
import {
  addScore,
  createWorkspace,
  type DocumentScoreboard,
} from '../../../../../src/retrieval/backends/local/scoreboard.ts';

// Many more documents than the heads that are looked at, with few scores, so that there are ties.
const documentCount = 120;
const scoreLists = fc.tuple(arbitraryScores(), arbitraryScores());

describe('rankByFusion', () => {
  it('is the head of the fusion of the whole lists', () => {
    const options = fc.record({
      rrfK: fc.constantFrom(0, 0.5, 1, 5, 60),
      limit: fc.integer({ min: 1, max: 6 }),
    });
    fc.assert(
      fc.property(scoreLists, options, ([first, second], { rrfK, limit }) => {
        const { bm25, vector } = createWorkspace(0, documentCount);
        const rankings = [fill(bm25, first), fill(vector, second)];
        const expected = fuseReciprocalRank(rankings, rrfK).slice(0, limit);
        const fused = rankByFusion([bm25, vector], { rrfK, limit });
        expect(fused.map(({ document, score }) => ({ documentId: toId(document), score }))).toEqual(
          expected,
        );
      }),
      { numRuns: 2000 },
    );
  });
});

/** A score by document; 0 leaves the document out of the list. */
function arbitraryScores(): fc.Arbitrary<readonly number[]> {
  const score = fc.integer({ min: 0, max: 60 });
  return fc.array(score, { minLength: documentCount, maxLength: documentCount });
}

/** Fills the scoreboard and returns the whole list, sorted. */
function fill(board: DocumentScoreboard, scores: readonly number[]): readonly string[] {
  const scored = [...scores.entries()].filter(([, score]) => score > 0);
  for (const [document, score] of scored) addScore(board, document, score);
  return scored.toSorted(([a, x], [b, y]) => y - x || a - b).map(([document]) => toId(document));
}

function toId(document: number): string {
  return String(document).padStart(3, '0');
}
