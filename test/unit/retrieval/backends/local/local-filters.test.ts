import { describe, expect, it } from 'vitest';

import type { LocalDocument } from '../../../../../src/retrieval/backends/local/local-document.ts';
import { buildLocalIndex } from '../../../../../src/retrieval/backends/local/local-index.ts';
import {
  createLocalRetriever,
  type LocalSearchOptions,
} from '../../../../../src/retrieval/backends/local/local-retriever.ts';
import type { SearchFilter } from '../../../../../src/model/filters.ts';

const lexicon = { stopwords: [], concepts: { money: ['cash', 'coin'] } };
const open = { access: ['open'] };
const secret = { access: ['secret'] };

// D1 is best for 'cash' by its secret paragraph, D2 next, D3 last.
const documents: readonly LocalDocument[] = [
  {
    id: 'D1',
    title: 'One',
    paragraphs: ['cash cash cash x', 'box box box box'],
    metadata: { team: ['a'] },
    chunkMetadata: [secret, open],
  },
  {
    id: 'D2',
    title: 'Two',
    paragraphs: ['cash cash y y', 'cash box box y'],
    metadata: { team: ['a', 'b'] },
    chunkMetadata: [open, open],
  },
  { id: 'D3', title: 'Three', paragraphs: ['cash z z z'], metadata: { team: ['b'] } },
];

const isOpen: SearchFilter = { chunkMetadata: [{ key: 'access', value: ['open'] }] };
const ofTeam = (...teams: string[]): SearchFilter => ({
  documentMetadata: [{ key: 'team', value: teams }],
});

describe('filters of the local search', () => {
  it.each([
    ['no filter', [], ['D1', 'D2', 'D3']],
    ['a document condition', [ofTeam('b')], ['D2', 'D3']],
    ['several filters, united', [ofTeam('b'), isOpen], ['D2', 'D3']],
    ['filters that nothing passes', [ofTeam('c')], []],
    ['a chunk condition, which the best chunk of D1 fails', [isOpen], ['D2']],
    [
      'a chunk condition that is ignored where its key is absent',
      [
        {
          chunkMetadata: [{ key: 'access', value: ['open'], selectMode: ['ignoreIfKeyAbsent'] }],
        },
      ],
      ['D2', 'D3'],
    ],
    [
      'a repository condition, which no corpus meets',
      [{ dataRepositoryMetadata: [{ key: 'type', value: ['custom'] }] }],
      [],
    ],
    [
      'repositories, which do not restrict',
      [{ dataRepositories: ['x'], dataRepositoryType: 'vector' }],
      ['D1', 'D2', 'D3'],
    ],
  ])('%s', async (_case, filters: readonly SearchFilter[], expected) => {
    expect(await listFound({ filters })).toEqual(expected);
  });

  it.each([
    ['chunks', [{ searchConfiguration: { maxChunkCount: 2 } }], ['D1', 'D2']],
    ['documents', [{ searchConfiguration: { maxDocumentCount: 1 } }], ['D1']],
    ['both', [{ searchConfiguration: { maxChunkCount: 3, maxDocumentCount: 2 } }], ['D1', 'D2']],
    ['neither', [{ searchConfiguration: { maxChunkCount: null } }], ['D1', 'D2', 'D3']],
    [
      'chunks of each filter before they are united',
      [
        { ...ofTeam('a'), searchConfiguration: { maxChunkCount: 1 } },
        { ...ofTeam('b'), searchConfiguration: { maxChunkCount: 1 } },
      ],
      ['D1', 'D2'],
    ],
    [
      'one filter beside an unlimited one',
      [{ ...ofTeam('a'), searchConfiguration: { maxChunkCount: 1 } }, ofTeam('b')],
      ['D1', 'D2', 'D3'],
    ],
  ])('keeps the best: %s', async (_case, filters: readonly SearchFilter[], expected) => {
    expect(await listFound({ filters })).toEqual(expected);
  });

  it('limits the list of each method by itself before it fuses them', async () => {
    // 'z coin': bm25 finds z, which D3 alone has; the concepts find cash, in all with cosine 1.
    const filters = [{ searchConfiguration: { maxChunkCount: 1 } }];
    expect(await listFound({ filters, method: 'bm25' }, 'z coin')).toEqual(['D3']);
    expect(await listFound({ filters, method: 'vector' }, 'z coin')).toEqual(['D1']);
    expect(await listFound({ filters, method: 'hybrid' }, 'z coin')).toEqual(['D1', 'D3']);
  });

  it('does not let an excluded chunk name or raise its document', async () => {
    const filters = [{ chunkMetadata: [{ key: 'access', value: ['open'] }] }];
    const { hits } = await retrieve({ filters }, 'box');
    expect(hits.map((hit) => hit.chunkId)).toEqual(['D1#1', 'D2#1']);
  });

  it('does not let an excluded chunk into the text that is re-scored', async () => {
    // Without the secret paragraph D1 holds no cash: one of two tokens, and no concept.
    const { hits } = await retrieve(
      { filters: [isOpen, ofTeam('z')], method: 'rerank' },
      'box cash',
    );
    expect(hits.map(({ documentId, score }) => [documentId, score])).toEqual([
      ['D2', expect.closeTo(1 + 0.3, 14)],
      ['D1', expect.closeTo(0.3 / 2, 14)],
    ]);
  });

  it('keeps the statistics of the whole corpus, so a filter changes no score', async () => {
    const { hits: all } = await retrieve({}, 'cash');
    const { hits: some } = await retrieve({ filters: [ofTeam('b')] }, 'cash');
    expect(some).toEqual(all.slice(1));
  });

  it.each([
    ['whole', 'secret', ['D1']],
    ['whole', 'open', ['D1', 'D2']],
    ['fixed', 'secret', ['D1']],
    ['fixed', 'open', ['D1', 'D2']],
  ] as const)(
    'gives a chunk of several paragraphs the values of each: %s, %s',
    async (strategy, value, expected) => {
      const chunking = strategy === 'whole' ? ({ strategy } as const) : { strategy, size: 8 };
      const filters = [{ chunkMetadata: [{ key: 'access', value: [value] }] }];
      expect(await listFound({ filters, chunking })).toEqual(expected);
    },
  );

  it('does not give a whole document the values of a paragraph without text', async () => {
    const chunking = { strategy: 'whole' } as const;
    const blank = { id: 'D1', title: '', paragraphs: ['cash', ' '], chunkMetadata: [secret, open] };
    const index = await buildLocalIndex([blank], { lexicon, chunking });
    const options = { method: 'bm25', chunking, filters: [isOpen] } as const;
    const { hits } = await createLocalRetriever(index, options).retrieve('cash', ask());
    expect(hits).toEqual([]);
  });

  it('keeps the users of one retriever apart', async () => {
    const users = {
      anna: { documentMetadata: [{ key: 'team', value: ['a'] }] },
      ben: { documentMetadata: [{ key: 'team', value: ['b'] }] },
    };
    const retriever = createLocalRetriever(await buildIndex(), { ...defaults, users });
    const asked = ['anna', 'ben', undefined, 'anna', 'ben'];
    const found = await Promise.all(asked.map((user) => retriever.retrieve('cash', ask(user))));
    const documentIds = found.map(({ hits }) => hits.map((hit) => hit.documentId));
    expect(documentIds).toEqual([
      ['D1', 'D2'],
      ['D2', 'D3'],
      ['D1', 'D2', 'D3'],
      ['D1', 'D2'],
      ['D2', 'D3'],
    ]);
  });

  it('serves more users than it remembers', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `user-${index}`);
    const conditions = { documentMetadata: [{ key: 'team', value: ['b'] }] };
    const users = Object.fromEntries(names.map((name) => [name, conditions]));
    const retriever = createLocalRetriever(await buildIndex(), { ...defaults, users });
    const found = await Promise.all(
      [...names, ...names].map((user) => retriever.retrieve('cash', ask(user))),
    );
    expect(new Set(found.map(({ hits }) => hits.map((hit) => hit.documentId).join()))).toEqual(
      new Set(['D2,D3']),
    );
  });
});

const defaults = { method: 'bm25', chunking: { strategy: 'sections' } } as const;

function ask(user?: string) {
  return { depth: 10, user, signal: new AbortController().signal };
}

function buildIndex(chunking: LocalSearchOptions['chunking'] = defaults.chunking) {
  return buildLocalIndex(documents, { lexicon, chunking });
}

async function retrieve(options: Partial<LocalSearchOptions>, question: string) {
  const index = await buildIndex(options.chunking);
  return createLocalRetriever(index, { ...defaults, ...options }).retrieve(question, ask());
}

async function listFound(options: Partial<LocalSearchOptions>, question = 'cash') {
  return (await retrieve(options, question)).hits.map((hit) => hit.documentId);
}
