import { RetrievalApi } from '@sap-ai-sdk/document-grounding';
import nock from 'nock';
import { describe, expect, it } from 'vitest';

import { mockAiCore, mockServiceKey, searchAnswer } from 'grounding-eval-testing';
import { createDestination, failSearchBySdk, searchBySdk } from '../../helpers/grounding.ts';

const filters = [{ id: 'notes', documentMetadata: [{ key: 'region', value: ['north'] }] }];
const ask = (query: string) => ({ query, filters });
const first = searchAnswer({ notes: [{ documentId: 'N-01', score: 0.9 }] });
const second = searchAnswer({ notes: [{ documentId: 'N-02', score: 0.8 }] });

describe('mockAiCore', () => {
  it('answers searches in the order that is given', async () => {
    const { serviceKey } = mockAiCore({ searches: [{ body: first }, { body: second }] });
    expect(await searchBySdk(serviceKey, ask('a'))).toEqual(first);
    expect(await searchBySdk(serviceKey, ask('b'))).toEqual(second);
  });

  it('answers by a function of the request', async () => {
    const { serviceKey } = mockAiCore({
      searches: [
        { body: ({ query }) => searchAnswer({ notes: [{ documentId: query, score: 1 }] }) },
      ],
    });
    const expected = searchAnswer({ notes: [{ documentId: 'N-77', score: 1 }] });
    expect(await searchBySdk(serviceKey, ask('N-77'))).toEqual(expected);
  });

  it('records what was asked', async () => {
    const postProcessing = [{ id: 'merged', strategy: {}, inputs: [{ id: 'notes' }] }];
    const aiCore = mockAiCore({ searches: [{ body: first }] });
    await searchBySdk(
      aiCore.serviceKey,
      { ...ask('Wer löst „Sperren“?'), postProcessing },
      { resourceGroup: 'other' },
    );
    expect(aiCore.searches).toEqual([
      expect.objectContaining({
        query: 'Wer löst „Sperren“?',
        filters,
        postProcessing,
        resourceGroup: 'other',
        headers: expect.objectContaining({ authorization: expect.stringMatching(/^Bearer /) }),
      }),
    ]);
    expect(aiCore.requests.at(-1)).toMatchObject({
      endpoint: 'search',
      path: '/v2/lm/document-grounding/retrieval/search',
    });
  });

  it('answers with a status and headers', async () => {
    const { serviceKey } = mockAiCore({
      searches: [{ status: 429, headers: { 'retry-after': '3' }, body: { code: '429' } }],
    });
    const failure = await failSearchBySdk(serviceKey, ask('a'));
    expect(failure).toMatchObject({
      status: 429,
      headers: { 'retry-after': '3' },
      body: { code: '429' },
    });
  });

  it('answers with nothing', async () => {
    const { serviceKey } = mockAiCore({ searches: [{}] });
    expect(await searchBySdk(serviceKey, ask('a'))).toBe('');
  });

  it('breaks the connection', async () => {
    const { serviceKey, searches } = mockAiCore({ searches: [{ networkError: 'ECONNRESET' }] });
    const failure = await failSearchBySdk(serviceKey, ask('a'));
    expect(failure).toMatchObject({ status: undefined, code: 'ECONNRESET' });
    expect(searches).toHaveLength(1);
  });

  it('answers late', async () => {
    const { serviceKey } = mockAiCore({ searches: [{ body: first, delayMs: 100 }] });
    const begin = performance.now();
    await searchBySdk(serviceKey, ask('a'));
    expect(performance.now() - begin).toBeGreaterThanOrEqual(95);
  });

  it('lets a late search be aborted', async () => {
    const { serviceKey } = mockAiCore({ searches: [{ body: first, delayMs: 5000 }] });
    const signal = AbortSignal.timeout(30);
    const failure = await failSearchBySdk(serviceKey, ask('a'), { signal });
    expect(failure).toMatchObject({ status: undefined, code: 'ERR_CANCELED' });
  });

  it('fails a search too many, and counts those that are missing', async () => {
    const aiCore = mockAiCore({ searches: [{ body: first }] });
    expect(aiCore.countUnusedSearches()).toBe(1);
    await searchBySdk(aiCore.serviceKey, ask('a'));
    expect(aiCore.countUnusedSearches()).toBe(0);
    expect(await failSearchBySdk(aiCore.serviceKey, ask('b'))).toMatchObject({ status: 501 });
  });

  it('fails the token', async () => {
    const url = 'https://no-token.test';
    const { serviceKey, requests } = mockAiCore({
      url,
      searches: [],
      token: { status: 401, body: { error: 'invalid_client' } },
    });
    await expect(searchBySdk(serviceKey, ask('a'))).rejects.toThrow(Error);
    expect(requests.map(({ endpoint }) => endpoint)).toContain('token');
  });

  it('lists deployments by scenario and status', async () => {
    const url = 'https://deployments.test';
    mockAiCore({ url, searches: [] });
    const path = `${url}/v2/lm/deployments?scenarioId=orchestration&status=`;
    const running = await fetch(`${path}RUNNING`);
    const stopped = await fetch(`${path}STOPPED`);
    expect(await running.json()).toMatchObject({ count: 1 });
    expect(await stopped.json()).toEqual({ count: 0, resources: [] });
  });

  it('lists data repositories', async () => {
    const resources = [{ id: 'r', title: 'rules', type: 'vector' }];
    const aiCore = mockAiCore({ searches: [], dataRepositories: { body: { resources } } });
    const destination = await createDestination(aiCore.serviceKey);
    const answer = await RetrievalApi.getDataRepositories(
      { $top: 5 },
      { 'AI-Resource-Group': 'default' },
    ).execute(destination);
    expect(answer).toEqual({ resources });
    expect(aiCore.requests.at(-1)?.parameters).toEqual({ $top: '5' });
  });

  it('is gone when it is removed, and leaves other mocks in place', async () => {
    const other = nock('https://other.test').get('/').reply(200);
    const aiCore = mockAiCore({ searches: [{ body: first }] });
    await searchBySdk(aiCore.serviceKey, ask('a'));
    aiCore.remove();
    expect(await failSearchBySdk(aiCore.serviceKey, ask('a'))).toMatchObject({ status: 501 });
    expect(nock.pendingMocks()).toEqual(['GET https://other.test:443/']);
    expect(other.isDone()).toBe(false);
  });

  it('has one service key for one address', () => {
    expect(mockAiCore({ searches: [] }).serviceKey).toBe(mockServiceKey());
    expect(mockServiceKey('https://elsewhere.test')).toContain(
      '"AI_API_URL":"https://elsewhere.test"',
    );
  });
});
