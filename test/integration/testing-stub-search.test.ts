import { RetrievalApi } from '@sap-ai-sdk/document-grounding';
import { describe, expect, it } from 'vitest';

import type { AiCoreStub, StubRepository } from 'grounding-eval-testing';
import {
  createDestination,
  failSearchBySdk,
  listKeyPaths,
  readRanking,
  searchBySdk,
  startStub,
} from '../helpers/grounding.ts';
import { readShape } from '../helpers/published-shapes.ts';

const lexicon = { stopwords: ['the'], concepts: { fruit: ['apple', 'pear'], stone: ['plum'] } };

const corpus = [
  { id: 'D1', title: 'Red', paragraphs: ['The apple'], metadata: { region: ['north', 'east'] } },
  {
    id: 'D2',
    title: 'Green',
    paragraphs: ['apple pear plum', 'plum'],
    metadata: { region: ['south'] },
    chunkMetadata: [{ language: ['en'] }, { language: ['de'] }],
  },
  { id: 'D3', title: 'Blue', paragraphs: ['apple plum plum'], metadata: { region: ['south'] } },
  { id: 'D4', title: 'Grey', paragraphs: ['sweet ripe apple plum'] },
];

const rules: StubRepository = {
  id: 'b6a13e60-c569-4ef2-a198-a4f67ef028eb',
  title: 'rules',
  metadata: { purpose: ['rules'] },
  documents: [
    { id: 'R1', title: 'Yellow', paragraphs: ['pear'], metadata: { region: ['south'] } },
    { id: 'R2', title: 'White', paragraphs: ['sweet pear pear plum'] },
  ],
};

const portal: StubRepository = {
  title: 'Example Help Portal',
  type: 'help.sap.com',
  documents: [{ id: 'H1', title: 'Help', paragraphs: ['apple plum'] }],
};

// (fruit, stone) is (1, 0) for the question, (1, 0) for D1, (2, 1) for the first chunk of D2 and (0, 1) for
// its second, (1, 2) for D3 and (1, 1) for D4. R1 is (1, 0) and R2 (2, 1).
const question = 'sweet ripe apple';
const [d1, d2, d4, d3] = [1, 2 / Math.sqrt(5), 1 / Math.sqrt(2), 1 / Math.sqrt(5)];
const whole = [
  ['D1', close(d1)],
  ['D2', close(d2)],
  ['D4', close(d4)],
  ['D3', close(d3)],
];

describe('POST /v2/lm/document-grounding/retrieval/search of the stub', () => {
  it('finds chunks by their concepts', async () => {
    const answer = await search(await start(), [{ id: 'notes', dataRepositoryType: 'vector' }]);
    expect(readRanking(answer, 'notes')).toEqual(whole);
  });

  it('finds chunks by their words where there is no lexicon', async () => {
    // ripe is in one of 5 chunks: idf ln(1 + 4.5/1.5) = ln 4. The chunks have 3, 4, 2, 4 and 5 tokens with
    // their titles, 3.6 on average: 1.5 (0.25 + 0.75 · 5/3.6) = 1.9375 for D4.
    const bm25 = (Math.log(4) * 2.5) / (1 + 1.9375);
    const stub = await startStub({ corpus });
    const answer = await search(stub, [{ id: 'notes' }], { query: 'ripe' });
    expect(readRanking(answer, 'notes')).toEqual([['D4', close(bm25 / (1 + bm25))]]);
  });

  it('answers nothing found as an empty list', async () => {
    const answer = await search(await start(), [{ id: 'notes' }], { query: 'xylophone' });
    expect(answer).toEqual({ results: [{ filterId: 'notes', results: [] }] });
  });

  it.each([
    [
      'documentMetadata, any of several values',
      { documentMetadata: [{ key: 'region', value: ['north', 'west'] }] },
      ['D1'],
    ],
    [
      'documentMetadata with ignoreIfKeyAbsent',
      {
        documentMetadata: [{ key: 'region', value: ['north'], selectMode: ['ignoreIfKeyAbsent'] }],
      },
      ['D1', 'D4'],
    ],
    ['chunkMetadata', { chunkMetadata: [{ key: 'language', value: ['en'] }] }, ['D2']],
    [
      'chunkMetadata on the id of a document',
      { chunkMetadata: [{ key: 'docId', value: ['D3', 'D4'] }] },
      ['D4', 'D3'],
    ],
    [
      'a boolean tree',
      {
        filter: {
          operator: 'or',
          left: { key: 'docId', value: ['D4'], scope: 'chunk' },
          right: {
            operator: 'and',
            left: { key: 'region', value: ['south'] },
            right: { key: 'title', value: ['Blue'], scope: 'document' },
          },
        },
      },
      ['D4', 'D3'],
    ],
    ['maxChunkCount', { searchConfiguration: { maxChunkCount: 2 } }, ['D1', 'D2']],
    [
      'counts of null',
      { searchConfiguration: { maxChunkCount: 1, maxDocumentCount: null } },
      ['D1'],
    ],
    ['another type of repository', { dataRepositoryType: 'help.sap.com' }, []],
    ['an unknown repository', { dataRepositories: ['c0ffee'] }, []],
  ])('honours %s', async (_case, filter, expected) => {
    const answer = await search(await start(), [{ id: 'notes', ...filter }]);
    expect(readRanking(answer, 'notes').map(([id]) => id)).toEqual(expected);
  });

  it('brings one chunk a document by maxDocumentCount', async () => {
    const stub = await start();
    const byChunks = await search(stub, [{ id: 'notes' }], { query: 'plum' });
    const byDocuments = await search(
      stub,
      [{ id: 'notes', searchConfiguration: { maxDocumentCount: 3 } }],
      { query: 'plum' },
    );
    // The chunk (0, 1) of D2, then (1, 2), (1, 1) and the other chunk of D2.
    expect(readRanking(byChunks, 'notes').map(([id]) => id)).toEqual(['D2', 'D3', 'D4', 'D2']);
    expect(readRanking(byDocuments, 'notes').map(([id]) => id)).toEqual(['D2', 'D3', 'D4']);
  });

  it.each([
    ['all', { dataRepositories: ['*'] }, ['D1', 'R1', 'D2', 'R2', 'D4', 'D3']],
    ['one by its id', { dataRepositories: [rules.id] }, ['R1', 'R2']],
    [
      'those with a metadata value',
      { dataRepositoryMetadata: [{ key: 'purpose', value: ['rules'] }] },
      ['R1', 'R2'],
    ],
    [
      'those with a metadata value, by a tree',
      { filter: { key: 'purpose', value: ['rules'], scope: 'repository' } },
      ['R1', 'R2'],
    ],
  ])('searches of several repositories %s', async (_case, filter, expected) => {
    const stub = await start({ repositories: [rules] });
    const answer = await search(stub, [{ id: 'notes', ...filter }], { query: 'apple' });
    expect(readRanking(answer, 'notes').map(([id]) => id)).toEqual(expected);
  });

  it('answers each filter by itself, a failed one with an error inside the 200', async () => {
    const answer = await search(await start(), [
      { id: 'north', documentMetadata: [{ key: 'region', value: ['north'] }] },
      { id: 'odd', documentMetadata: [{ key: 'url', value: ['x'] }] },
      { id: 'south', documentMetadata: [{ key: 'region', value: ['south'] }] },
    ]);
    expect(answer.results.map(({ filterId, error }) => [filterId, error?.message])).toEqual([
      ['north', undefined],
      ['odd', "Filter refused: the key {'url'} cannot be searched here (query 1.0)."],
      ['south', undefined],
    ]);
    expect(readRanking(answer, 'north').map(([id]) => id)).toEqual(['D1']);
    expect(readRanking(answer, 'south').map(([id]) => id)).toEqual(['D2', 'D3']);
  });

  it('ignores an unknown key whose absence is to be ignored', async () => {
    const condition = { key: 'url', value: ['x'], selectMode: ['ignoreIfKeyAbsent'] };
    const answer = await search(await start(), [{ id: 'notes', documentMetadata: [condition] }]);
    expect(readRanking(answer, 'notes')).toEqual(whole);
  });

  it('groups by repository and document, the best of them never first', async () => {
    const stub = await start({ repositories: [rules] });
    const answer = await search(stub, [{ id: 'notes' }], { query: 'plum' });
    const repositories = (answer.results[0]?.results ?? []).map((result) => result.dataRepository);
    const groups = repositories.map(({ title, documents }) => [
      title,
      documents.flatMap((document) => document.chunks.map(readDocumentId)),
    ]);
    expect(groups).toEqual([
      ['rules', ['R2']],
      ['corpus', expect.toSatisfy((ids: string[]) => ids[0] !== 'D2' && ids.length === 4)],
    ]);
    const [second] = repositories;
    expect(second?.metadata).toEqual([{ key: 'purpose', value: ['rules'] }]);
    expect(second?.id).toBe(rules.id);
  });

  it('reranks with scores of its own', async () => {
    const answer = await search(await start(), [{ id: 'notes' }], {
      postProcessing: [
        { id: 'reranked', strategy: { type: 'reranker' }, inputs: [{ id: 'notes' }] },
      ],
    });
    // (cosine + 0.3 · share of the three words) / 1.3
    expect(readRanking(answer, 'reranked')).toEqual([
      ['D1', close((d1 + 0.1) / 1.3)],
      ['D4', close((d4 + 0.3) / 1.3)],
      ['D2', close((d2 + 0.1) / 1.3)],
      ['D3', close((d3 + 0.1) / 1.3)],
    ]);
    expect(readRanking(answer, 'notes')).toEqual(whole);
  });

  it('merges by scoreReuse, each chunk once, without a score of its own', async () => {
    const filters = [
      { id: 'south', documentMetadata: [{ key: 'region', value: ['south'] }] },
      { id: 'all', searchConfiguration: { maxChunkCount: 2 } },
    ];
    const inputs = filters.map(({ id }) => ({ id }));
    const answer = await search(await start(), filters, {
      postProcessing: [{ id: 'merged', strategy: { type: 'scoreReuse' }, inputs }],
    });
    expect(readRanking(answer, 'merged')).toEqual([
      ['D1', close(d1)],
      ['D2', close(d2)],
      ['D3', close(d3)],
    ]);
    expect(JSON.stringify(answer)).not.toContain('postProcessingScore');
  });

  it('runs a nested operation first and answers it too', async () => {
    const inner = {
      id: 'inner',
      maxChunkCount: 3,
      strategy: { type: 'scoreReuse' },
      inputs: [{ id: 'notes' }],
    };
    const answer = await search(await start(), [{ id: 'notes' }], {
      postProcessing: [
        { id: 'outer', maxChunkCount: 2, strategy: { type: 'reranker' }, inputs: [inner] },
      ],
    });
    expect(answer.results.map(({ filterId }) => filterId)).toEqual(['notes', 'inner', 'outer']);
    expect(readRanking(answer, 'inner').map(([id]) => id)).toEqual(['D1', 'D2', 'D4']);
    expect(readRanking(answer, 'outer').map(([id]) => id)).toEqual(['D1', 'D4']);
  });

  it('keeps five chunks of an operation without a count, under an id of the server', async () => {
    const stub = await start({ repositories: [rules] });
    const answer = await search(stub, [{ id: 'notes' }], {
      postProcessing: [{ strategy: { type: 'scoreReuse' }, inputs: [{ id: 'notes' }] }],
    });
    const [, operation] = answer.results;
    expect(operation?.filterId).toMatch(/^[0-9a-f-]{36}$/);
    expect(readRanking(answer, operation?.filterId ?? '')).toHaveLength(5);
  });

  it('fails an operation by a strategy that it does not have', async () => {
    const answer = await search(await start(), [{ id: 'notes' }], {
      postProcessing: [{ id: 'mixed', strategy: { type: 'random' }, inputs: [{ id: 'notes' }] }],
    });
    expect(answer.results[1]).toEqual({
      filterId: 'mixed',
      error: { message: "The strategy 'random' is not available." },
    });
  });

  it('names the document under another key, and not in the chunks that are to lack it', async () => {
    const stub = await start({
      documentIdKey: 'source',
      hasDocumentId: ({ documentId, index }) => documentId === 'D2' && index === 1,
    });
    const answer = await search(stub, [{ id: 'notes' }], { query: 'plum' });
    const documents = answer.results
      .flatMap(({ results = [] }) => results)
      .flatMap(({ dataRepository }) => dataRepository.documents);
    const named = documents.filter(({ metadata }) => metadata.some(({ key }) => key === 'source'));
    expect(named).toHaveLength(1);
    expect(named[0]?.chunks.map(({ metadata }) => metadata[0])).toEqual([
      { key: 'source', value: ['D2'] },
      { key: 'index', value: ['0'] },
    ]);
  });

  it('answers the same ids for the same corpus in another stub', async () => {
    const first = await search(await start(), [{ id: 'notes' }]);
    const second = await search(await start({ corpus: corpus.toReversed() }), [{ id: 'notes' }]);
    expect(second).toEqual(first);
  });

  it.each([
    ['an empty question', { query: '' }, 422, 'body.query: at least one character is needed.'],
    [
      'both counts',
      { filters: [{ id: 'a', searchConfiguration: { maxChunkCount: 1, maxDocumentCount: 1 } }] },
      400,
      'filters.0.searchConfiguration: maxChunkCount and maxDocumentCount exclude each other.',
    ],
    [
      'a tree beside documentMetadata',
      {
        filters: [
          {
            id: 'a',
            filter: { key: 'region', value: ['x'] },
            documentMetadata: [{ key: 'region', value: ['x'] }],
          },
        ],
      },
      400,
      'filters.0.filter and documentMetadata exclude each other.',
    ],
    ['a tree that is too deep', { filters: [{ id: 'a', filter: nest(6) }] }, 400, /deeper than 5/],
    ['one id twice', { filters: [{ id: 'a' }, { id: 'a' }] }, 400, "The id 'a' is not unique."],
    [
      'an input that nothing is named like',
      { postProcessing: [{ strategy: {}, inputs: [{ id: 'b' }] }] },
      400,
      "postProcessing: the input 'b' is not known.",
    ],
  ])('refuses %s', async (_case, body, status, detail) => {
    const { serviceKey } = await start();
    const asked = { query: 'apple', filters: [{ id: 'a' }], ...body };
    const failure = await failSearchBySdk(serviceKey, asked);
    expect(failure.status).toBe(status);
    expect(failure.body).toMatchObject({
      error: { code: String(status), details: [{ message: expect.stringMatching(detail) }] },
    });
  });
});

describe('what the stub answers has the shape of', () => {
  it('retrieval-15-reranker', async () => {
    const stub = await start({ repositories: [rules, portal] });
    const filters = [{ id: 'filter-1' }, { id: 'filter-2', dataRepositoryType: 'help.sap.com' }];
    const inputs = filters.map(({ id }) => ({ id }));
    const answer = await search(stub, filters, {
      postProcessing: [{ id: 'rerank-all', strategy: { type: 'reranker' }, inputs }],
    });
    expect(listKeyPaths(answer)).toEqual(listKeyPaths(readShape('retrieval-15-reranker')));
  });

  it('retrieval-09-one-filter-failed', async () => {
    const stub = await start({ repositories: [rules] });
    const answer = await search(stub, [
      { id: 'notes', dataRepositories: [rules.id] },
      { id: 'help', documentMetadata: [{ key: 'url', value: ['x'] }] },
    ]);
    expect(listKeyPaths(answer)).toEqual(listKeyPaths(readShape('retrieval-09-one-filter-failed')));
  });

  it('data-repositories', async () => {
    const answer = await listRepositories(await start({ repositories: [rules, portal] }), {});
    expect(listKeyPaths(answer)).toEqual(listKeyPaths(readShape('data-repositories')));
  });

  it.each([
    ['error-400-invalid-request', { filters: [{ id: 'a' }, { id: 'a' }] }],
    ['error-422-validation', { query: '' }],
  ])('%s', async (file, body) => {
    const { serviceKey } = await start();
    const failure = await failSearchBySdk(serviceKey, { query: 'a', filters: [], ...body });
    expect(listKeyPaths(failure.body)).toEqual(listKeyPaths(readShape(file)));
  });
});

describe('GET /v2/lm/document-grounding/retrieval/dataRepositories of the stub', () => {
  it.each([
    [{}, ['corpus', 'rules', 'Example Help Portal'], 3],
    [{ $top: 2 }, ['corpus', 'rules'], 2],
    [{ $top: 2, $skip: 2 }, ['Example Help Portal'], 1],
    [{ $top: 1, $skip: 1, $count: true }, ['rules'], 3],
  ])('pages by %o', async (parameters, titles, count) => {
    const stub = await start({ repositories: [rules, portal] });
    const answer = await listRepositories(stub, parameters);
    expect(answer.resources.map(({ title }) => title)).toEqual(titles);
    expect(answer.count).toBe(count);
  });

  it('lists only what the resource group sees', async () => {
    const stub = await start({
      resourceGroups: ['default', 'other'],
      repositories: [{ ...rules, resourceGroups: ['other'] }],
    });
    const answer = await listRepositories(stub, {});
    expect(answer.resources.map(({ title }) => title)).toEqual(['corpus']);
  });
});

function start(options: Parameters<typeof startStub>[0] = {}): Promise<AiCoreStub> {
  return startStub({ corpus, lexicon, ...options });
}

function search(
  { serviceKey }: AiCoreStub,
  filters: readonly object[],
  body: { query?: string; postProcessing?: readonly object[] } = {},
): ReturnType<typeof searchBySdk> {
  return searchBySdk(serviceKey, { query: question, filters, ...body });
}

async function listRepositories(
  { serviceKey }: AiCoreStub,
  parameters: Parameters<typeof RetrievalApi.getDataRepositories>[0],
): Promise<{ resources: readonly { title: string }[]; count?: number }> {
  const destination = await createDestination(serviceKey);
  const group = { 'AI-Resource-Group': 'default' };
  return RetrievalApi.getDataRepositories(parameters, group).execute(destination);
}

function readDocumentId(chunk: {
  readonly metadata: readonly { readonly key: string; readonly value: readonly string[] }[];
}): string | undefined {
  return chunk.metadata.find(({ key }) => key === 'docId')?.value[0];
}

function nest(depth: number): object {
  const leaf = { key: 'region', value: ['south'] };
  return depth === 1 ? leaf : { operator: 'and', left: nest(depth - 1), right: leaf };
}

function close(score: number): number {
  return expect.closeTo(score, 6) as number;
}
