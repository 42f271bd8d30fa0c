import { describe, expect, it } from 'vitest';

import { plainAnalyzer } from '../../../../../src/ir/analyzer.ts';
import { createLexicalReranker } from '../../../../../src/retrieval/backends/local/lexical-reranker.ts';
import { compileLexicon } from '../../../../../src/retrieval/backends/local/lexicon.ts';
import { createStageJournal } from '../../../../../src/retrieval/pipeline/stage-run.ts';
import { testReranker } from '../../../../contract/reranker-contract.ts';

describe('createLexicalReranker', () => {
  testReranker(() => createLexicalReranker());

  it('adds the cosine of the concepts and 0.3 of the share of tokens', async () => {
    const lexicon = compileLexicon({
      stopwords: ['the'],
      concepts: { stop: ['brake', 'halt'], wheel: ['wheel'] },
    });
    const texts = ['halt wheel', 'the brake', 'saddle'];
    const journal = createStageJournal();
    const part = { stage: 'rerank', type: 'lexical' } as const;
    const reranking = await journal.run(part, new AbortController().signal, (run) =>
      createLexicalReranker({ lexicon, analyzer: plainAnalyzer }).rerank(
        'the brake saddle',
        texts.map((text) => ({ title: '', text })),
        run,
      ),
    );

    // By hand. The question has the concept stop once, and the tokens brake and saddle.
    // 1: cosine 1/√2, no token. 2: cosine 1, one of two. 3: no concept, one of two.
    expect(reranking?.scores).toEqual(
      [1 / Math.SQRT2, 1.15, 0.15].map((score) => expect.closeTo(score, 12)),
    );
    expect(reranking?.order).toEqual([1, 0, 2]);
  });
});
