import { describe, expect, it } from 'vitest';

import { createLanguageAnalyzer } from '../../../../../src/retrieval/analysis/language-analyzer.ts';
import type { LocalDocument } from '../../../../../src/retrieval/backends/local/local-document.ts';
import { buildLocalIndex } from '../../../../../src/retrieval/backends/local/local-index.ts';
import {
  createLocalRetriever,
  type LocalSearchOptions,
} from '../../../../../src/retrieval/backends/local/local-retriever.ts';
import type { RetrieveOptions } from '../../../../../src/retrieval/retriever.ts';
import { type ContractSetup, testRetriever } from '../../../../contract/retriever-contract.ts';

const whole = { strategy: 'whole' } as const;
const sections = { strategy: 'sections' } as const;
const lexicon = {
  stopwords: ['the'],
  concepts: { fruit: ['apple', 'pear'], stone: ['plum'] },
};

// Whole: 3, 3 and 6 tokens without 'the', so the average length is 4.
const fruits: readonly LocalDocument[] = [
  { id: 'D1', title: 'Red', paragraphs: ['The apple, apple'] },
  { id: 'D2', title: 'Green', paragraphs: ['apple', 'pear'] },
  { id: 'D3', title: 'Blue', paragraphs: ['plum plum plum plum', 'the pear'] },
];

describe('createLocalRetriever', () => {
  testRetriever(createContractRetriever, { hasUnmappedChunks: false });

  describe('by bm25', () => {
    // k1 (1 − b + b · length / average) is 1.5 (0.25 + 0.75 · 3/4) = 1.21875 for D1 and D2,
    // and 1.5 (0.25 + 0.75 · 6/4) = 2.0625 for D3.
    it('scores one term', async () => {
      // apple is in 2 of 3: idf = ln(1 + 1.5/2.5) = ln 1.6 = 0.470004.
      // D1 has it twice: 0.470004 · 2 · 2.5 / (2 + 1.21875) = 0.730103.
      // D2 has it once: 0.470004 · 2.5 / (1 + 1.21875) = 0.529582.
      expect(await search({ method: 'bm25' }, 'apple')).toEqual([
        { documentId: 'D1', chunkId: 'D1#0', score: expect.closeTo(0.7301027250419194, 14) },
        { documentId: 'D2', chunkId: 'D2#0', score: expect.closeTo(0.5295815540797021, 14) },
      ]);
    });

    it('counts a term of the question as often as it stands there', async () => {
      // plum is in 1 of 3: idf = ln(1 + 2.5/1.5) = 0.980829. pear is in 2: 0.470004.
      // D3: 0.470004 · 2.5 / (1 + 2.0625) + 2 · 0.980829 · 4 · 2.5 / (4 + 2.0625) = 3.619402.
      // D2: 0.470004 · 2.5 / (1 + 1.21875) = 0.529582.
      const hits = await search({ method: 'bm25' }, 'the pear, plum plum?');
      expect(hits.map(({ documentId, score }) => [documentId, score])).toEqual([
        ['D3', expect.closeTo(3.6194018027976695, 14)],
        ['D2', expect.closeTo(0.5295815540797021, 14)],
      ]);
    });

    it('finds nothing by a stop word', async () => {
      expect(await search({ method: 'bm25' }, 'the')).toEqual([]);
    });
  });

  it.each([
    // Terms: D1 red, appl twice; D2 green, pear; D3 blue, plum twice, time-shar, time, share. Average length 11/3.
    // Each word is in 1 of 3: idf = ln(1 + 2.5/1.5) = 0.980829, and k1 (1 − b + b · length / average) is
    // 0.9 (0.6 + 0.4 · 9/11) = 0.834545 for D1 and 0.9 (0.6 + 0.4 · 18/11) = 1.129091 for D3.
    // D1: 0.980829 · 2 · 1.9 / (2 + 0.834545) = 1.314902. D3: 0.980829 · 1.9 / (1 + 1.129091) = 0.875292.
    ['the apples', 'D1', 1.3149025906314995],
    ['sharing', 'D3', 0.8752916903477831],
  ])('scores with an analyzer, k1 and b: %s', async (question, documentId, score) => {
    const documents = [
      { id: 'D1', title: 'Red', paragraphs: ['apples, the apple'] },
      { id: 'D2', title: 'Green', paragraphs: ['pears'] },
      { id: 'D3', title: 'Blue', paragraphs: ['plum plums time-sharing'] },
    ];
    const analyzer = createLanguageAnalyzer('english');
    const index = await buildLocalIndex(documents, {
      lexicon: noLexicon,
      chunking: whole,
      analyzer,
    });
    const options = { method: 'bm25', chunking: whole, k1: 0.9, b: 0.4 } as const;

    const { hits } = await createLocalRetriever(index, options).retrieve(question, defaultOptions);

    expect(hits.map((hit) => [hit.documentId, hit.score])).toEqual([
      [documentId, expect.closeTo(score, 12)],
    ]);
  });

  it('scores by vector with the cosine of concept counts', async () => {
    // (fruit, stone): the question (1, 1), D1 and D2 (2, 0), D3 (1, 4).
    // D3: 5 / (√2 · √17) = 0.857493. D1 and D2: 2 / (√2 · 2) = 0.707107.
    expect(await search({ method: 'vector' }, 'apple plum')).toEqual([
      { documentId: 'D3', chunkId: 'D3#0', score: expect.closeTo(0.8574929257125441, 14) },
      { documentId: 'D1', chunkId: 'D1#0', score: expect.closeTo(0.7071067811865475, 14) },
      { documentId: 'D2', chunkId: 'D2#0', score: expect.closeTo(0.7071067811865475, 14) },
    ]);
  });

  it('fuses both document rankings by hybrid', async () => {
    // bm25: D1, D2. vector: D1 and D2 with 1, D3 with 1/√17.
    const hits = await search({ method: 'hybrid' }, 'apple');
    expect(hits.map(({ documentId, score }) => [documentId, score])).toEqual([
      ['D1', 1 / 61 + 1 / 61],
      ['D2', 1 / 62 + 1 / 62],
      ['D3', 1 / 63],
    ]);
  });

  it('takes k of the fusion from the options', async () => {
    const hits = await search({ method: 'hybrid', rrfK: 1 }, 'apple');
    expect(hits.map((hit) => hit.score)).toEqual([1, 2 / 3, 1 / 4]);
  });

  it('adds the share of found tokens by rerank', async () => {
    // D1 and D2: cosine 1 + 0.3 · 1/2, since no text holds 'cheap'. D3: 1/√17 + 0.3 · 0.
    const hits = await search({ method: 'rerank' }, 'cheap apple');
    expect(hits.map(({ documentId, score }) => [documentId, score])).toEqual([
      ['D1', expect.closeTo(1.15, 14)],
      ['D2', expect.closeTo(1.15, 14)],
      ['D3', expect.closeTo(0.24253562503633297, 14)],
    ]);
  });

  it('lets what was not re-scored follow without a score', async () => {
    const { hits, cost } = await retrieve({ method: 'rerank', candidates: 2 }, 'apple');
    expect(hits.map(({ documentId, score }) => [documentId, score !== null])).toEqual([
      ['D1', true],
      ['D2', true],
      ['D3', false],
    ]);
    expect(cost).toMatchObject({ attempts: 1, pairsReranked: 2, modelCalls: 0 });
  });

  it.each([
    ['rerank', 8, 1, 3],
    ['rerank', 2, 1, 2],
    ['hybrid', 8, 1, 0],
  ] as const)(
    'counts re-scored pairs: %s with %i candidates, depth %i',
    async (method, candidates, depth, expected) => {
      const { hits, cost } = await retrieve({ method, candidates }, 'apple', { depth });
      expect(hits).toHaveLength(depth);
      expect(cost.pairsReranked).toBe(expected);
    },
  );

  it.each([
    ['bm25', 'D3#1'],
    ['vector', 'D3#0'],
    ['hybrid', 'D3#1'],
    ['rerank', 'D3#1'],
  ] as const)('names the best chunk by %s', async (method, expected) => {
    // 'pear' stands in the second paragraph of D3 only. 'plum' is a concept, but of a token
    // that is a stop word here, so bm25 does not see it.
    const stopPlum = { ...lexicon, stopwords: ['plum'] };
    const index = await buildLocalIndex(fruits.slice(2), { lexicon: stopPlum, chunking: sections });
    const retriever = createLocalRetriever(index, { method, chunking: sections });
    const { hits } = await retriever.retrieve('plum plum pear', defaultOptions);
    expect(hits.map((hit) => hit.chunkId)).toEqual([expected]);
  });

  it('names the first of equally good chunks', async () => {
    const twice = [{ id: 'D1', title: '', paragraphs: ['plum', 'pear', 'pear'] }];
    const index = await buildLocalIndex(twice, { lexicon, chunking: sections });
    const retriever = createLocalRetriever(index, { method: 'bm25', chunking: sections });
    const { hits } = await retriever.retrieve('pear', defaultOptions);
    expect(hits.map((hit) => hit.chunkId)).toEqual(['D1#1']);
  });

  it('names the chunk that its own method found, whatever was searched before', async () => {
    const index = await buildLocalIndex(fruits, { lexicon, chunking: sections });
    const byBm25 = createLocalRetriever(index, { method: 'bm25', chunking: sections });
    const byVector = createLocalRetriever(index, { method: 'vector', chunking: sections });
    await byBm25.retrieve('pear', defaultOptions);
    const { hits } = await byVector.retrieve('plum', defaultOptions);
    expect(hits.map((hit) => hit.chunkId)).toEqual(['D3#0']);
  });

  it('counts a word once for a concept that lists it twice', async () => {
    const concepts = { fruit: ['apple', 'Apple', 'apple'], stone: ['plum'] };
    const options = { lexicon: { stopwords: [], concepts }, chunking: whole };
    const index = await buildLocalIndex(
      [{ id: 'D1', title: '', paragraphs: ['apple plum'] }],
      options,
    );
    const retriever = createLocalRetriever(index, { method: 'vector', chunking: whole });
    // The question (1, 0), the document (1, 1): 1/√2.
    const { hits } = await retriever.retrieve('apple', defaultOptions);
    expect(hits.map((hit) => hit.score)).toEqual([expect.closeTo(Math.SQRT1_2, 14)]);
  });

  it('stops after its filters were matched when it was aborted meanwhile', async () => {
    const controller = new AbortController();
    const retrieval = retrieve({ method: 'bm25' }, 'apple', { signal: controller.signal });
    controller.abort(new Error('no longer wanted'));
    await expect(retrieval).rejects.toThrow('no longer wanted');
  });

  it('searches afresh after a search that was aborted', async () => {
    const index = await buildLocalIndex(fruits, { lexicon, chunking: whole });
    const retriever = createLocalRetriever(index, { method: 'hybrid', chunking: whole });
    const before = await retriever.retrieve('apple', defaultOptions);
    await retriever.retrieve('plum pear', defaultOptions);
    const aborted = retriever.retrieve('pear', { ...defaultOptions, signal: AbortSignal.abort() });
    await expect(aborted).rejects.toBeInstanceOf(Error);
    expect((await retriever.retrieve('apple', defaultOptions)).hits).toEqual(before.hits);
  });

  it('keeps searches apart that run at the same time', async () => {
    const index = await buildLocalIndex(fruits, { lexicon, chunking: whole });
    const retriever = createLocalRetriever(index, { method: 'rerank', chunking: whole });
    const questions = ['apple', 'plum', 'pear', 'red', 'nothing'];
    const together = await Promise.all(
      questions.map((question) => retriever.retrieve(question, defaultOptions)),
    );
    const alone = questions.map((question) => search({ method: 'rerank' }, question));
    expect(together.map(({ hits }) => hits)).toEqual(await Promise.all(alone));
  });

  it('refuses an index of another chunking', async () => {
    const index = await buildLocalIndex(fruits, { lexicon, chunking: whole });
    expect(() => createLocalRetriever(index, { method: 'bm25', chunking: sections })).toThrow(
      'a different chunking',
    );
  });

  it('hands out the documents and passages of its index', async () => {
    const index = await buildLocalIndex(fruits, { lexicon, chunking: sections });
    const retriever = createLocalRetriever(index, { method: 'bm25', chunking: sections });
    expect(retriever.hasDocument?.('D2')).toBe(true);
    expect(retriever.findPassage?.('D2#1')).toEqual({ title: 'Green', text: 'pear' });
  });

  it('finds nothing in an empty corpus', async () => {
    const index = await buildLocalIndex([], { lexicon, chunking: whole });
    const retriever = createLocalRetriever(index, { method: 'rerank', chunking: whole });
    expect((await retriever.retrieve('apple', defaultOptions)).hits).toEqual([]);
  });
});

const noLexicon = { stopwords: [], concepts: {} };
const defaultOptions: RetrieveOptions = { depth: 10, signal: new AbortController().signal };

async function retrieve(
  options: Omit<LocalSearchOptions, 'chunking'>,
  question: string,
  asked: Partial<RetrieveOptions> = {},
) {
  const index = await buildLocalIndex(fruits, { lexicon, chunking: whole });
  const retriever = createLocalRetriever(index, { ...options, chunking: whole });
  return retriever.retrieve(question, { ...defaultOptions, ...asked });
}

async function search(options: Omit<LocalSearchOptions, 'chunking'>, question: string) {
  return (await retrieve(options, question)).hits;
}

async function createContractRetriever({ chunks, filters, users }: ContractSetup) {
  const byDocument = Map.groupBy(chunks, (chunk) => chunk.documentId ?? '');
  const documents = [...byDocument].map(([id, own]) => ({
    id,
    title: '',
    paragraphs: own.map((chunk) => chunk.text),
    metadata: own[0]?.documentMetadata,
  }));
  const index = await buildLocalIndex(documents, {
    lexicon: noLexicon,
    chunking: sections,
  });
  const options = { method: 'bm25', chunking: sections, filters, users } as const;
  return { retriever: createLocalRetriever(index, options) };
}
