import { describe, expect, it } from 'vitest';

import type { SearchFilter, UserConditions } from '../../../../../src/model/filters.ts';
import type { HttpConfiguration, JsonValue } from '../../../../../src/model/http-search.ts';
import { compareByCodePoint } from '../../../../../src/ir/compare-ids.ts';
import { createHttpConnection } from '../../../../../src/retrieval/backends/http/http-connection.ts';
import { createHttpRetriever } from '../../../../../src/retrieval/backends/http/http-retriever.ts';
import { addUserConditions } from '../../../../../src/retrieval/add-user-conditions.ts';
import { matchesFilter } from '../../../../../src/retrieval/match-filter.ts';
import { underClaim } from '../../../../../src/retrieval/claim.ts';
import type { RetrieveOptions } from '../../../../../src/retrieval/retriever.ts';
import {
  contractQuestion,
  type ContractSetup,
  testRetriever,
} from '../../../../contract/retriever-contract.ts';
import {
  openSearchDoor,
  type DoorAnswer,
  type DoorRequest,
} from '../../../../helpers/search-door.ts';
import { createFakeClock } from '../../resilience/fake-clock.ts';

const usual: HttpConfiguration = {
  backend: 'http',
  endpoint: 'docs',
  method: 'POST',
  path: '/docs/_search',
  headers: {},
  query: {},
  body: { query: { $value: 'question' }, size: { $value: 'size' }, from: { $value: 'offset' } },
  answer: { hits: '/hits', documentId: '/id', score: '/score', chunkId: '/chunk', text: '/text' },
  users: {},
  depth: 10,
};

const one = { hits: [{ id: 'a', score: 1, text: 'the text of a' }] };

type Answer = (request: DoorRequest, index: number) => DoorAnswer | Promise<DoorAnswer>;

async function start(answer: Answer, changes: Partial<HttpConfiguration> = {}) {
  const door = await openSearchDoor(answer);
  const clock = createFakeClock();
  const http = createHttpConnection({
    endpoints: new Map(),
    concurrency: 4,
    timeoutMs: 500,
    attempts: 4,
    clock,
  });
  const headers = { authorization: 'Bearer made-up-secret' };
  const endpoint = { url: `${door.url}/v1`, headers, tenants: ['*'] };
  const retriever = createHttpRetriever({ ...usual, ...changes }, endpoint, http);
  const search = (asked: Partial<RetrieveOptions> = {}, question = 'Where is the pump?') =>
    retriever.retrieve(question, { depth: 10, signal: AbortSignal.timeout(10_000), ...asked });
  return { door, search, retriever, clock };
}

describe('createHttpRetriever', () => {
  testRetriever(createContractRetriever, { hasUnmappedChunks: true });

  it('sends the question as a value, with the headers of the endpoint', async () => {
    const question = '  „Prüfplan“\n{{?x}} "} ';
    const { door, search } = await start(() => ({ body: one }), {
      query: { version: '7', tags: ['a', 'b'] },
      headers: { 'x-index': 'docs' },
    });
    const { hits, cost } = await search({}, question);

    expect(door.requests).toMatchObject([
      {
        method: 'POST',
        path: `/v1/docs/_search?version=7&tags=${encodeURIComponent('["a","b"]').replaceAll('%20', '+')}`,
        headers: {
          authorization: 'Bearer made-up-secret',
          'x-index': 'docs',
          'content-type': 'application/json',
        },
        body: { query: question, size: 10, from: 0 },
      },
    ]);
    expect(hits).toMatchObject([
      { documentId: 'a', score: 1, chunks: [{ repository: 'docs', snippet: 'the text of a' }] },
    ]);
    expect(cost).toMatchObject({ searches: 1, attempts: 1 });
  });

  it('searches by GET with the question as a parameter', async () => {
    const { door, search } = await start(() => ({ body: one }), {
      method: 'GET',
      query: { q: { $value: 'question' }, limit: { $value: 'depth' } },
      body: undefined,
    });
    await search({}, 'a & b');

    expect(door.requests).toMatchObject([
      { method: 'GET', path: '/v1/docs/_search?q=a+%26+b&limit=10', body: undefined },
    ]);
  });

  it('keeps the order of the answer, and takes numbers for ids', async () => {
    const body = {
      hits: [
        { id: 7, score: 0.1 },
        { id: 8, score: 0.9 },
        { id: 7, score: 0.5 },
      ],
    };
    const { search } = await start(() => ({ body }));
    const { hits } = await search();

    expect(hits.map(({ documentId, score }) => [documentId, score])).toEqual([
      ['7', 0.1],
      ['8', 0.9],
    ]);
  });

  it('takes an empty list for a success, and a missing one for a failure', async () => {
    const found = await start(() => ({ body: { hits: [] } }));
    const missing = await start(() => ({ body: { results: [] } }));

    expect((await found.search()).hits).toEqual([]);
    await expect(missing.search()).rejects.toMatchObject({
      code: 'retriever-failed',
      message: expect.stringContaining('there is no list of hits at "/hits"') as string,
    });
  });

  it('reads pages until the depth is reached, and stops at a short one', async () => {
    const deep = await start(answerPages([3, 3, 3, 3]), { pageSize: 3 });
    const short = await start(answerPages([3, 2]), { pageSize: 3 });
    const found = await deep.search({ depth: 7 });
    const less = await short.search({ depth: 7 });

    expect(found.hits).toHaveLength(7);
    expect(found.cost).toMatchObject({ searches: 3, attempts: 3 });
    expect(deep.door.requests.map(({ body }) => body)).toMatchObject([
      { size: 3, from: 0 },
      { size: 3, from: 3 },
      { size: 3, from: 6 },
    ]);
    expect(less.hits).toHaveLength(5);
    expect(short.door.requests).toHaveLength(2);
  });

  it.each<[string, DoorAnswer]>([
    ['429 with Retry-After', { status: 429, headers: { 'retry-after': '7' }, body: {} }],
    ['503', { status: 503, body: 'away' }],
    ['a connection that is cut', { isCut: true, body: '' }],
    ['an answer that is late', { delayMs: 900, body: one }],
  ])('tries again after %s', async (_name, fault) => {
    const { door, search } = await start((_request, index) =>
      index === 1 ? fault : { body: one },
    );
    const { hits, cost } = await search();

    expect(hits).toHaveLength(1);
    expect(cost).toMatchObject({ searches: 1, attempts: 2 });
    expect(door.requests).toHaveLength(2);
  });

  it('waits as long as the service asks', async () => {
    const busy = { status: 429, headers: { 'retry-after': '7' }, body: {} };
    const { search, clock } = await start((_request, index) =>
      index === 1 ? busy : { body: one },
    );
    await search();

    expect(Math.max(...clock.sleeps)).toBeGreaterThanOrEqual(7000);
  });

  it.each([
    ['401', { status: 401, body: { error: 'made-up-secret pump' } }, 'credentials'],
    ['404', { status: 404, body: { error: 'made-up-secret pump' } }, 'name of the index'],
    ['400', { status: 400, body: { error: 'made-up-secret pump' } }, 'Check the body'],
    [
      'a redirect',
      { status: 307, headers: { location: 'http://127.0.0.1:1' }, body: '' },
      'Redirects',
    ],
    ['a page of HTML', { body: '<html>made-up-secret pump</html>' }, 'not with JSON'],
  ])('fails at once after %s, and repeats nothing of the answer', async (_name, fault, words) => {
    const { door, search } = await start(() => fault);
    const error = await search().catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ code: 'retriever-failed', attempts: 1 });
    expect((error as Error).message).toContain(words);
    expect((error as Error).message).not.toMatch(/made-up-secret|pump/);
    expect(door.requests).toHaveLength(1);
  });

  it('gives up when no attempt succeeds', async () => {
    const { door, search } = await start(() => ({ status: 500, body: {} }));

    await expect(search()).rejects.toMatchObject({ code: 'retriever-failed', attempts: 4 });
    expect(door.requests).toHaveLength(4);
  });

  it('says that a search took too long', async () => {
    const { search } = await start(() => ({ delayMs: 900, body: one }));

    await expect(search()).rejects.toMatchObject({
      code: 'retriever-timeout',
      message: expect.stringContaining('SEARCH_TIMEOUT_MS') as string,
    });
  });

  it('sends nothing without the right to', async () => {
    const { door, search } = await start(() => ({ body: one }));
    await expect(underClaim(loseTheBatch, () => search())).rejects.toThrow(
      'The batch was taken over',
    );
    expect(door.requests).toEqual([]);
  });

  it('hands on the conversation', async () => {
    const { door, search } = await start(() => ({ body: one }), {
      body: { q: { $value: 'question' }, before: { $value: 'history' } },
    });
    await search({ history: [{ role: 'user', text: 'Hello' }] });
    await search();

    expect(door.requests.map(({ body }) => body)).toEqual([
      { q: 'Where is the pump?', before: [{ role: 'user', text: 'Hello' }] },
      { q: 'Where is the pump?' },
    ]);
  });
});

/** So many hits a request as the list says, all of different documents. */
function answerPages(lengths: readonly number[]): Answer {
  let given = 0;
  return (_request, index) => {
    const length = lengths[index - 1] ?? 0;
    const hits = Array.from({ length }, () => ({ id: `d${(given += 1)}`, score: 1 }));
    return { body: { hits } };
  };
}

async function loseTheBatch(): Promise<void> {
  throw new Error('The batch was taken over');
}

/** A service that scores the chunks of the contract, filters them, and returns the best first, ties by document id. */
async function createContractRetriever({ chunks, filters, users }: ContractSetup) {
  const { retriever, door } = await start(
    ({ body }): DoorAnswer => {
      const asked = body as {
        q: string;
        size: number;
        filters: SearchFilter[];
        user?: UserConditions;
      };
      const conditions = addUserConditions(
        asked.filters,
        asked.user ? { asking: asked.user } : {},
        asked.user && 'asking',
      );
      const isVisible = ({ documentMetadata }: ContractSetup['chunks'][number]) =>
        conditions.length === 0 ||
        conditions.some((filter) =>
          matchesFilter(filter, { repository: {}, document: documentMetadata, chunk: {} }),
        );
      const hits = chunks
        .filter((chunk) => asked.q === contractQuestion && chunk.score !== null && isVisible(chunk))
        .toSorted(
          (a, b) =>
            (b.score ?? 0) - (a.score ?? 0) ||
            compareByCodePoint(a.documentId ?? '', b.documentId ?? ''),
        )
        .map(({ documentId, score, text }) => ({ id: documentId, score, text }));
      return { body: { hits } };
    },
    {
      body: {
        q: { $value: 'question' },
        size: { $value: 'size' },
        filters: { $value: 'filters' },
        user: { $value: 'user' },
      },
      filters: filters as unknown as JsonValue,
      users: users as unknown as Readonly<Record<string, JsonValue>>,
    },
  );
  return { retriever, countSearches: () => door.requests.length };
}
