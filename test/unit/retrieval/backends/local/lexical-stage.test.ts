import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createLexicalReranker } from '../../../../../src/retrieval/backends/local/lexical-reranker.ts';
import type { LocalDocument } from '../../../../../src/retrieval/backends/local/local-document.ts';
import { buildLocalIndex } from '../../../../../src/retrieval/backends/local/local-index.ts';
import { createLocalRetriever } from '../../../../../src/retrieval/backends/local/local-retriever.ts';
import { createPipelineStages } from '../../../../../src/retrieval/pipeline/create-pipeline.ts';
import { createPipelineRetriever } from '../../../../../src/retrieval/pipeline/pipeline-retriever.ts';
import type { RerankText } from '../../../../../src/model/pipeline-configuration.ts';
import type { Chunking } from '../../../../../src/model/search-configuration.ts';

const words = ['the', 'order', 'block', 'blocks', 'price', 'PRC-112', 'parts', 'gr/ir'];
const lexicon = {
  stopwords: ['the'],
  concepts: { blocked: ['block', 'blocks', 'the'], price: ['price', 'prc-112'] },
};
const texts = fc.array(fc.constantFrom(...words), { maxLength: 6 }).map((list) => list.join(' '));
const metadata = fc.record({ area: fc.constantFrom(['a'], ['b']) });
const documents = fc.uniqueArray(
  fc
    .record({
      id: fc.constantFrom('D1', 'D2', 'D10', 'Z', 'a', '\uFF5E', '\u{1F6B2}'),
      title: texts,
      paragraphs: fc.array(texts, { minLength: 1, maxLength: 3 }),
    })
    .chain((document) => {
      const { length } = document.paragraphs;
      return fc
        .array(metadata, { minLength: length, maxLength: length })
        .map((chunkMetadata): LocalDocument => ({ ...document, chunkMetadata }));
    }),
  { selector: ({ id }) => id, maxLength: 7 },
);
const chunkings = fc.constantFrom<Chunking>(
  { strategy: 'whole' },
  { strategy: 'sections' },
  { strategy: 'fixed', size: 3 },
);

describe('the lexical stage around hybrid', () => {
  it('gives the ranking of the method rerank, filters of chunks included', async () => {
    const candidates = fc.integer({ min: 1, max: 6 });
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          documents,
          chunking: chunkings,
          question: texts,
          candidates,
          isFiltered: fc.boolean(),
        }),
        async (drawn) => {
          const found = await rankBoth(drawn, 'document');

          expect(found.stage).toEqual(found.method);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('reads the best chunk alone where it is told to', async () => {
    // By hand: the words of the question stand in two paragraphs of A, and half of them in one of B.
    const found = await rankBoth(
      {
        documents: [
          { id: 'A', title: '', paragraphs: ['order', 'parts'] },
          { id: 'B', title: '', paragraphs: ['order'] },
        ],
        chunking: { strategy: 'sections' },
        question: 'order parts',
        candidates: 2,
        isFiltered: false,
      },
      'chunk',
    );

    expect(found.method.map(({ score }) => score)).toEqual([0.3, 0.15]);
    expect(found.stage.map(({ score }) => score)).toEqual([0.15, 0.15]);
  });
});

async function rankBoth(
  {
    documents: corpus,
    chunking,
    question,
    candidates,
    isFiltered,
  }: {
    readonly documents: readonly LocalDocument[];
    readonly chunking: Chunking;
    readonly question: string;
    readonly candidates: number;
    readonly isFiltered: boolean;
  },
  on: RerankText,
) {
  const index = await buildLocalIndex(corpus, { lexicon, chunking });
  const filters = isFiltered ? [{ chunkMetadata: [{ key: 'area', value: ['a'] }] }] : [];
  const options = { chunking, candidates, filters };
  const configuration = {
    backend: 'local',
    corpus: 'c',
    method: 'hybrid',
    rrfK: 60,
    depth: 10,
    users: {},
    ...options,
  } as const;
  const pipeline = { candidates, rerank: { type: 'lexical', on } } as const;
  const stages = createPipelineStages(configuration, pipeline, {
    createLexicalReranker: () => createLexicalReranker(index),
  });
  const hybrid = createLocalRetriever(index, { ...options, method: 'hybrid' });
  const asked = { depth: 10, signal: AbortSignal.timeout(10_000) };
  const method = await createLocalRetriever(index, { ...options, method: 'rerank' }).retrieve(
    question,
    asked,
  );
  const stage = await createPipelineRetriever(hybrid, stages).retrieve(question, asked);
  return { method: method.hits, stage: stage.hits };
}
