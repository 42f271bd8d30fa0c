import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { addUserConditions } from '../../../../../src/retrieval/add-user-conditions.ts';
import type { LocalDocument } from '../../../../../src/retrieval/backends/local/local-document.ts';
import { buildLocalIndex } from '../../../../../src/retrieval/backends/local/local-index.ts';
import { createLocalRetriever } from '../../../../../src/retrieval/backends/local/local-retriever.ts';
import type { FilterTree, SearchFilter } from '../../../../../src/model/filters.ts';
import type { Chunking, LocalMethod } from '../../../../../src/model/search-configuration.ts';
import { isAllowed, searchByDefinition } from './reference-search.ts';

const words = ['the', 'order', 'block', 'blocks', 'price', 'PRC-112', 'parts', 'gr/ir'];
const lexicon = {
  stopwords: ['the', 'is'],
  concepts: {
    blocked: ['block', 'blocks', 'the'],
    price: ['price', 'prc-112'],
    thing: ['price', 'parts', 'order'],
  },
};

const texts = (maxLength: number) =>
  fc.array(fc.constantFrom(...words), { maxLength }).map((list) => list.join(' '));
const metadata = fc.dictionary(
  fc.constantFrom('team', 'area'),
  fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
);
const documents: fc.Arbitrary<LocalDocument[]> = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom('D1', 'D2', 'D10', 'Z', 'a', 'ä', '\uFF5E', '\u{1F6B2}'),
    title: texts(2),
    paragraphs: fc.array(texts(6), { maxLength: 3 }),
    metadata: fc.option(metadata, { nil: undefined }),
    chunkMetadata: fc.option(fc.array(metadata, { maxLength: 3 }), { nil: undefined }),
  }),
  { selector: ({ id }) => id, maxLength: 8 },
);

const condition = fc.record({
  key: fc.constantFrom('team', 'area'),
  value: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
  selectMode: fc.constantFrom(undefined, [], ['ignoreIfKeyAbsent']),
});
const conditions = fc.option(fc.array(condition, { maxLength: 2 }), { nil: undefined });
const { tree } = fc.letrec<{ tree: FilterTree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 2 },
    fc
      .tuple(condition, fc.constantFrom('repository', 'document', 'chunk'))
      .map(([leaf, scope]) => ({ ...leaf, scope })),
    fc.record({
      operator: fc.constantFrom('and', 'or'),
      left: tie('tree'),
      right: tie('tree'),
    }),
  ),
}));
const counts = fc.constantFrom(undefined, null, 1, 2, 3);
const filters: fc.Arbitrary<SearchFilter[]> = fc.array(
  fc.record({
    searchConfiguration: fc.option(fc.record({ maxChunkCount: counts, maxDocumentCount: counts }), {
      nil: undefined,
    }),
    dataRepositoryMetadata: fc.option(fc.array(condition, { maxLength: 1 }), {
      nil: undefined,
      freq: 1,
    }),
    documentMetadata: conditions,
    chunkMetadata: conditions,
    filter: fc.option(tree, { nil: undefined }),
  }),
  { maxLength: 3 },
);
const searches = fc.record({
  documents,
  filters,
  users: fc.record({
    anna: fc.record({ documentMetadata: fc.array(condition, { maxLength: 2 }) }),
  }),
  user: fc.constantFrom(undefined, 'anna'),
  chunking: fc.constantFrom<Chunking>(
    { strategy: 'whole' },
    { strategy: 'sections' },
    { strategy: 'fixed', size: 3 },
  ),
  method: fc.constantFrom<LocalMethod>('bm25', 'vector', 'hybrid', 'rerank'),
  candidates: fc.integer({ min: 1, max: 4 }),
  rrfK: fc.constantFrom(0, 1, 2.5, 60),
  question: texts(5),
  depth: fc.integer({ min: 1, max: 9 }),
});

describe('local search against its definition', () => {
  it('ranks as a search of every chunk does, and never what the filters exclude', async () => {
    await fc.assert(
      fc.asyncProperty(searches, async ({ documents: given, question, depth, ...search }) => {
        const hits = await searchLocal(given, question, { ...search, depth });
        const { users, user } = search;
        const definition = {
          ...search,
          documents: given,
          lexicon,
          filters: addUserConditions(search.filters, users, user),
        };
        expect(hits).toEqual(searchByDefinition(definition, question).slice(0, depth));
        const returned = hits.map(({ documentId }) => given.find(({ id }) => id === documentId));
        expect(returned.every((document) => isAllowed(definition, document))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('is the same for every order of the documents, to the last bit', async () => {
    const shuffled = searches.chain((search) =>
      fc.tuple(
        fc.constant(search),
        fc.shuffledSubarray(search.documents, { minLength: search.documents.length }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, async ([{ documents: given, question, ...search }, other]) => {
        const hits = await searchLocal(given, question, search);
        expect(await searchLocal(other, question, search)).toEqual(hits);
      }),
      { numRuns: 300 },
    );
  });
});

interface LocalSearch {
  readonly chunking: Chunking;
  readonly method: LocalMethod;
  readonly depth: number;
  readonly user?: string | undefined;
}

async function searchLocal(
  given: readonly LocalDocument[],
  question: string,
  { depth, user, ...options }: LocalSearch,
) {
  const index = await buildLocalIndex(given, { lexicon, chunking: options.chunking });
  const retriever = createLocalRetriever(index, options);
  const { signal } = new AbortController();
  return (await retriever.retrieve(question, { depth, user, signal })).hits;
}
