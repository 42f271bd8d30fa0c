import { describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';

describe('the rate limit', () => {
  it('answers 429 with a problem and Retry-After beyond the limit', async () => {
    const app = await createTestApp({ requestsPerMinute: 2 });
    await app.inject('/v1/measures');
    const second = await app.inject('/v1/question-sets');
    const third = await app.inject('/v1/measures');

    expect(second.statusCode).toBe(200);
    expect(third.statusCode).toBe(429);
    expect(third.headers['content-type']).toContain('application/problem+json');
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(third.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(third.json()).toMatchObject({
      type: 'urn:problem:grounding-eval:too-many-requests',
      status: 429,
    });
  });

  it('counts each client by itself', async () => {
    const app = await createTestApp({ requestsPerMinute: 1 });
    await app.inject({ url: '/v1/measures', remoteAddress: '192.0.2.1' });
    const same = await app.inject({ url: '/v1/measures', remoteAddress: '192.0.2.1' });
    const other = await app.inject({ url: '/v1/measures', remoteAddress: '192.0.2.2' });

    expect(same.statusCode).toBe(429);
    expect(other.statusCode).toBe(200);
  });

  it('tells clients behind a trusted proxy apart by what it adds, not by what they say themselves', async () => {
    const app = await createTestApp({ requestsPerMinute: 1, trustedProxies: 1 });
    const ask = (addresses: string) =>
      app.inject({ url: '/v1/measures', headers: { 'x-forwarded-for': addresses } });
    await ask('192.0.2.1');
    const pretending = await ask('198.51.100.9, 192.0.2.1');
    const other = await ask('192.0.2.2');

    expect(pretending.statusCode).toBe(429);
    expect(other.statusCode).toBe(200);
  });

  it('believes no address that a client without a proxy names', async () => {
    const app = await createTestApp({ requestsPerMinute: 1 });
    const ask = (address: string) =>
      app.inject({ url: '/v1/measures', headers: { 'x-forwarded-for': address } });
    await ask('192.0.2.1');

    expect((await ask('192.0.2.2')).statusCode).toBe(429);
  });

  it.each(['/health/live', '/health/ready', '/metrics'])('never refuses %s', async (url) => {
    const app = await createTestApp({ requestsPerMinute: 1 });
    await app.inject('/v1/measures');
    await app.inject('/v1/measures');
    const answer = await app.inject(url);

    expect(answer.statusCode).toBe(200);
  });

  it('refuses before the body is read', async () => {
    const app = await createTestApp({ requestsPerMinute: 1 });
    await app.inject('/v1/measures');
    const answer = await app.inject({
      method: 'PUT',
      url: '/v1/question-sets/broken',
      headers: { 'content-type': 'application/json' },
      payload: '{ not json',
    });

    expect(answer.statusCode).toBe(429);
  });
});
