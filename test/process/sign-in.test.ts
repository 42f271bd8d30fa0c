import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';

import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { send } from '../helpers/client.ts';
import { runServer, startServer } from '../helpers/server-process.ts';
import {
  createBrokenSignIn,
  createCountedSignIn,
  createTestSignIn,
  makeConfusedToken,
  makeToken,
  makeUnsignedToken,
  type TokenOptions,
  zoneA,
  zoneB,
} from '../helpers/tokens.ts';

const list = '/v1/question-sets';

describe('sign-in', () => {
  it.each<TokenOptions>([
    {},
    { scopes: ['Evaluate'] },
    { scopes: ['Admin'] },
    { client: 'sb-grounding-eval!t1' },
    { expiresIn: -30 },
  ])('takes a token of the bound XSUAA: %j', async (options) => {
    const app = await createSignedInApp();
    const answer = await get(app, list, await makeToken(options));

    expect(answer.statusCode).toBe(200);
  });

  it.each<[string, TokenOptions]>([
    ['expired', { expiresIn: -120 }],
    ['not valid yet', { claims: { nbf: Math.floor(Date.now() / 1000) + 600 } }],
    ['for another application', { audience: 'other!t2' }],
    ['signed with another key', { signer: 'stranger' }],
    ['without a time of expiry', { claims: { exp: undefined } }],
    ['without a zone', { claims: { zid: undefined } }],
    ['of the zone that stands for no sign-in', { zone: 'local' }],
    ['with a zone that is no name', { zone: '../../local' }],
    ['whose scopes are no list', { claims: { scope: 'grounding-eval!t1.Read' } }],
    ['whose audience is no list of names', { claims: { aud: [7] } }],
    ['of a user with a line break in the name', { user: 'an\nna' }],
    ['of a user named like a schedule', { user: 'schedule/nightly' }],
    ['of a user named like the service', { user: 'service/retention' }],
    ['of a user named like a client', { user: 'client/sb-nightly!t9' }],
    ['of a client with a control character', { client: 'sb\u0007x' }],
    ['of a client named like a schedule', { client: 'schedule/nightly' }],
  ])('refuses a token that is %s', async (_what, options) => {
    const app = await createSignedInApp();

    expect(readProblem(await get(app, list, await makeToken(options)))).toEqual(refused);
  });

  it('refuses a token of another tenant when the binding is for one', async () => {
    const app = await createTestApp({ signIn: await createTestSignIn(zoneA) });
    const own = await get(app, list, await makeToken({ zone: zoneA }));
    const other = await get(app, list, await makeToken({ zone: zoneB }));
    const job = { client: 'sb-jobs!b3', zone: zoneB, scopes: ['JOBSCHEDULER'] };
    const scheduler = await send(app, 'POST', '/v1/jobs/eval', {
      body: {},
      headers: { authorization: `Bearer ${await makeToken(job)}` },
    });

    expect(own.statusCode).toBe(200);
    expect(readProblem(other)).toEqual(refused);
    expect(readProblem(scheduler)).toEqual(refused);
  });

  it.each([
    ['alg: none', async () => makeUnsignedToken()],
    ['HS256 with the public key', () => makeConfusedToken()],
    ['a changed payload', async () => changePayload(await makeToken())],
    ['no signature', async () => (await makeToken()).replace(/[^.]*$/, '')],
    ['a part behind the signature', async () => `${await makeToken()}.e30`],
    ['an empty part behind the signature', async () => `${await makeToken()}.`],
    ['a token of five parts', async () => `${await makeToken()}.e30.e30`],
    ['padding behind the signature', async () => `${await makeToken()}=`],
    ['garbage', async () => 'garbage'],
    ['three parts of garbage', async () => 'a.b.c'],
    ['100 kB', async () => 'a'.repeat(100_000)],
    ['100 kB of a token', async () => `${await makeToken()}${'a'.repeat(100_000)}`],
  ])('refuses %s', async (_what, make) => {
    const app = await createSignedInApp();

    expect(readProblem(await get(app, list, await make()))).toEqual(refused);
  });

  it.each([
    {},
    { authorization: '' },
    { authorization: 'Basic YTpi' },
    { authorization: 'Bearer' },
  ])('refuses %j', async (headers) => {
    const app = await createSignedInApp();

    expect(readProblem(await app.inject({ url: list, headers }))).toEqual(refused);
  });

  it('has 100 kB of a header refused by the server itself', async () => {
    const app = await createSignedInApp();
    await app.listen({ port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const headers = { authorization: `Bearer ${'a'.repeat(100_000)}` };
    const status = await new Promise((resolve, reject) => {
      request({ port, path: list, headers }, (answer) => resolve(answer.statusCode))
        .on('error', reject)
        .end();
    });

    expect(status).toBe(431);
  });

  it.each(['unreachable', 'failing'] as const)(
    'answers 503, not 401, while the keys of XSUAA are %s',
    async (fault) => {
      const app = await createTestApp({ signIn: createBrokenSignIn(fault) });
      const answer = await get(app, list, await makeToken());
      const open = await app.inject('/health/live');

      expect(answer.statusCode).toBe(503);
      expect(answer.json()).toMatchObject({
        type: 'urn:problem:grounding-eval:sign-in-unavailable',
      });
      expect(open.statusCode).toBe(200);
    },
  );

  it('tells a refused token nothing about the body or the query that it came with', async () => {
    const app = await createSignedInApp();
    const answer = await send(app, 'PUT', '/v1/question-sets/s?nonsense=1', { body: 7 });

    expect(readProblem(answer)).toEqual(refused);
  });
});

describe('a flood of forged tokens', () => {
  it('is bounded by address before keys are fetched, and holds up nobody whose tenant is known', async () => {
    const { signIn, countFetches } = await createCountedSignIn();
    const app = await createTestApp({ signIn, requestsPerMinute: 2 });
    const known = await get(app, list, await makeToken());
    const looked = await get(app, list, makeUnsignedToken({ zone: 'z1' }));
    const beyond = await get(app, list, makeUnsignedToken({ zone: 'z2' }));
    const again = await get(app, list, await makeToken());
    const elsewhere = await app.inject({
      url: list,
      remoteAddress: '192.0.2.7',
      headers: { authorization: `Bearer ${await makeToken({ zone: zoneB })}` },
    });

    expect(known.statusCode).toBe(200);
    expect(looked.statusCode).toBe(401);
    expect(beyond.statusCode).toBe(429);
    expect(Number(beyond.headers['retry-after'])).toBeGreaterThan(0);
    expect(again.statusCode).toBe(200);
    expect(elsewhere.statusCode).toBe(200);
    // Those of the known tenant, of the one forged token that was looked at, and of the one elsewhere.
    expect(countFetches()).toBe(3);
  });

  it('pushes no keys out that are in use', async () => {
    const { signIn, countFetches } = await createCountedSignIn();
    const app = await createTestApp({ signIn });
    await get(app, list, await makeToken());
    const zones = Array.from({ length: 1001 }, (_, index) => `z${index}`);
    await Promise.all(zones.map((zone) => get(app, list, makeUnsignedToken({ zone }))));
    const before = countFetches();
    const again = await get(app, list, await makeToken());

    expect(again.statusCode).toBe(200);
    expect(before).toBe(1002);
    expect(countFetches()).toBe(before);
  });
});

describe('scopes', () => {
  it('let nobody in who has none', async () => {
    const app = await createSignedInApp();
    const answer = await get(app, list, await makeToken({ scopes: [] }));

    expect(readProblem(answer)).toEqual(forbidden);
  });

  it('count only when they are this application’s', async () => {
    const app = await createSignedInApp();
    const scope = ['Read', 'other!t2.Read', 'grounding-eval!t1.Read.more'];
    const answer = await get(app, list, await makeToken({ claims: { scope } }));

    expect(readProblem(answer)).toEqual(forbidden);
  });

  it.each([
    ['Read', 'POST', '/v1/eval'],
    ['Label', 'POST', '/v1/eval'],
    ['Evaluate', 'PUT', '/v1/question-sets/s'],
    ['Label', 'DELETE', '/v1/question-sets/s'],
    ['Evaluate', 'PUT', '/v1/schedules/s'],
    ['Evaluate', 'PUT', '/v1/prices'],
    ['Read', 'GET', '/v1/alert-targets'],
    ['Admin', 'POST', '/v1/jobs/eval'],
    ['Submit', 'GET', '/v1/question-sets'],
    ['JOBSCHEDULER', 'GET', '/v1/question-sets'],
    ['JOBSCHEDULER', 'POST', '/v1/eval'],
  ] as const)('%s is not enough for %s %s', async (scope, method, url) => {
    const app = await createSignedInApp();
    const headers = { authorization: `Bearer ${await makeToken({ scopes: [scope] })}` };

    expect(readProblem(await app.inject({ method, url, headers }))).toEqual(forbidden);
  });

  it.each([
    ['Admin', 'PUT', '/v1/question-sets/s'],
    ['Admin', 'POST', '/v1/eval'],
    ['Label', 'GET', '/v1/question-sets'],
    ['Submit', 'POST', '/v1/eval'],
    ['Evaluate', 'GET', '/v1/eval'],
    ['JOBSCHEDULER', 'POST', '/v1/jobs/eval'],
  ] as const)('%s is enough for %s %s', async (scope, method, url) => {
    const app = await createSignedInApp();
    const headers = { authorization: `Bearer ${await makeToken({ scopes: [scope] })}` };
    const answer = await app.inject({ method, url, headers });

    expect([200, 400, 415]).toContain(answer.statusCode);
  });
});

describe('what is open', () => {
  it.each(['/health/live', '/health/ready', '/openapi.json', '/docs/'])(
    'answers %s without sign-in',
    async (url) => {
      const app = await createSignedInApp();

      expect((await app.inject(url)).statusCode).toBe(200);
    },
  );

  it('does not include metrics from elsewhere', async () => {
    const app = await createSignedInApp({ metricsToken: 'a-secret-of-metrics' });
    const elsewhere = { url: '/metrics', remoteAddress: '10.0.0.7' };
    const forwarded = { url: '/metrics', headers: { 'x-forwarded-for': '10.0.0.7' } };
    const ask = (authorization: string) => app.inject({ ...elsewhere, headers: { authorization } });

    expect((await app.inject('/metrics')).statusCode).toBe(200);
    expect(readProblem(await app.inject(elsewhere))).toEqual(refused);
    expect(readProblem(await app.inject(forwarded))).toEqual(refused);
    expect(readProblem(await ask('Bearer a-secret-of-metricS'))).toEqual(refused);
    expect(readProblem(await ask(`Bearer ${await makeToken({ scopes: ['Admin'] })}`))).toEqual(
      refused,
    );
    expect((await ask('Bearer a-secret-of-metrics')).statusCode).toBe(200);
  });

  it('does not include metrics without their token where requests come through a proxy', async () => {
    const app = await createTestApp({ trustedProxies: 1, metricsToken: 'a-secret-of-metrics' });
    const headers = { authorization: 'Bearer a-secret-of-metrics' };

    expect(readProblem(await app.inject('/metrics'))).toEqual(refused);
    expect((await app.inject({ url: '/metrics', headers })).statusCode).toBe(200);
  });

  it('does not include metrics from elsewhere while there is no token for them', async () => {
    const app = await createTestApp();
    const headers = { authorization: 'Bearer undefined' };

    expect(
      readProblem(await app.inject({ url: '/metrics', remoteAddress: '10.0.0.7', headers })),
    ).toEqual(refused);
  });
});

describe('the server process', () => {
  it('has everybody sign in who comes when an XSUAA is bound', async () => {
    const services = { xsuaa: [{ credentials }] };
    const server = await startServer({ ...store, VCAP_SERVICES: JSON.stringify(services) });
    const refusal = await fetch(`${server.url}${list}`);
    const open = await fetch(`${server.url}/health/ready`);

    expect(refusal.status).toBe(401);
    expect(open.status).toBe(200);
  });

  it('warns when it lets in everybody who reaches the machine', async () => {
    const server = await startServer({ ...store, HOST: '0.0.0.0', AUTH_MODE: 'none' });
    const warnings = server.lines.filter((line) => line.includes('"level":40'));

    expect(warnings.join()).toContain('anyone who can reach this machine has full access');
  });

  it('does not start in production without a binding', async () => {
    const child = runServer({ ...store, NODE_ENV: 'production' });
    const [fault, [code]] = await Promise.all([readText(child.stderr!), once(child, 'exit')]);

    expect(fault).toMatch(
      /^The service could not start: NODE_ENV=production requires a bound xsuaa/,
    );
    expect(code).toBe(1);
  });
});

const store = { DATABASE_URL: 'sqlite::memory:' };
const credentials = {
  clientid: 'sb-grounding-eval!t1',
  xsappname: 'grounding-eval!t1',
  uaadomain: 'authentication.example.test',
  zoneid: zoneA,
};

async function createSignedInApp(options: object = {}): Promise<FastifyInstance> {
  return createTestApp({ signIn: await createTestSignIn(), ...options });
}

function get(app: FastifyInstance, url: string, token: string) {
  return app.inject({ url, headers: { authorization: `Bearer ${token}` } });
}

function changePayload(token: string): string {
  const [header, payload = '', signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const changed = Buffer.from(JSON.stringify({ ...claims, zid: zoneB })).toString('base64url');
  return `${header}.${changed}.${signature}`;
}

/** Every refusal reads the same, whatever was wrong. */
const refused = {
  challenge: 'Bearer',
  type: 'urn:problem:grounding-eval:unauthenticated',
  title: 'Unauthorized',
  status: 401,
  detail: 'A valid bearer token is required',
};

const forbidden = {
  challenge: undefined,
  type: 'urn:problem:grounding-eval:forbidden',
  title: 'Forbidden',
  status: 403,
  detail: 'The token lacks the required scope',
};

function readProblem(answer: Awaited<ReturnType<FastifyInstance['inject']>>): object {
  const { type, title, status, detail } = answer.json<Record<string, unknown>>();
  return { challenge: answer.headers['www-authenticate'], type, title, status, detail };
}
