import { describe, expect, it } from 'vitest';

import { type AiCoreStub, type AiCoreStubOptions, faults } from 'grounding-eval-testing';
import { failSearchBySdk, searchBySdk, startStub } from '../helpers/grounding.ts';

const corpus = [{ id: 'D1', title: 'Red', paragraphs: ['apple'] }];
const start = (options: AiCoreStubOptions): Promise<AiCoreStub> =>
  startStub({ corpus, ...options });
const ask = (query: string) => ({ query, filters: [{ id: 'notes' }] });

describe('a fault of the stub', () => {
  it('is 429 with Retry-After', async () => {
    const { serviceKey } = await start({ faults: [{ fault: faults.tooManyRequests(7) }] });
    const failure = await failSearchBySdk(serviceKey, ask('apple'));
    expect(failure).toMatchObject({ status: 429, body: { code: '429' } });
    expect(failure.headers['retry-after']).toBe('7');
  });

  it('is 429 without Retry-After', async () => {
    const { serviceKey } = await start({ faults: [{ fault: faults.tooManyRequests() }] });
    const failure = await failSearchBySdk(serviceKey, ask('apple'));
    expect(failure.status).toBe(429);
    expect(failure.headers).not.toHaveProperty('retry-after');
  });

  it.each([
    ['a flat 500', faults.internalError(), 500, expect.objectContaining({ code: '500' })],
    ['HTML from a gateway', faults.badGateway(), 502, expect.stringContaining('<html>')],
    ['a token that is refused', faults.expiredToken(), 401, expect.anything()],
    ['an answer of its own', { type: 'answer', status: 418, body: 'tea' } as const, 418, 'tea'],
  ])('is %s', async (_case, fault, status, body) => {
    const { serviceKey } = await start({ faults: [{ fault }] });
    expect(await failSearchBySdk(serviceKey, ask('apple'))).toMatchObject({ status, body });
  });

  it.each([
    ['HTML', faults.html(), expect.stringContaining('<html>')],
    ['nothing', faults.emptyBody(), ''],
    ['broken JSON', faults.brokenJson(), '{"results": [{"filterId": "no'],
  ])('is a 200 with %s', async (_case, fault, expected) => {
    const { serviceKey } = await start({ faults: [{ fault }] });
    expect(await searchBySdk(serviceKey, ask('apple'))).toEqual(expected);
  });

  it('is a connection that is reset', async () => {
    const { serviceKey, requests } = await start({ faults: [{ fault: faults.reset() }] });
    const failure = await failSearchBySdk(serviceKey, ask('apple'));
    expect(failure).toMatchObject({ status: undefined, code: 'ECONNRESET' });
    expect(requests.at(-1)?.status).toBeNull();
  });

  it('is an answer that breaks off', async () => {
    const { serviceKey, counters } = await start({ faults: [{ fault: faults.truncated() }] });
    const failure = await failSearchBySdk(serviceKey, ask('apple'));
    expect(failure).toMatchObject({ status: 200, code: 'ERR_BAD_RESPONSE' });
    expect(counters.resourceGroups.get('default')).toMatchObject({ received: 1, answered: 0 });
  });

  it('is a search that hangs until the client gives up', async () => {
    const { serviceKey, counters } = await start({ faults: [{ fault: faults.hang() }] });
    const giveUp = new AbortController();
    const failure = failSearchBySdk(serviceKey, ask('apple'), { signal: giveUp.signal });
    await expect.poll(() => counters.requests.search).toBe(1);
    giveUp.abort();
    expect(await failure).toMatchObject({ status: undefined, code: 'ERR_CANCELED' });
  });

  it('is a search that takes longer', async () => {
    const { serviceKey } = await start({ faults: [{ fault: faults.slow(120), nth: [2] }] });
    await searchBySdk(serviceKey, ask('apple'));
    const begin = performance.now();
    const answer = await searchBySdk(serviceKey, ask('apple'));
    expect(performance.now() - begin).toBeGreaterThanOrEqual(119);
    expect(answer.results).toHaveLength(1);
  });

  it('is the token endpoint that fails', async () => {
    const fault = faults.internalError();
    const { serviceKey, requests } = await start({ faults: [{ endpoint: 'token', fault }] });
    await expect(searchBySdk(serviceKey, ask('apple'))).rejects.toThrow(Error);
    expect(requests.map(({ endpoint, status }) => [endpoint, status])).toContainEqual([
      'token',
      500,
    ]);
  });

  it('is what a function chooses', async () => {
    const { serviceKey, requests } = await start({
      faults: ({ question, attempt }) =>
        question === 'pear' && attempt === 1 ? faults.internalError() : undefined,
    });
    await searchBySdk(serviceKey, ask('apple'));
    await failSearchBySdk(serviceKey, ask('pear'));
    await searchBySdk(serviceKey, ask('pear'));
    expect(requests.slice(1).map(({ status }) => status)).toEqual([200, 500, 200]);
  });
});

describe('the latency of the stub', () => {
  it('is what a search takes at least', async () => {
    const { serviceKey } = await start({ latencyMs: 100 });
    await searchBySdk(serviceKey, ask('apple'));
    const begin = performance.now();
    await searchBySdk(serviceKey, ask('apple'));
    expect(performance.now() - begin).toBeGreaterThanOrEqual(99);
  });

  it('may depend on the request', async () => {
    const seen: (string | undefined)[] = [];
    const { serviceKey } = await start({
      latencyMs: ({ question }) => {
        seen.push(question);
        return 0;
      },
    });
    await searchBySdk(serviceKey, ask('apple'));
    expect(seen).toEqual(['apple']);
  });
});

describe('the rate limit of the stub', () => {
  it('answers 429 to searches above it, of whatever resource group', async () => {
    const { serviceKey, requests } = await start({
      rateLimit: { requestsPerSecond: 2, retryAfterSeconds: 3 },
      resourceGroups: ['one', 'two'],
    });
    const groups = ['one', 'two', 'one', 'two', 'one', 'two', 'one', 'two'];
    const failures = await Promise.allSettled(
      groups.map((resourceGroup) => searchBySdk(serviceKey, ask('a'), { resourceGroup })),
    );
    const refused = failures.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(requests.filter(({ status }) => status === 429)).toHaveLength(refused.length);
  });

  it('says when to come back', async () => {
    const rateLimit = { requestsPerSecond: 0, retryAfterSeconds: 3 };
    const { serviceKey } = await start({ rateLimit });
    const failure = await failSearchBySdk(serviceKey, ask('a'));
    expect(failure.headers['retry-after']).toBe('3');
  });
});
