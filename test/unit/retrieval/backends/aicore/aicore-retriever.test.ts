import nock from 'nock';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import {
  type AiCoreOptions,
  createAiCoreConnection,
} from '../../../../../src/retrieval/ai-core/connection.ts';
import { createAiCore } from '../../../../../src/retrieval/backends/aicore/ai-core.ts';
import type { SearchBody } from '../../../../../src/retrieval/backends/aicore/search-request.ts';
import type { SearchFilter } from '../../../../../src/model/filters.ts';
import { matchesFilter } from '../../../../../src/retrieval/match-filter.ts';
import { underClaim } from '../../../../../src/retrieval/claim.ts';
import type { Retrieval } from '../../../../../src/retrieval/retriever.ts';
import type { AiCoreConfiguration } from '../../../../../src/model/search-configuration.ts';
import {
  type ContractChunk,
  contractQuestion,
  type ContractSetup,
  testRetriever,
} from '../../../../contract/retriever-contract.ts';
import { allowAll } from '../../../../helpers/allowances.ts';
import {
  type AiCoreServer,
  type AiCoreServerOptions,
  makeToken,
  type Reply,
  type SeenRequest,
  startAiCoreServer,
} from '../../../../helpers/aicore-server.ts';
import { readShape } from '../../../../helpers/published-shapes.ts';
import { makeConfiguration } from './configuration.ts';
import { createFakeClock } from '../../resilience/fake-clock.ts';
import { processedShapes, type Ranked, rankedShapes } from './published-shapes.ts';

const everything: SearchFilter = {
  id: 'everything',
  dataRepositoryType: 'vector',
  dataRepositories: ['*'],
};

const nothingFound = { body: { results: [{ filterId: 'notes', results: [] }] } };

describe('createAiCoreRetriever', () => {
  testRetriever(createContractRetriever, { hasUnmappedChunks: true });

  it('sends the resource group, the token and the text byte for byte', async () => {
    const { server, search } = await start();
    await search({ resourceGroup: 'team-a' }, '  Pru\u0308fplan\n{{?x}} ');
    expect(server.searches).toMatchObject([
      {
        method: 'POST',
        path: '/v2/lm/document-grounding/retrieval/search',
        resourceGroup: 'team-a',
        authorization: `Bearer ${makeToken(1)}`,
      },
    ]);
    expect(JSON.parse(server.searches[0]!.body)).toHaveProperty(
      'query',
      '  Pru\u0308fplan\n{{?x}} ',
    );
  });

  it('says what a search with a re-ranker cost', async () => {
    const chunk = { id: 'c', content: '', metadata: [{ key: 'docId', value: ['A'] }] };
    const { search } = await start({
      onSearch: () => ({
        body: {
          results: [
            makeEntry('notes', [chunk, { ...chunk, id: 'd' }]),
            makeEntry('rerank', [chunk]),
          ],
        },
      }),
    });
    const { cost } = await search({
      postProcessing: [{ id: 'rerank', strategy: { type: 'reranker' }, inputs: [{ id: 'notes' }] }],
    });
    expect(cost).toMatchObject({ attempts: 1, modelCalls: 1, pairsReranked: 2 });
  });

  it('sends nothing when the right to search is gone after the wait for a turn', async () => {
    let isStale = false;
    const onSearch = () => {
      isStale = true;
      return nothingFound;
    };
    const { server, search } = await start({ onSearch }, { concurrency: 1 });
    const loss = new AbortController();
    const assertHeld = async () => {
      if (isStale) loss.abort(new Error('taken over'));
      loss.signal.throwIfAborted();
    };
    const first = underClaim(assertHeld, () => search());
    const second = underClaim(assertHeld, () => search({}, 'chain', loss.signal));
    await expect(second).rejects.toThrow('taken over');
    await expect(first).resolves.toMatchObject({ hits: [] });
    expect(server.searches).toHaveLength(1);
  });

  it('searches through a destination', async () => {
    const { server, search } = await start({}, {}, allowAll('AICORE'));
    const destination = { name: 'AICORE', url: server.key.serviceurls.AI_API_URL };
    vi.stubEnv('destinations', JSON.stringify([destination]));
    await search({ destination: 'AICORE' });
    expect(server.searches).toHaveLength(1);
    expect(server.tokenRequests).toHaveLength(0);
  });

  it.each([
    ['of those it may use it is none', allowAll('OTHER')],
    ['nobody said which it may use', allowAll()],
  ])('never resolves a destination where %s, whoever asks', async (_case, allowances) => {
    const { server, search } = await start({}, {}, allowances);
    const destination = { name: 'AICORE', url: server.key.serviceurls.AI_API_URL };
    vi.stubEnv('destinations', JSON.stringify([destination]));
    await expect(search({ destination: 'AICORE' })).rejects.toThrow('AICORE_DESTINATIONS');
    expect(server.searches).toEqual([]);
  });

  it('says that a destination is not there', async () => {
    vi.stubEnv('destinations', '[]');
    const { search } = await start({}, {}, allowAll('GONE'));
    await expect(search({ destination: 'GONE' })).rejects.toThrow("'GONE'");
  });
});

describe('createAiCoreRetriever on the published shapes', () => {
  describe.each([
    ['over HTTP', searchOverHttp],
    ['by nock', searchByNock],
  ])('%s', (_case, searchShape) => {
    it.each(rankedShapes)('ranks retrieval-%s', async (file, documentId, expected) => {
      const retrieval = await searchShape(file, makeConfiguration({ documentId }));
      expect(listRanking(retrieval)).toEqual(expected);
    });

    it.each(processedShapes)('ranks retrieval-%s', async (file, id, expected) => {
      const retrieval = await searchShape(
        file,
        makeConfiguration({
          documentId: { from: 'documentMetadata', key: 'docId' },
          postProcessing: [{ id, strategy: { type: 'reranker' }, inputs: [{ id: 'notes' }] }],
        }),
      );
      expect(listRanking(retrieval)).toEqual(expected);
    });

    it.each([
      ['09-one-filter-failed', ["'help'", "the key {'url'} cannot be searched here"]],
      ['10-every-filter-failed', ["'notes'", "'archive'", 'No detail was given.']],
      // Their rankings are empty, and nothing says that the filter looked at anything.
      ['12-empty-results-key-absent', ["'notes'", 'neither a list of results nor an error']],
      ['13-empty-top-level', ["'notes'", 'no entry for this filter']],
    ])('fails retrieval-%s and names the filters', async (file, parts) => {
      const failure = await searchShape(file, makeConfiguration()).catch(toError);
      expect(failure).toMatchObject({ code: 'retriever-failed' });
      expect(parts.filter((part) => !toMessage(failure).includes(part))).toEqual([]);
    });
  });

  it.each<[string, number, string, string | undefined]>([
    [
      '400-invalid-request',
      400,
      'maxChunkCount and maxDocumentCount exclude each other',
      'f05b2ca0-c5f6-4aa5-81f5-394ce358c796',
    ],
    ['401-expired-token', 401, 'The token is past its time', undefined],
    [
      '403-flat',
      403,
      'The resource group has no document grounding',
      'f696c6a3-6b28-4557-85b8-e92c987f2c1a',
    ],
    ['404-not-found', 404, 'Not found.', 'ceb1a86c-83b6-443f-8f54-39d16fe66295'],
    [
      '422-validation',
      422,
      'at least one character is needed',
      'bb31d43b-c49e-4608-88f8-493734f5abef',
    ],
    [
      '429-rate-limit',
      429,
      'The limit of this minute is used up',
      '377f4368-9694-40c9-8b83-c1059e4f043f',
    ],
    ['500-flat', 500, 'broke off with an internal error', '3df7ec81-bb27-4a80-b559-ac7da4f1b2a6'],
  ])("tells SAP's message and request id of error-%s", async (file, status, said, requestId) => {
    const body = readShape(`error-${file}`);
    const { search } = await start({ onSearch: () => ({ status, body }) });
    const failure = await search().catch(toError);
    expect(failure).toMatchObject({ code: 'retriever-failed', requestId });
    expect(toMessage(failure)).toContain(said);
    expect(toMessage(failure)).toContain(`HTTP ${status}`);
  });

  it('tells that the token endpoint refused the credentials', async () => {
    const body = readShape('error-401-token-endpoint');
    const { server, search } = await start({ onToken: () => ({ status: 401, body }) });
    await expect(search()).rejects.toThrow(/rejected the credentials.*The client is not known/);
    expect(server.searches).toHaveLength(0);
  });
});

describe('createAiCoreRetriever on failures', () => {
  it.each([
    ['resource group and label', 403, ["'default'", 'ext.ai.sap.com/document-grounding']],
    ['credentials and URL', 401, ['do not belong to this AI API URL']],
    [
      'resource group, URL and label',
      404,
      ["'default'", 'AI API URL', 'ext.ai.sap.com/document-grounding'],
    ],
    ['filters', 400, ['metadata key']],
    ['rate', 429, ['SEARCH_CONCURRENCY']],
  ])('advises on %s', async (_case, status, parts) => {
    const { search } = await start({ onSearch: () => ({ status }) });
    const message = toMessage(await search().catch(toError));
    expect(parts.filter((part) => !message.includes(part))).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['a web page', '<!doctype html><title>Sign in</title>', 'a web page'],
    ['an empty body', '', 'empty'],
    ['broken JSON', '{"results": [', 'not JSON'],
    ['foreign JSON', { status: 'UP' }, 'status'],
    ['an error', { error: { message: 'Out of order', requestId: 'r-7' } }, 'Out of order'],
  ])('fails a success that is %s', async (_case, body, said) => {
    const { server, search } = await start({ onSearch: () => ({ body }) });
    const failure = await search().catch(toError);
    expect(failure).toMatchObject({ code: 'retriever-failed' });
    expect(toMessage(failure)).toContain(said);
    expect(server.searches).toHaveLength(1);
  });

  it('takes the request id of a web page from the headers', async () => {
    const { search } = await start({
      onSearch: () => ({ status: 502, body: '<html></html>', headers: { 'x-request-id': 'r-9' } }),
    });
    await expect(search()).rejects.toMatchObject({ requestId: 'r-9' });
  });

  it('repeats neither the question nor a token nor the secret', async () => {
    const question = 'Is the margin of customer 4711 secret?';
    const { server, search } = await start({
      onSearch: ({ authorization }) => ({
        status: 400,
        body: { error: { message: `bad: ${question}; ${authorization}` } },
      }),
    });
    const message = toMessage(await search({}, question).catch(toError));
    expect(message).toContain('bad: …');
    expect(message).not.toContain(question);
    expect(message).not.toContain(makeToken(1));
    expect(message).not.toContain(server.key.clientsecret);
  });

  it.each(['reset', { ...nothingFound, cutAt: 5 }] as const)(
    'tries again when the connection breaks off: %j',
    async (broken) => {
      const { server, search } = await start({ onSearch: failFirst(2, broken) });
      const { cost } = await search();
      expect(cost.attempts).toBe(3);
      expect(server.searches).toHaveLength(3);
    },
  );

  it('aborts a search that hangs, tries again, and says what to do', async () => {
    const { server, search } = await start(
      { onSearch: () => 'hang' },
      { timeoutMs: 30, attempts: 2 },
    );
    const failure = await search().catch(toError);
    expect(failure).toMatchObject({ code: 'retriever-timeout', attempts: 2 });
    expect(toMessage(failure)).toContain('SEARCH_TIMEOUT_MS');
    expect(server.searches).toHaveLength(2);
  });

  it('ends a hanging search at once when its signal aborts', async () => {
    const stop = new AbortController();
    const { search } = await start({
      onSearch: () => {
        stop.abort(new Error('cancelled'));
        return 'hang';
      },
    });
    await expect(search({}, 'brake', stop.signal)).rejects.toThrow('cancelled');
  });

  it('drops a token that is refused, and tries once more with another', async () => {
    const { server, searchMany } = await start({
      onSearch: ({ authorization }) =>
        authorization === `Bearer ${makeToken(1)}` ? { status: 401 } : nothingFound,
    });
    const outcomes = await searchMany(20);
    expect(outcomes).toEqual(Array.from({ length: 20 }, () => 'answered'));
    expect(server.tokenRequests).toHaveLength(2);
  });

  it('gets another token before the one it has ends', async () => {
    const clock = createFakeClock();
    const { server, search } = await start({}, { clock });
    await search();
    clock.pass(3_500_000);
    await search();
    clock.pass(60_000);
    await search();
    expect(server.tokenRequests).toHaveLength(2);
  });

  it('asks for one token however many searches start together', async () => {
    const { server, searchMany } = await start({
      onToken: () => ({ body: { access_token: makeToken(1), expires_in: 3600 }, delayMs: 30 }),
    });
    await searchMany(20);
    expect(server.tokenRequests).toHaveLength(1);
  });

  it('waits for a token endpoint that takes longer than the two seconds of the SDK', async () => {
    const { search } = await start({
      onToken: () => ({ body: { access_token: makeToken(1), expires_in: 3600 }, delayMs: 2200 }),
    });
    await expect(search()).resolves.toBeDefined();
  });

  it('tries a token endpoint that fails again', async () => {
    let requests = 0;
    const { search } = await start({
      onToken: () => {
        requests += 1;
        if (requests < 3) return { status: 503 };
        return { body: { access_token: makeToken(1), expires_in: 3600 } };
      },
    });
    await expect(search()).resolves.toBeDefined();
  });

  it('stops after five refused searches, and tells the rest why', async () => {
    const { server, searchMany } = await start({ onSearch: () => ({ status: 403 }) });
    const outcomes = await searchMany(50);
    expect(server.searches).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome.startsWith('Not searched'))).toHaveLength(45);
    expect(outcomes.filter((outcome) => outcome.includes('HTTP 403'))).toHaveLength(50);
  });

  it('leaves other questions alone when one fails for ever', async () => {
    const { server, searchMany } = await start({
      onSearch: ({ body }) => (body.includes('question 7"') ? { status: 500 } : nothingFound),
    });
    const outcomes = await searchMany(30);
    expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(29);
    expect(outcomes[7]).toContain('HTTP 500');
    expect(server.searches).toHaveLength(29 + 4);
  });

  it('uses few connections for many searches', async () => {
    const { server, searchMany } = await start();
    await searchMany(100);
    // Eight at once, and one for the token.
    expect(server.countSockets()).toBeLessThanOrEqual(9);
  });

  it('never mixes resource groups and destinations that are searched side by side', async () => {
    const { server, searchMany } = await start();
    await Promise.all([
      searchMany(30, { resourceGroup: 'team-a', filters: [{ ...everything, id: 'team-a' }] }),
      searchMany(30, { resourceGroup: 'team-b', filters: [{ ...everything, id: 'team-b' }] }),
    ]);
    const mixed = server.searches.filter(
      ({ body, resourceGroup }) => parseBody(body).filters[0]?.id !== resourceGroup,
    );
    expect([server.searches.length, mixed]).toEqual([60, []]);
  });
});

describe('createAiCoreRetriever in a storm of 429', () => {
  it.each([
    ['seconds', () => '5'],
    ['a date', (now: number) => new Date(now + 5000).toUTCString()],
  ])('holds eight workers back until Retry-After (%s), then spreads them', async (_case, ask) => {
    const draws = [0.1, 0.7, 0.3, 0.9, 0.5, 0.2, 0.8, 0.4, 0.6];
    let drawn = 0;
    const clock = createFakeClock({
      random: () => draws[(drawn += 1) % draws.length]!,
      together: 8,
    });
    const times: number[] = [];
    const storm = Promise.withResolvers<void>();
    const { searchMany } = await start(
      {
        onSearch: async () => {
          const now = clock.now();
          times.push(now);
          // The first answer opens the way for eight workers, who are refused together.
          const isCalm = times.length === 1 || now >= 5000;
          if (isCalm) return nothingFound;
          if (times.length === 9) storm.resolve();
          await storm.promise;
          return { status: 429, headers: { 'retry-after': ask(0) } };
        },
      },
      { clock },
    );
    const outcomes = await searchMany(9);
    expect(outcomes).toEqual(Array.from({ length: 9 }, () => 'answered'));
    expect(times.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => 0));
    const retries = times.slice(9);
    expect(retries).toHaveLength(8);
    expect(Math.min(...retries)).toBeGreaterThanOrEqual(5000);
    // Each waits out the pause and then its own part of a second.
    const waits = clock.sleeps.filter((ms) => ms > 1000);
    expect(new Set(waits).size).toBe(8);
  });
});

interface Started {
  readonly server: AiCoreServer;
  readonly search: (
    change?: Partial<AiCoreConfiguration>,
    question?: string,
    signal?: AbortSignal,
  ) => Promise<Retrieval>;
  /** Searches all at once by one retriever. */
  readonly searchMany: (
    count: number,
    change?: Partial<AiCoreConfiguration>,
    question?: string,
  ) => Promise<readonly string[]>;
}

async function start(
  options: AiCoreServerOptions = {},
  settings: Partial<AiCoreOptions> = {},
  allowances = allowAll(),
): Promise<Started> {
  const server = await startAiCoreServer(options);
  onTestFinished(server.close);
  const aiCore = createAiCore(
    createAiCoreConnection({
      serviceKey: server.key,
      concurrency: 8,
      timeoutMs: 5000,
      attempts: 4,
      clock: createFakeClock(),
      ...settings,
    }).restrictTo(allowances),
  );
  const signal = AbortSignal.timeout(15_000);
  return {
    server,
    search: (change = {}, question = 'brake', own = signal) =>
      aiCore
        .createRetriever(makeConfiguration(change))
        .retrieve(question, { depth: 100, signal: own }),
    searchMany(count, change = {}, question = 'question') {
      const retriever = aiCore.createRetriever(makeConfiguration(change));
      const searches = Array.from({ length: count }, (_, index) =>
        retriever
          .retrieve(`${question} ${index}`, { depth: 100, signal })
          .then(() => 'answered', toMessage),
      );
      return Promise.all(searches);
    },
  };
}

async function searchOverHttp(
  file: string,
  configuration: AiCoreConfiguration,
): Promise<Retrieval> {
  const body = readShape(`retrieval-${file}`);
  const { search } = await start({ onSearch: () => ({ body }) });
  return search(configuration);
}

let mocked = 0;

function searchByNock(file: string, configuration: AiCoreConfiguration): Promise<Retrieval> {
  mocked += 1;
  const auth = `https://auth-${mocked}.example.test`;
  const api = `https://api-${mocked}.example.test`;
  nock(auth)
    .post('/oauth/token')
    .reply(200, { access_token: makeToken(1), expires_in: 3600 });
  nock(api, { reqheaders: { 'ai-resource-group': 'default' } })
    .post('/v2/lm/document-grounding/retrieval/search')
    .reply(200, readShape<nock.Body>(`retrieval-${file}`));
  const serviceKey = {
    clientid: 'client',
    clientsecret: 'made-up',
    url: auth,
    serviceurls: { AI_API_URL: api },
  };
  const aiCore = createAiCore(
    createAiCoreConnection({
      serviceKey,
      concurrency: 8,
      timeoutMs: 5000,
      attempts: 1,
    }).restrictTo(allowAll()),
  );
  const signal = AbortSignal.timeout(5000);
  return aiCore.createRetriever(configuration).retrieve('brake', { depth: 100, signal });
}

/** A server that searches the contract's chunks as the grounding API would. */
async function createContractRetriever({ chunks, filters, users }: ContractSetup) {
  const server = await startAiCoreServer({
    onSearch: ({ body }) => ({ body: { results: answerContract(parseBody(body), chunks) } }),
  });
  onTestFinished(server.close);
  const aiCore = createAiCore(
    createAiCoreConnection({
      serviceKey: server.key,
      concurrency: 8,
      timeoutMs: 5000,
      attempts: 1,
    }).restrictTo(allowAll()),
  );
  const configuration = makeConfiguration({
    filters: filters.length > 0 ? filters : [everything],
    users,
    documentId: { from: 'documentMetadata', key: 'docId' },
  });
  return {
    retriever: aiCore.createRetriever(configuration),
    countSearches: () => server.searches.length,
  };
}

function answerContract({ query, filters }: SearchBody, chunks: readonly ContractChunk[]) {
  return filters.map((filter) => {
    const found = chunks.filter(
      ({ documentMetadata, score }) =>
        query === contractQuestion &&
        score !== null &&
        matchesFilter(filter, { repository: {}, document: documentMetadata, chunk: {} }),
    );
    const documents = found.map((chunk) => toDocument(chunk, chunks.indexOf(chunk)));
    const dataRepository = { id: 'repository', title: 'notes', documents };
    return { filterId: filter.id, results: [{ dataRepository }] };
  });
}

function toDocument({ documentId, text, score }: ContractChunk, index: number) {
  const metadata = documentId === null ? [] : [{ key: 'docId', value: [documentId] }];
  const searchScores = { aggregatedScore: { value: score } };
  const chunk = { id: `chunk-${index}`, content: text, metadata: [], searchScores };
  return { id: `document-${documentId}`, metadata, chunks: [chunk] };
}

function makeEntry(filterId: string, chunks: readonly object[]): object {
  const documents = [{ id: 'document', chunks }];
  return { filterId, results: [{ dataRepository: { id: 'repository', documents } }] };
}

function failFirst(count: number, failure: Reply) {
  let seen = 0;
  return (_request: SeenRequest) => {
    seen += 1;
    return seen <= count ? failure : nothingFound;
  };
}

function parseBody(body: string): SearchBody {
  return JSON.parse(body) as SearchBody;
}

function listRanking({ hits }: Retrieval): Ranked {
  return hits.map(({ documentId, score }) => [documentId, score]);
}

function toError(error: unknown): unknown {
  return error;
}

function toMessage(error: unknown): string {
  return (error as Error).message;
}
