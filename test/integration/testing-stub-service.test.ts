import { describe, expect, it } from 'vitest';

import {
  type AiCoreStub,
  type AiCoreStubOptions,
  faults,
  hashQuestion,
  startAiCoreStub,
} from 'grounding-eval-testing';
import { failSearchBySdk, listKeyPaths, searchBySdk, startStub } from '../helpers/grounding.ts';
import { readShape } from '../helpers/published-shapes.ts';

const corpus = [{ id: 'D1', title: 'Red', paragraphs: ['apple'] }];
const start = (options: AiCoreStubOptions = {}): Promise<AiCoreStub> =>
  startStub({ corpus, ...options });
const ask = (query: string) => ({ query, filters: [{ id: 'notes' }] });

describe('the token endpoint of the stub', () => {
  it('gives one token for many searches', async () => {
    const { serviceKey, counters } = await start();
    await searchBySdk(serviceKey, ask('apple'));
    await searchBySdk(serviceKey, ask('pear'));
    expect(counters.requests).toMatchObject({ token: 1, search: 2 });
  });

  it.each([
    ['clientid', 'someone'],
    ['clientsecret', 'wrong'],
  ])('refuses another %s', async (field, value) => {
    const { serviceKey, requests } = await start();
    const key = { ...(JSON.parse(serviceKey) as object), [field]: value };
    await expect(searchBySdk(JSON.stringify(key), ask('apple'))).rejects.toThrow(Error);
    expect(requests.map(({ endpoint, status }) => [endpoint, status])).toEqual([['token', 401]]);
  });

  it('takes the client from the Authorization header too', async () => {
    const { url, serviceKey } = await start();
    const { clientid, clientsecret } = JSON.parse(serviceKey) as Record<string, string>;
    const authorization = `Basic ${btoa(`${clientid}:${clientsecret}`)}`;
    const body = new URLSearchParams({ grant_type: 'client_credentials' });
    const answer = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: { authorization },
      body,
    });
    expect(answer.status).toBe(200);
  });

  it('gives a JWT that says when it expires', async () => {
    const stub = await start({ tokenLifetimeSeconds: 60, now: () => 1_800_000_000_500 });
    const { access_token: token } = await fetchToken(stub);
    const [, payload = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    expect(claims).toMatchObject({ exp: 1_800_000_060 });
  });

  it('has searches refused when the token has expired', async () => {
    let now = Date.now();
    const { serviceKey } = await start({ tokenLifetimeSeconds: 60, now: () => now });
    await searchBySdk(serviceKey, ask('apple'));
    now += 61_000;
    const failure = await failSearchBySdk(serviceKey, ask('apple'));
    expect(failure).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
  });

  it('has searches refused when the tokens are revoked', async () => {
    const stub = await start();
    await searchBySdk(stub.serviceKey, ask('apple'));
    stub.revokeTokens();
    expect(await failSearchBySdk(stub.serviceKey, ask('apple'))).toMatchObject({ status: 401 });
  });

  it('has requests without a token refused', async () => {
    const { url } = await start();
    const answer = await fetch(`${url}/v2/lm/deployments`);
    expect(answer.status).toBe(401);
  });
});

describe('resource groups of the stub', () => {
  it('answers 404 for a group that is not known', async () => {
    const { serviceKey } = await start({ resourceGroups: ['default', 'other'] });
    const failure = await failSearchBySdk(serviceKey, ask('apple'), { resourceGroup: 'third' });
    expect(failure).toMatchObject({
      status: 404,
      body: { code: '404', details: [{ message: "The resource group 'third' is not known." }] },
    });
  });

  it('answers 400 where none is named', async () => {
    const stub = await start();
    const { access_token: token } = await fetchToken(stub);
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${stub.url}/v2/lm/deployments`, { headers });
    expect(answer.status).toBe(400);
  });

  it('shows each group its own repositories', async () => {
    const { serviceKey } = await startStub({
      resourceGroups: ['one', 'two'],
      repositories: [
        { title: 'first', documents: corpus, resourceGroups: ['one'] },
        { title: 'second', documents: corpus, resourceGroups: ['two'] },
      ],
    });
    const answer = await searchBySdk(serviceKey, ask('apple'), { resourceGroup: 'two' });
    const titles = answer.results.flatMap(({ results = [] }) =>
      results.map(({ dataRepository }) => dataRepository.title),
    );
    expect(titles).toEqual(['second']);
  });
});

describe('GET /v2/lm/deployments of the stub', () => {
  it.each([
    ['?scenarioId=orchestration&status=RUNNING', 1],
    ['?scenarioId=orchestration&status=STOPPED', 0],
    ['?scenarioId=foundation-models', 0],
  ])('answers %s', async (query, count) => {
    const answer = await getDeployments(await start(), query);
    expect(answer).toMatchObject({ count });
  });

  it('answers those that are given', async () => {
    const answer = await getDeployments(await start({ deployments: [] }), '');
    expect(answer).toEqual({ count: 0, resources: [] });
  });
});

describe('what the stub answers has the shape of', () => {
  it('token-response', async () => {
    const answer = await fetchToken(await start());
    expect(listKeyPaths(answer)).toEqual(listKeyPaths(readShape('token-response')));
  });

  it('deployments-list', async () => {
    const answer = await getDeployments(await start(), '');
    expect(listKeyPaths(answer)).toEqual(listKeyPaths(readShape('deployments-list')));
  });

  it.each([
    ['error-429-rate-limit', faults.tooManyRequests(1)],
    ['error-500-flat', faults.internalError()],
    ['error-401-expired-token', faults.expiredToken()],
  ])('%s', async (file, fault) => {
    const { serviceKey } = await start({ faults: [{ fault }] });
    const failure = await failSearchBySdk(serviceKey, ask('apple'));
    expect(listKeyPaths(failure.body)).toEqual(listKeyPaths(readShape(file)));
  });
});

describe('what the stub counts', () => {
  it('tells searches by question and by resource group', async () => {
    const { serviceKey, counters } = await start({ resourceGroups: ['one', 'two'] });
    await searchBySdk(serviceKey, ask('apple'), { resourceGroup: 'one' });
    await searchBySdk(serviceKey, ask('apple'), { resourceGroup: 'two' });
    await searchBySdk(serviceKey, ask('pear'), { resourceGroup: 'two' });
    const [apple, pear] = [hashQuestion('apple'), hashQuestion('pear')];
    expect(counters.questions).toEqual(
      new Map([
        [apple, { received: 2, answered: 2 }],
        [pear, { received: 1, answered: 1 }],
      ]),
    );
    expect(counters.resourceGroups.get('two')).toEqual({
      received: 2,
      answered: 2,
      questions: new Map([
        [apple, { received: 1, answered: 1 }],
        [pear, { received: 1, answered: 1 }],
      ]),
    });
  });

  it('tells searches that were answered from those that failed', async () => {
    const { serviceKey, counters, requests } = await start({
      faults: [{ fault: faults.internalError(), first: 1 }],
    });
    await failSearchBySdk(serviceKey, ask('apple'));
    await searchBySdk(serviceKey, ask('apple'));
    expect(counters.questions.get(hashQuestion('apple'))).toEqual({ received: 2, answered: 1 });
    const searches = requests.filter(({ endpoint }) => endpoint === 'search');
    expect(searches.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 500],
      [2, 200],
    ]);
  });

  it.each([
    ['one each', false, [1, 2, 3]],
    ['one for all', true, [1, 1, 1]],
  ])('numbers connections: %s', async (_case, keepAlive, expected) => {
    const { serviceKey, requests, counters } = await start();
    await searchBySdk(serviceKey, ask('warm up'));
    const before = counters.sockets;
    await searchBySdk(serviceKey, ask('a'), { keepAlive });
    await searchBySdk(serviceKey, ask('b'), { keepAlive });
    await searchBySdk(serviceKey, ask('c'), { keepAlive });
    expect(requests.slice(-3).map(({ socket }) => socket - before)).toEqual(expected);
  });

  it('knows how many searches were under way at one time', async () => {
    const { serviceKey, counters } = await start({ latencyMs: 100 });
    await searchBySdk(serviceKey, ask('warm up'));
    await Promise.all(['a', 'b', 'c'].map((query) => searchBySdk(serviceKey, ask(query))));
    expect(counters.mostSearchesAtOnce).toBe(3);
  });

  it('records what was sent', async () => {
    const { serviceKey, requests } = await start();
    const body = { ...ask('Wer löst „Sperren“?'), unknown: [1] };
    await searchBySdk(serviceKey, body);
    expect(requests[1]).toMatchObject({
      endpoint: 'search',
      method: 'POST',
      resourceGroup: 'default',
      question: 'Wer löst „Sperren“?',
      body,
      status: 200,
    });
  });
});

describe('startAiCoreStub', () => {
  it('listens on the port that is given', async () => {
    const first = await startAiCoreStub();
    await first.close();
    const port = Number(new URL(first.url).port);
    const second = await start({ port });
    expect(second.url).toBe(first.url);
  });

  it('fails where the port is taken', async () => {
    const { url } = await start();
    const port = Number(new URL(url).port);
    await expect(startAiCoreStub({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('can be closed twice, and with searches under way', async () => {
    const stub = await start({ latencyMs: 60_000 });
    const failure = failSearchBySdk(stub.serviceKey, ask('apple'));
    await expect.poll(() => stub.counters.requests.search).toBe(1);
    await stub.close();
    await stub.close();
    expect(await failure).toMatchObject({ status: undefined });
  });

  it('says so when a function of its options throws', async () => {
    const { serviceKey } = await start({
      latencyMs: () => {
        throw new Error('mistaken');
      },
    });
    const failure = await failSearchBySdk(serviceKey, ask('apple'));
    expect(failure).toMatchObject({ status: 500, body: 'The stub failed: Error: mistaken' });
  });
});

async function fetchToken({ url, serviceKey }: AiCoreStub): Promise<{ access_token: string }> {
  const { clientid = '', clientsecret = '' } = JSON.parse(serviceKey) as Record<string, string>;
  const form = {
    grant_type: 'client_credentials',
    client_id: clientid,
    client_secret: clientsecret,
  };
  const answer = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  return (await answer.json()) as { access_token: string };
}

async function getDeployments(stub: AiCoreStub, query: string): Promise<unknown> {
  const { access_token: token } = await fetchToken(stub);
  const headers = { authorization: `Bearer ${token}`, 'ai-resource-group': 'default' };
  const answer = await fetch(`${stub.url}/v2/lm/deployments${query}`, { headers });
  return answer.json();
}
