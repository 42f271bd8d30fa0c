import nock from 'nock';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import {
  type AiCoreOptions,
  createAiCoreConnection,
} from '../../../../../src/retrieval/ai-core/connection.ts';
import { createOrchestrationDeployments } from '../../../../../src/retrieval/ai-core/orchestration/deployments.ts';
import { parseServiceKey } from '../../../../../src/retrieval/ai-core/service-key.ts';
import { createOrchestrationRetriever } from '../../../../../src/retrieval/backends/orchestration/orchestration-retriever.ts';
import type { Retrieval } from '../../../../../src/retrieval/retriever.ts';
import type { OrchestrationConfiguration } from '../../../../../src/model/search-configuration.ts';
import {
  type AiCoreStub,
  type AiCoreStubOptions,
  completionAnswer,
  faults,
  mockAiCore,
  type MockedAnswer,
} from 'grounding-eval-testing';
import { type ContractSetup, testRetriever } from '../../../../contract/retriever-contract.ts';
import { allowAll } from '../../../../helpers/allowances.ts';
import { startStub } from '../../../../helpers/grounding.ts';
import { readShape } from '../../../../helpers/published-shapes.ts';
import { createFakeClock } from '../../resilience/fake-clock.ts';
import { makeConfiguration } from './configuration.ts';

const corpus = [
  { id: 'N-1', title: 'Brakes', paragraphs: ['brake pad brake', 'brake lever'] },
  { id: 'N-2', title: 'Chains', paragraphs: ['chain and brake'] },
];

describe('createOrchestrationRetriever', () => {
  testRetriever(createContractRetriever, { hasUnmappedChunks: true });

  it('ranks documents in the order of the list, and says what it cost', async () => {
    const { search, stub } = await start();
    const { hits, notes, cost } = await search();
    expect(
      hits.map(({ documentId, score, chunks }) => [documentId, score, chunks?.length]),
    ).toEqual([
      ['N-1', null, 2],
      ['N-2', null, 1],
    ]);
    expect(notes).toMatchObject({
      filters: [{ id: null, chunks: 3 }],
      scoreSources: ['none'],
      keys: ['docId', 'document_docId'],
      unmappedKeys: [],
    });
    expect(cost).toMatchObject({ attempts: 1, pairsReranked: 0, modelCalls: 1 });
    expect(cost.latencyMs).toBeGreaterThan(0);
    expect(stub.counters.requests).toMatchObject({ token: 1, deployments: 1, completion: 1 });
  });

  it('sends the question as a value alone, byte for byte', async () => {
    const { search, stub } = await start();
    const question = '  brake {{?x}} Pru\u0308fplan\n```';
    const { hits } = await search({}, question);
    expect(hits).toHaveLength(2);
    const { body } = stub.requests.at(-1)!;
    expect(body).toMatchObject({ placeholder_values: { question } });
    expect(JSON.stringify((body as { config: object }).config)).not.toContain('{{?x}}');
  });

  it('takes every chunk of a plain text for unmapped', async () => {
    const help = { title: 'help', type: 'help.sap.com', documents: corpus };
    const { search } = await start({ corpus: undefined, repositories: [help] });
    const { hits, notes } = await search({ filters: [{ dataRepositoryType: 'help.sap.com' }] });
    expect(hits.map(({ documentId }) => documentId)).toEqual([null, null, null]);
    expect(notes).toMatchObject({ keys: [], unmappedKeys: [] });
  });

  it('asks once for the deployment of a resource group, and again after five minutes', async () => {
    const clock = createFakeClock();
    const { search, stub } = await start({}, { clock });
    await Promise.all([search(), search({}, 'chain')]);
    await search({}, 'lever');
    expect(stub.counters.requests).toMatchObject({ deployments: 1, completion: 3 });
    clock.pass(300_001);
    await search();
    expect(stub.counters.requests.deployments).toBe(2);
  });

  it('keeps the deployments of two tenants apart that name their resource group alike', async () => {
    const other = await startStub({ corpus, deployments: [makeDeployment('d-other')] });
    const own = { deployments: [makeDeployment('d-one')] };
    const { search, stub } = await start(own);
    const key = JSON.parse(other.serviceKey) as { clientid: string; clientsecret: string };
    const destination = {
      name: 'OTHER',
      url: other.url,
      authentication: 'OAuth2ClientCredentials',
      clientId: key.clientid,
      clientSecret: key.clientsecret,
      tokenServiceUrl: `${other.url}/oauth/token`,
      authTokens: [await fetchToken(other, key)],
    };
    vi.stubEnv('destinations', JSON.stringify([destination]));
    await search();
    await search({ destination: 'OTHER' });
    const paths = [stub, other].map(({ requests }) => requests.at(-1)?.path);
    expect(paths).toEqual([
      '/v2/inference/deployments/d-one/v2/completion',
      '/v2/inference/deployments/d-other/v2/completion',
    ]);
  });

  it('looks for the new deployment where the known one is gone', async () => {
    const deployments = [makeDeployment('d-old')];
    const { search, stub } = await start({ deployments });
    await search();
    deployments[0] = makeDeployment('d-new');
    const { hits, cost } = await search();
    expect(hits).toHaveLength(2);
    expect(cost.attempts).toBe(2);
    expect(stub.requests.map(({ endpoint, status }) => [endpoint, status])).toEqual([
      ['token', 200],
      ['deployments', 200],
      ['completion', 200],
      ['completion', 404],
      ['deployments', 200],
      ['completion', 200],
    ]);
  });

  it('says that no deployment runs', async () => {
    const { search, stub } = await start({ deployments: [] });
    await expect(search()).rejects.toMatchObject({
      code: 'retriever-failed',
      message: expect.stringMatching(
        /'default' has no running deployment.*"orchestration"/,
      ) as string,
      attempts: 0,
    });
    expect(stub.counters.requests.completion).toBe(0);
  });

  it('asks again for deployments when the list could not be had', async () => {
    const fault = faults.internalError();
    const { search } = await start({ faults: [{ endpoint: 'deployments', fault, first: 1 }] });
    expect((await search()).hits).toHaveLength(2);
  });

  it('gives up waiting for deployments when it is aborted, and others go on', async () => {
    const fault = faults.slow(50);
    const { search } = await start({ faults: [{ endpoint: 'deployments', fault }] });
    const stop = new AbortController();
    const aborted = search({}, 'brake', { signal: stop.signal });
    const others = search({}, 'chain');
    stop.abort(new Error('stopped'));
    await expect(aborted).rejects.toThrow('stopped');
    expect((await others).hits).toHaveLength(1);
  });
});

describe('createOrchestrationRetriever on failures', () => {
  it('waits as Retry-After says, and comes back', async () => {
    const clock = createFakeClock();
    const rule = { endpoint: 'completion' as const, fault: faults.tooManyRequests(7), first: 1 };
    const { search, stub } = await start({ faults: [rule] }, { clock });
    const { hits, cost } = await search();
    expect(hits).toHaveLength(2);
    expect(cost.attempts).toBe(2);
    expect(clock.sleeps.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(7000);
    expect(stub.requests.filter(({ endpoint }) => endpoint === 'completion')).toHaveLength(2);
  });

  it.each([
    ['internal errors', faults.internalError()],
    ['broken connections', faults.reset()],
    ['answers cut short', faults.truncated()],
  ])('tries again after %s', async (_case, fault) => {
    const { search } = await start(
      { faults: [{ endpoint: 'completion', fault, first: 2 }] },
      { clock: createFakeClock() },
    );
    expect((await search()).cost.attempts).toBe(3);
  });

  it('gives up a call that takes too long', async () => {
    const rule = { endpoint: 'completion' as const, fault: faults.hang() };
    const options = { timeoutMs: 100, attempts: 2, clock: createFakeClock() };
    const { search, stub } = await start({ faults: [rule] }, options);
    await expect(search()).rejects.toMatchObject({ code: 'retriever-timeout', attempts: 2 });
    expect(stub.counters.requests.completion).toBe(2);
  });

  it('fetches another token where the first is refused', async () => {
    const { search, stub } = await start();
    await search();
    stub.revokeTokens();
    expect((await search()).hits).toHaveLength(2);
    expect(stub.counters.requests.token).toBe(2);
  });

  it.each([
    ['a web page', faults.html(), 'web page'],
    ['nothing', faults.emptyBody(), 'empty'],
    ['broken JSON', faults.brokenJson(), 'not JSON'],
    [
      'an answer without grounding',
      { type: 'answer', status: 200, body: { final_result: {} } },
      'final_result',
    ],
  ] as const)('fails a success that is %s', async (_case, fault, said) => {
    const { search, stub } = await start({ faults: [{ endpoint: 'completion', fault }] });
    await expect(search()).rejects.toThrow(said);
    expect(stub.counters.requests.completion).toBe(1);
  });

  it('tells what the grounding module refuses', async () => {
    const { search } = await start();
    const filters = [{ documentMetadata: [{ key: 'plant', value: ['P1'] }] }];
    await expect(search({ filters })).rejects.toThrow(/metadata keys.*Grounding Module.*'plant'/s);
  });

  it('stops after five refusals in a row', async () => {
    const { search, stub } = await start({ deployments: [makeDeployment('d-1', 'STOPPED')] });
    const questions = Array.from({ length: 8 }, (_, index) => search({}, `question ${index}`));
    const messages = (await Promise.allSettled(questions)).map(
      (result) => result.status === 'rejected' && (result.reason as Error).message,
    );
    expect(messages.filter((text) => text && text.startsWith('Not searched'))).toHaveLength(3);
    expect(stub.counters.requests.deployments).toBe(5);
  });

  it('repeats neither question nor token in a message', async () => {
    const said = faults.moduleError(400, 'Grounding Module', 'cannot search "brake secret" here');
    const { search } = await start({ faults: [{ endpoint: 'completion', fault: said }] });
    const message = await search({}, 'brake secret').catch(({ message: text }: Error) => text);
    expect(message).toContain('cannot search');
    expect(message).not.toContain('brake secret');
  });
});

describe('createOrchestrationRetriever by nock', () => {
  it.each([
    ['v1-with-metadata', ['N-41', 'N-42']],
    ['v2-with-metadata', ['N-41', 'N-42']],
    ['v2-with-metadata-nested', ['N-41', 'N-42']],
    ['v2-plain-text', [null, null]],
    ['v2-empty-grounding', []],
  ])('ranks orchestration-%s', async (file, expected) => {
    const body = readShape<object>(`orchestration-${file}`);
    const { hits, cost } = await searchMocked([{ body }]);
    expect(hits.map(({ documentId }) => documentId)).toEqual(expected);
    expect(cost).toMatchObject({ modelCalls: 1, promptTokens: 80, completionTokens: 11 });
  });

  it.each([
    ['v1-error', 500, 'did not answer', '613a7175-aaab-4e90-ba20-a94cb483b830'],
    [
      'v2-error-grounding-filter',
      400,
      "'url' is not supported",
      '13459c0a-5ac5-40ba-89b2-b63a697bdeac',
    ],
    ['v2-error-unused-parameters', 400, "['size']", 'dcbbf357-b781-4493-8e38-557015577432'],
  ])('tells what orchestration-%s says', async (file, status, said, requestId) => {
    const body = readShape<object>(`orchestration-${file}`);
    await expect(searchMocked([{ status, body }])).rejects.toMatchObject({
      code: 'retriever-failed',
      message: expect.stringContaining(said) as string,
      requestId,
    });
  });

  it('asks the deployment that the list names, with the resource group', async () => {
    const groundingResult = JSON.stringify([{ content: 'a', metadata: { docId: ['A'] } }]);
    const aiCore = mockAiCore({ completions: [{ body: completionAnswer({ groundingResult }) }] });
    await searchBy(aiCore.serviceKey, { resourceGroup: 'team-a' }, { attempts: 1 });
    expect(aiCore.requests.slice(-2)).toMatchObject([
      {
        endpoint: 'deployments',
        resourceGroup: 'team-a',
        parameters: { scenarioId: 'orchestration', status: 'RUNNING' },
      },
      {
        endpoint: 'completion',
        resourceGroup: 'team-a',
        path: '/v2/inference/deployments/d0123456789abcde/v2/completion',
        body: { config: { modules: { prompt_templating: { model: { name: 'gpt-4.1-mini' } } } } },
      },
    ]);
  });
});

async function searchMocked(completions: readonly MockedAnswer[]): Promise<Retrieval> {
  const { serviceKey } = mockAiCore({ completions });
  onTestFinished(() => nock.cleanAll());
  return searchBy(serviceKey, {}, { attempts: 1 });
}

async function start(options: AiCoreStubOptions = {}, limits: Partial<AiCoreOptions> = {}) {
  const stub = await startStub({ corpus, ...options });
  const serviceKey = parseServiceKey(stub.serviceKey);
  const retrievers = createRetrievers({ serviceKey, ...limits });
  const search = (
    change: Partial<OrchestrationConfiguration> = {},
    question = 'brake',
    { signal = AbortSignal.timeout(10_000) } = {},
  ) => retrievers(makeConfiguration(change)).retrieve(question, { depth: 10, signal });
  return { stub, search };
}

/** As one process has them: what is asked of AI Core once is asked once for all. */
function createRetrievers(options: Partial<AiCoreOptions>) {
  const limits = { concurrency: 8, timeoutMs: 5000, attempts: 4 };
  const connection = createAiCoreConnection({ ...limits, ...options }).restrictTo(
    allowAll('OTHER'),
  );
  const deployments = createOrchestrationDeployments(connection.clock);
  const made = new Map<string, ReturnType<typeof createOrchestrationRetriever>>();
  return (configuration: OrchestrationConfiguration) => {
    const key = JSON.stringify(configuration);
    const retriever =
      made.get(key) ?? createOrchestrationRetriever(configuration, connection, deployments);
    made.set(key, retriever);
    return retriever;
  };
}

function searchBy(
  serviceKey: string,
  change: Partial<OrchestrationConfiguration>,
  options: Partial<AiCoreOptions>,
): Promise<Retrieval> {
  const retrievers = createRetrievers({ serviceKey: parseServiceKey(serviceKey), ...options });
  const signal = AbortSignal.timeout(10_000);
  return retrievers(makeConfiguration(change)).retrieve('brake', { depth: 10, signal });
}

function makeDeployment(id: string, status = 'RUNNING') {
  const deploymentUrl = `https://elsewhere.test/v2/inference/deployments/${id}`;
  return { id, scenarioId: 'orchestration', status, deploymentUrl };
}

async function fetchToken(
  { url }: AiCoreStub,
  key: { readonly clientid: string; readonly clientsecret: string },
) {
  const body = new URLSearchParams({ client_id: key.clientid, client_secret: key.clientsecret });
  const answer = await fetch(`${url}/oauth/token`, { method: 'POST', body });
  const { access_token: value } = (await answer.json()) as { access_token: string };
  return {
    value,
    type: 'bearer',
    expiresIn: '3600',
    error: null,
    http_header: { key: 'Authorization', value: `Bearer ${value}` },
  };
}

async function createContractRetriever({ chunks, filters, users }: ContractSetup) {
  const byDocument = Map.groupBy(chunks, (chunk) => chunk.documentId ?? 'unmapped');
  const stub = await startStub({
    corpus: [...byDocument].map(([id, own]) => ({
      id,
      title: '',
      paragraphs: own.map(({ text }) => text),
      metadata: own[0]?.documentMetadata,
    })),
    hasDocumentId: (chunk) => chunk.documentId !== 'unmapped',
  });
  const retrievers = createRetrievers({ serviceKey: parseServiceKey(stub.serviceKey) });
  return {
    retriever: retrievers(makeConfiguration({ filters, users })),
    countSearches: () => stub.counters.requests.completion,
  };
}
