import { describe, expect, it } from 'vitest';

import type { SearchFilter, UserConditions } from '../../src/model/filters.ts';
import type { Metadata } from '../../src/retrieval/match-filter.ts';
import type { Retrieval, Retriever } from '../../src/retrieval/retriever.ts';

/** A chunk of the collection that the contract searches. A backend's stand-in answers with its score. */
export interface ContractChunk {
  /** `null`: the chunk does not say which document it is of. */
  readonly documentId: string | null;
  /** Holds the question's word the oftener the higher the score, in as many words as any other chunk. */
  readonly text: string;
  /** How well it answers `contractQuestion`; `null`: not at all. No chunk answers any other question. */
  readonly score: number | null;
  readonly documentMetadata: Metadata;
}

export interface ContractSetup {
  readonly chunks: readonly ContractChunk[];
  readonly filters: readonly SearchFilter[];
  readonly users: Readonly<Record<string, UserConditions>>;
}

export interface ContractRetriever {
  readonly retriever: Retriever;
  /** How many searches reached what stands behind the retriever. Absent where nothing does. */
  readonly countSearches?: () => number;
}

export interface ContractOptions {
  /** Whether the backend may meet chunks without a readable document id. */
  readonly hasUnmappedChunks: boolean;
}

export const contractQuestion = 'brake';

/**
 * What every Retriever must do. Call it inside the describe of each backend's test, with a factory for a
 * retriever of the given chunks that ranks ties by document id.
 */
export function testRetriever(
  createRetriever: (setup: ContractSetup) => Promise<ContractRetriever>,
  { hasUnmappedChunks }: ContractOptions,
): void {
  const search = async (
    setup: Partial<ContractSetup> = {},
    asked: { question?: string; depth?: number; user?: string; withTexts?: boolean } = {},
  ): Promise<Retrieval> => {
    const { retriever } = await createRetriever({ ...plainSetup, ...setup });
    return retriever.retrieve(asked.question ?? contractQuestion, {
      depth: asked.depth ?? 10,
      user: asked.user,
      withTexts: asked.withTexts,
      signal: AbortSignal.timeout(10_000),
    });
  };

  describe('as a retriever', () => {
    it('ranks documents best first, ties by document id', async () => {
      expect(listDocumentIds(await search())).toEqual(['D3', 'D1', 'D2', 'D4', 'D5']);
    });

    it('gives scores that never rise', async () => {
      const scores = (await search()).hits.map((hit) => hit.score ?? Number.NEGATIVE_INFINITY);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    });

    it('returns each document once, however many of its chunks are found', async () => {
      const documentIds = listDocumentIds(await search());
      expect(documentIds).toEqual([...new Set(documentIds)]);
    });

    it.each([
      [1, ['D3']],
      [3, ['D3', 'D1', 'D2']],
    ])('returns at most %i documents when asked for so many', async (depth, expected) => {
      expect(listDocumentIds(await search({}, { depth }))).toEqual(expected);
    });

    it('ranks the same whatever order the chunks come in', async () => {
      const reversed = await search({ chunks: contractChunks.toReversed() });
      expect(listDocumentIds(reversed)).toEqual(listDocumentIds(await search()));
    });

    it('takes an empty result for a success', async () => {
      const retrieval = await search({}, { question: 'xylophone' });
      expect(retrieval.hits).toEqual([]);
    });

    it('hands the whole text of the best chunk to who asks for it, and to nobody else', async () => {
      const text = Array.from({ length: 400 }, () => 'brake').join(' ');
      const chunks = [makeChunk('D1', text, 0.9, {}), makeChunk('D1', 'brake lamp', 0.4, {})];
      const plain = await search({ chunks });
      const withTexts = await search({ chunks }, { withTexts: true });

      expect(withTexts.hits[0]?.passage?.text).toBe(text);
      expect(plain.hits[0]).not.toHaveProperty('passage');
    });

    it('says what the search cost', async () => {
      const { cost } = await search();
      expect(cost.attempts).toBeGreaterThanOrEqual(1);
      expect(cost.latencyMs).toBeGreaterThanOrEqual(0);
    });

    it('filters before it searches, so what is excluded takes no rank', async () => {
      const retrieval = await search({ filters: [publicOnly] }, { depth: 1 });
      expect(listDocumentIds(retrieval)).toEqual(['D1']);
    });

    it.each([
      ['without other filters', [], ['D3', 'D2', 'D4']],
      ['beside a filter', [publicOnly], ['D2', 'D4']],
      ['in every one of several filters', [publicOnly, secretOnly], ['D3', 'D2', 'D4']],
    ])('applies the conditions of the user %s', async (_case, filters, expected) => {
      const retrieval = await search({ filters }, { user: 'anna' });
      expect(listDocumentIds(retrieval)).toEqual(expected);
    });

    it.each(['bob', '', '__proto__', 'constructor'])(
      'fails a search for the unknown user "%s" without searching',
      async (user) => {
        const { retriever, countSearches = () => 0 } = await createRetriever(plainSetup);
        const retrieval = retriever.retrieve(contractQuestion, {
          depth: 10,
          user,
          signal: AbortSignal.timeout(10_000),
        });
        await expect(retrieval).rejects.toMatchObject({ code: 'unknown-user' });
        expect(countSearches()).toBe(0);
      },
    );

    it('fails a search that is aborted', async () => {
      const { retriever } = await createRetriever(plainSetup);
      const retrieval = retriever.retrieve(contractQuestion, {
        depth: 10,
        signal: AbortSignal.abort(),
      });
      await expect(retrieval).rejects.toBeInstanceOf(Error);
    });

    // A backend that names its documents itself never meets a chunk without an id.
    if (!hasUnmappedChunks) return;

    it('keeps the rank of a chunk without document id', async () => {
      const retrieval = await search({ chunks: [...contractChunks, unmappedChunk] });
      expect(listDocumentIds(retrieval)).toEqual(['D3', 'D1', null, 'D2', 'D4', 'D5']);
    });
  });
}

function listDocumentIds({ hits }: Retrieval): readonly (string | null)[] {
  return hits.map((hit) => hit.documentId);
}

const publicOnly: SearchFilter = {
  id: 'public',
  dataRepositoryType: 'vector',
  dataRepositories: ['*'],
  documentMetadata: [{ key: 'access', value: ['public'] }],
};

const secretOnly: SearchFilter = {
  ...publicOnly,
  id: 'secret',
  documentMetadata: [{ key: 'access', value: ['secret'] }],
};

const contractChunks: readonly ContractChunk[] = [
  makeChunk('D5', 'brake wheel bell chain', 0.4, { access: ['public'], region: ['south'] }),
  makeChunk('D1', 'brake wheel saddle lamp', 0.4, { access: ['public'], region: ['south'] }),
  makeChunk('D1', 'brake brake brake lamp', 0.8, { access: ['public'], region: ['south'] }),
  makeChunk('D2', 'brake brake wheel lamp', 0.6, { access: ['public'], region: ['north'] }),
  makeChunk('D3', 'brake brake brake brake', 0.9, { access: ['secret'], region: ['north'] }),
  makeChunk('D4', 'brake wheel bell chain', 0.4, { access: ['public'], region: ['north', 'east'] }),
  makeChunk('D6', 'wheel saddle bell chain', null, { access: ['public'], region: ['north'] }),
];

const unmappedChunk = { ...makeChunk('', 'brake brake brake bell', 0.7, {}), documentId: null };

const plainSetup: ContractSetup = {
  chunks: contractChunks,
  filters: [],
  users: { anna: { documentMetadata: [{ key: 'region', value: ['north'] }] } },
};

function makeChunk(
  documentId: string,
  text: string,
  score: number | null,
  documentMetadata: Metadata,
): ContractChunk {
  return { documentId, text, score, documentMetadata };
}
