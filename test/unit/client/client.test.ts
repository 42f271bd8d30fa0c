import { describe, expect, it } from 'vitest';

import { createGroundingEvalClient } from '../../../packages/client/src/index.ts';

const serviceKey = { url: 'https://xsuaa.example.test/', clientid: 'sb-ci', clientsecret: 'shh' };
const tokenUrl = 'https://xsuaa.example.test/oauth/token';

interface Sent {
  readonly url: string;
  readonly authorization: string | null;
  readonly body: string;
}

/** Answers requests from a list, the last answer for ever, and keeps what was sent. */
function createFetch(answers: Readonly<Record<string, readonly [number, object][]>>) {
  const sent: Sent[] = [];
  const fetchFake: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const earlier = sent.filter(({ url }) => url === request.url).length;
    const authorization = request.headers.get('authorization');
    sent.push({ url: request.url, authorization, body: await request.text() });
    const list = answers[request.url] ?? [];
    const [status, body] = list[Math.min(earlier, list.length - 1)] ?? [404, {}];
    return Response.json(body, { status });
  };
  return { fetch: fetchFake, sent };
}

const principal = 'https://service.example.test/v1/principal';
const evaluation = 'https://service.example.test/v1/eval/e1';
const url = 'https://service.example.test/';

describe('the client', () => {
  it('gets one token for all requests while it is valid', async () => {
    const token = { access_token: 'abc', expires_in: 3600 };
    const { fetch, sent } = createFetch({
      [tokenUrl]: [[200, token]],
      [principal]: [[200, { name: 'client/sb-ci', scopes: ['Read'] }]],
    });
    const client = createGroundingEvalClient({ url, serviceKey, fetch });
    const { data } = await client.GET('/v1/principal');
    await client.GET('/v1/principal');

    expect(data).toEqual({ name: 'client/sb-ci', scopes: ['Read'] });
    expect(sent).toEqual([
      {
        url: tokenUrl,
        authorization: null,
        body: 'grant_type=client_credentials&client_id=sb-ci&client_secret=shh',
      },
      { url: principal, authorization: 'Bearer abc', body: '' },
      { url: principal, authorization: 'Bearer abc', body: '' },
    ]);
  });

  it('gets one token for requests that start together', async () => {
    const { fetch, sent } = createFetch({
      [tokenUrl]: [[200, { access_token: 'abc', expires_in: 3600 }]],
      [principal]: [[200, { name: null, scopes: [] }]],
    });
    const client = createGroundingEvalClient({ url, serviceKey, fetch });
    await Promise.all([1, 2, 3].map(() => client.GET('/v1/principal')));

    expect(sent.filter((each) => each.url === tokenUrl)).toHaveLength(1);
  });

  it('replaces a token before it expires, and tries again after a refusal', async () => {
    const { fetch, sent } = createFetch({
      [tokenUrl]: [
        [503, {}],
        [200, { access_token: 'first', expires_in: 59 }],
        [200, { access_token: 'second', expires_in: 59 }],
      ],
      [principal]: [[200, { name: null, scopes: [] }]],
    });
    const options = { url, serviceKey: { credentials: serviceKey }, fetch };
    const client = createGroundingEvalClient(options);

    await expect(client.GET('/v1/principal')).rejects.toMatchObject({
      name: 'ServiceError',
      status: 503,
      message: 'https://xsuaa.example.test issued no token (503)',
    });
    await client.GET('/v1/principal');
    await client.GET('/v1/principal');
    expect(sent.map(({ authorization }) => authorization).filter((each) => each)).toEqual([
      'Bearer first',
      'Bearer second',
    ]);
  });

  it('waits for the end of an evaluation', async () => {
    const progress = { done: 1, total: 2, failed: 0 };
    const ended = { id: 'e1', status: 'succeeded', finishedAt: '2026-01-01T00:00:00Z', progress };
    const { fetch, sent } = createFetch({
      [evaluation]: [
        [200, { id: 'e1', status: 'running', finishedAt: null, progress }],
        [200, ended],
      ],
    });
    const seen: object[] = [];
    const client = createGroundingEvalClient({ url, token: () => 'mine', fetch });
    const options = { pauseMs: 1, onProgress: (each: object) => seen.push(each) };

    expect(await client.waitForEnd('e1', options)).toEqual(ended);
    expect(seen).toEqual([progress, progress]);
    expect(sent.map(({ authorization }) => authorization)).toEqual(['Bearer mine', 'Bearer mine']);
  });

  it('ends the wait when the signal aborts or the service refuses', async () => {
    const problem = { type: 'about:blank', title: 'Not Found', status: 404, detail: 'No such one' };
    const { fetch } = createFetch({
      [evaluation]: [[200, { status: 'running', finishedAt: null, progress: {} }]],
      'https://service.example.test/v1/eval/gone': [[404, problem]],
    });
    const client = createGroundingEvalClient({ url, token: 'mine', fetch });
    const controller = new AbortController();
    const waiting = client.waitForEnd('e1', {
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('enough')),
    });

    await expect(waiting).rejects.toThrow('enough');
    await expect(client.waitForEnd('gone')).rejects.toMatchObject({
      status: 404,
      message: 'No such one',
      problem,
    });
  });

  it('refuses two ways to get a token', () => {
    expect(() => createGroundingEvalClient({ url, token: 'mine', serviceKey })).toThrow(
      'Give a token or a serviceKey, not both',
    );
  });
});
