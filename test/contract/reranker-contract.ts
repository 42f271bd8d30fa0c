import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { RetrievedHit, Passage } from '../../src/retrieval/retriever.ts';
import { rerankCandidates } from '../../src/retrieval/pipeline/rerank-candidates.ts';
import type { Reranker } from '../../src/retrieval/pipeline/reranker.ts';
import { createStageJournal } from '../../src/retrieval/pipeline/stage-run.ts';

/**
 * What every re-ranker must do inside its stage. Call it inside the describe of each one's test, with a
 * factory that is told what its model, if it has one, is to answer whatever it is asked.
 */
export function testReranker(
  createReranker: (reply: string) => Reranker | Promise<Reranker>,
): void {
  describe('as a re-ranker', () => {
    it('gives back what it was given, whatever the texts say and its model answers', async () => {
      const texts = fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 30 });
      await fc.assert(
        fc.asyncProperty(texts, fc.nat(30), replies, async (passages, candidates, reply) => {
          const hits = passages.map((text, index) => toHit(`D${index}`, { title: '', text }));
          const reranked = await rerank(await createReranker(reply), hits, candidates);

          const ids = reranked.hits.map(({ documentId }) => documentId);
          expect(ids).toHaveLength(hits.length);
          expect(new Set(ids)).toEqual(new Set(hits.map(({ documentId }) => documentId)));
          expect(ids.slice(candidates)).toEqual(
            hits.slice(candidates).map(({ documentId }) => documentId),
          );
        }),
        { numRuns: 50 },
      );
    });

    it('orders the same candidates in the same way every time', async () => {
      const reranker = await createReranker('[3] > [1]');
      const first = await rerank(reranker, contractHits, 10);
      const second = await rerank(reranker, contractHits, 10);

      expect(second).toEqual(first);
      expect(first.fallbacks).toEqual([]);
    });

    it('keeps the order of candidates that it cannot tell apart', async () => {
      const equal = ['D2', 'D1', 'D4', 'D3'].map((id) => toHit(id, { title: '', text: 'brake' }));
      const { hits } = await rerank(await createReranker('[1]'), equal, 10);

      expect(hits.map(({ documentId }) => documentId)).toEqual(['D2', 'D1', 'D4', 'D3']);
    });

    it('keeps chunks without a document', async () => {
      const unmapped = contractHits.map((hit) => ({ ...hit, documentId: null }));
      const { hits } = await rerank(await createReranker('[2]'), unmapped, 10);

      expect(hits).toHaveLength(unmapped.length);
    });
  });
}

async function rerank(reranker: Reranker, hits: readonly RetrievedHit[], candidates: number) {
  const journal = createStageJournal();
  const run = { journal, signal: new AbortController().signal };
  const stage = { type: 'lexical', reranker, candidates } as const;
  const { hits: reranked } = await rerankCandidates('brake 4711', hits, stage, run);
  return { hits: reranked ?? hits, fallbacks: journal.fallbacks };
}

const numbers = fc.integer({ min: -3, max: 40 }).map((number) => `[${number}]`);
const replies = fc.oneof(
  fc.string(),
  fc.array(numbers, { maxLength: 40 }).map((named) => named.join(' > ')),
);

const contractHits = ['wheel', 'brake 4711', 'brake', 'saddle'].map((text, index) =>
  toHit(`D${index}`, { title: `Note ${index}`, text }),
);

function toHit(documentId: string, passage: Passage): RetrievedHit {
  return { documentId, chunkId: `${documentId}#0`, score: 1, passage };
}
