import { once } from 'node:events';

import { describe, expect, it } from 'vitest';

import { RetrieverError } from '../../../../src/errors.ts';
import {
  createSharedWork,
  rewriteOnce,
  shareSearches,
} from '../../../../src/retrieval/pipeline/shared-work.ts';
import { createStageJournal, StageFailure } from '../../../../src/retrieval/pipeline/stage-run.ts';
import { type RetrieveOptions, type Retriever } from '../../../../src/retrieval/retriever.ts';
import type { SearchConfiguration } from '../../../../src/model/search-configuration.ts';
import { noCost } from '../../../../src/model/outcome.ts';

const { signal } = new AbortController();
const make = (depth: number, pipeline: object) => ({ depth, pipeline }) as SearchConfiguration;
const lexical = { rerank: { type: 'lexical' } };

/** Finds as many documents as it is asked for, and records how it was asked. */
function createRetriever() {
  const asked: (RetrieveOptions & { readonly text: string })[] = [];
  const retriever: Retriever = {
    async retrieve(text, options) {
      asked.push({ ...options, text });
      if (text === 'broken') throw new RetrieverError('retriever-failed', 'told to fail');
      const hits = Array.from({ length: options.depth }, (_, index) => ({
        documentId: `D${index}`,
        chunkId: null,
        score: null,
      }));
      return { hits, cost: { ...noCost, searches: 1, latencyMs: 7 } };
    },
  };
  return { retriever, asked };
}

describe('shared searches', () => {
  it('makes each search once, as deep as any of them needs, and cuts it for each', async () => {
    const { retriever, asked } = createRetriever();
    const shared = createSharedWork([make(5, {}), make(5, { candidates: 8, ...lexical })]);
    const search = shareSearches(retriever, shared);

    const short = await search.retrieve('a', { depth: 5, signal });
    const long = await search.retrieve('a', { depth: 8, withTexts: true, signal });
    await search.retrieve('b', { depth: 5, signal });

    expect(asked.map(({ text, depth, withTexts }) => [text, depth, withTexts])).toEqual([
      ['a', 8, true],
      ['b', 8, true],
    ]);
    expect([short.hits.length, long.hits.length]).toEqual([5, 8]);
    const cost = { ...noCost, searches: 1, latencyMs: 7 };
    expect([short.cost, long.cost]).toEqual([cost, cost]);
  });

  it('searches 20 deep where a re-ranker takes its usual candidates', () => {
    expect(createSharedWork([make(5, lexical)]).depth).toBe(20);
  });

  it('takes a failure for a result', async () => {
    const { retriever, asked } = createRetriever();
    const search = shareSearches(retriever, createSharedWork([make(5, {})]));

    const tries = [1, 2].map(() => search.retrieve('broken', { depth: 5, signal }));

    const settled = await Promise.allSettled(tries);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(asked).toHaveLength(1);
  });

  it('fails for all with the reason that a search was given up for', async () => {
    const stop = new AbortController();
    const retriever: Retriever = {
      async retrieve(_text, { signal: given }) {
        await once(given, 'abort');
        throw new Error('the connection was closed');
      },
    };
    const search = shareSearches(retriever, createSharedWork([make(5, {})]));
    const reason = new StageFailure('timeout', 'No result within 10 ms');

    const first = search.retrieve('a', { depth: 5, signal: stop.signal });
    stop.abort(reason);

    await expect(first).rejects.toBe(reason);
    await expect(search.retrieve('a', { depth: 5, signal })).rejects.toBe(reason);
  });

  it('changes nothing where nothing is shared', () => {
    const { retriever } = createRetriever();
    expect(shareSearches(retriever, undefined)).toBe(retriever);
  });
});

describe('rewriteOnce', () => {
  it('rewrites once and tells each what it cost', async () => {
    let calls = 0;
    const rewriter = {
      type: 'llm',
      rewrite: async (_asked: object, { meter }: { meter: { add: (spent: object) => void } }) => {
        calls += 1;
        meter.add({ modelCalls: 1, promptTokens: 50, latencyMs: 9 });
        return ['other wording'];
      },
    } as const;
    const shared = createSharedWork([make(5, {})]);
    const journals = [createStageJournal(), createStageJournal()];

    const asked = { question: 'question', history: [] };
    const rewritten = await Promise.all(
      journals.map((journal) => rewriteOnce(asked, [rewriter], { journal, signal }, shared)),
    );

    expect(calls).toBe(1);
    expect(rewritten[0]).toBe(rewritten[1]);
    const cost = { stage: 'rewrite', modelCalls: 1, promptTokens: 50, latencyMs: 9 };
    expect(journals.map(({ stages }) => stages)).toMatchObject([[cost], [cost]]);
  });
});
