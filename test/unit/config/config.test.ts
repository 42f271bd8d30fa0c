import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { readConfig } from '../../../src/config/config.ts';
import { Environment } from '../../../src/config/environment.ts';

const everything = { resourceGroups: ['*'], models: ['*'], deployments: ['*'] };

const lost = { ALLOW_EPHEMERAL_DATABASE: 'true' };

describe('readConfig', () => {
  it('refuses a database on Cloud Foundry that the next restart deletes, unless it may be lost', () => {
    const VCAP_APPLICATION = '{}';
    const read = (change: Readonly<Record<string, string>>) =>
      readConfig({ VCAP_APPLICATION, ...change });

    expect(() => read({})).toThrow(/ALLOW_EPHEMERAL_DATABASE=true/);
    expect(() => read({ DATABASE_URL: 'sqlite:./kept.db' })).toThrow(/DATABASE_URL/);
    expect(read({ ALLOW_EPHEMERAL_DATABASE: 'true' }).database.url).toMatch(/^sqlite:/);
    expect(read({ DATABASE_URL: 'postgres://db/x' }).database.url).toBe('postgres://db/x');
  });

  it('needs nothing', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 8080,
      database: { url: 'sqlite:./data/grounding-eval.db' },
      databasePoolSize: 10,
      logLevel: 'info',
      isOpenToAll: false,
      quotas: {
        evaluations: 100,
        questions: 1_000_000,
        aiCore: [everything, { destination: 'AICORE', ...everything }],
      },
      bodyLimitBytes: 64 * 1024 * 1024,
      importMemoryBytes: 256 * 1024 * 1024,
      requestsPerMinute: 600,
      trustedProxies: 0,
      computations: { atOnce: expect.toSatisfy((cores: number) => cores >= 2), maxWaiting: 32 },
      searchConcurrency: 8,
      searchTimeoutMs: 30_000,
      searchAttempts: 4,
      httpEndpoints: new Map(),
      sqlSources: new Map(),
      aiCoreServiceKey: undefined,
      storeSnippets: true,
      tracing: undefined,
      shutdownGraceMs: 8000,
      integrations: {
        targetPolicy: { hosts: [], allowLoopback: false },
        application: { name: 'grounding-eval', environment: 'local', instance: '0' },
      },
      outboxMaxAgeMs: 3 * 24 * 60 * 60 * 1000,
    });
  });

  it('lets large computations be limited', () => {
    const config = readConfig({ COMPUTATIONS_AT_ONCE: '3', COMPUTATIONS_WAITING: '0' });

    expect(config.computations).toEqual({ atOnce: 3, maxWaiting: 0 });
    expect(() => readConfig({ COMPUTATIONS_AT_ONCE: '0' })).toThrow('COMPUTATIONS_AT_ONCE');
  });

  it('takes an empty variable for one that is not set', () => {
    expect(readConfig({ PORT: '', HOST: '' })).toMatchObject({ port: 8080, host: '127.0.0.1' });
  });

  it('lets configurations name the listed destinations, and those that it holds itself', () => {
    const destinations = JSON.stringify([{ name: 'MINE', url: 'https://api.example.test' }]);
    const config = readConfig({ AICORE_DESTINATIONS: 'A, B', destinations });

    expect(config.quotas.aiCore).toEqual([
      everything,
      { destination: 'A', ...everything },
      { destination: 'B', ...everything },
      { destination: 'MINE', ...everything },
    ]);
    expect(() => readConfig({ destinations: '[{"password":"made-up' })).toThrow(
      'destinations: is not JSON',
    );
  });

  it.each(['localhost', '::1', '127.0.0.1', '127.8.9.1'])('serves %s without sign-in', (host) => {
    expect(readConfig({ HOST: host }).host).toBe(host);
  });

  it.each(['0.0.0.0', '::', '10.0.0.1', '127.evil.example'])(
    'serves %s without sign-in only when that is said',
    (host) => {
      expect(() => readConfig({ HOST: host })).toThrow('AUTH_MODE=none');
      expect(readConfig({ HOST: host, AUTH_MODE: 'none' }).host).toBe(host);
    },
  );

  it('says when everybody who reaches the machine is let in', () => {
    expect(readConfig({ HOST: '0.0.0.0', AUTH_MODE: 'none' }).isOpenToAll).toBe(true);
    expect(readConfig({ AUTH_MODE: 'none' }).isOpenToAll).toBe(false);
    const bound = readConfig({ HOST: '0.0.0.0', VCAP_SERVICES: bindXsuaa({}) });
    expect(bound.isOpenToAll).toBe(false);
  });

  it('has users sign in when an XSUAA is bound, unless it is told otherwise', () => {
    const services = bindXsuaa({});

    expect(readConfig({ VCAP_SERVICES: services }).xsuaa).toEqual({
      clientId: 'sb-app!t1',
      appName: 'app!t1',
      domain: 'authentication.example.test',
      onlyZone: 'zone-1',
      providerZone: 'zone-1',
    });
    expect(readConfig({ VCAP_SERVICES: services, AUTH_MODE: 'none' }).xsuaa).toBeUndefined();
  });

  it.each([
    [{ tenantmode: 'shared' }, undefined],
    [{ tenantmode: 'dedicated', zoneid: undefined, identityzoneid: 'zone-2' }, 'zone-2'],
    [{ tenantmode: undefined }, 'zone-1'],
  ])('takes the tokens of the zones that a binding is for: %j', (change, zone) => {
    expect(readConfig({ VCAP_SERVICES: bindXsuaa(change) }).xsuaa?.onlyZone).toBe(zone);
  });

  it('leaves what a tenant may use of AI Core to operators where there are several tenants', () => {
    const shared = readConfig({ VCAP_SERVICES: bindXsuaa({ tenantmode: 'shared' }) });
    const dedicated = readConfig({
      VCAP_SERVICES: bindXsuaa({}),
      AICORE_DESTINATIONS: 'A',
      AICORE_RESOURCE_GROUPS: 'one, two',
      AICORE_MODELS: 'small',
      AICORE_DEPLOYMENTS: 'd1',
    });
    const listed = { resourceGroups: ['one', 'two'], models: ['small'], deployments: ['d1'] };

    expect(shared.quotas.aiCore).toBeUndefined();
    expect(shared.xsuaa?.providerZone).toBe('zone-1');
    expect(dedicated.quotas.aiCore).toEqual([listed, { destination: 'A', ...listed }]);
  });

  it('refuses a binding for one zone that does not say which', () => {
    const services = bindXsuaa({ zoneid: undefined });

    expect(() => readConfig({ VCAP_SERVICES: services })).toThrow('zoneid is missing');
  });

  it.each([
    [{ AUTH_MODE: 'xsuaa' }, 'AUTH_MODE=xsuaa requires a bound xsuaa'],
    [{ NODE_ENV: 'production' }, 'NODE_ENV=production requires a bound xsuaa'],
    [{ NODE_ENV: 'production', HOST: '0.0.0.0' }, 'NODE_ENV=production requires a bound xsuaa'],
  ])('does not start without a binding with %j', (environment, message) => {
    expect(() => readConfig(environment)).toThrow(message);
  });

  it('starts in production without sign-in when that is said', () => {
    const environment = { NODE_ENV: 'production', AUTH_MODE: 'none' };

    expect(readConfig(environment).xsuaa).toBeUndefined();
  });

  it.each([
    [{ VCAP_APPLICATION: '{}', ...lost }, 1],
    [{ VCAP_APPLICATION: '{}', ...lost, TRUSTED_PROXIES: '2' }, 2],
    [{ VCAP_APPLICATION: '{}', ...lost, TRUSTED_PROXIES: '0' }, 0],
  ])('with %j believes %i proxies', (environment, trusted) => {
    expect(readConfig(environment).trustedProxies).toBe(trusted);
  });

  it.each([
    ['METRICS_TOKEN', 'short'],
    ['MAX_EVALUATIONS', '0'],
    ['MAX_QUESTIONS', 'all'],
    ['PORT', 'eighty'],
    ['DATABASE_URL', 'mysql://user:secret@host'],
    ['DATABASE_URL', 'postgres://user:secret@host/db?sslmode=no-verify'],
    ['DATABASE_URL', 'postgres://user:secret@host/db?uselibpqcompat=true&sslmode=require'],
    ['DATABASE_POOL_SIZE', '0'],
    ['LOG_LEVEL', 'loud'],
    ['BODY_LIMIT_MB', '-1'],
    ['RATE_LIMIT_PER_MINUTE', 'many'],
    ['TRUSTED_PROXIES', '-1'],
    ['SEARCH_CONCURRENCY', '0'],
    ['SHUTDOWN_GRACE_MS', 'soon'],
    ['RETENTION_DAYS', '0'],
    ['AUTH_MODE', 'magic'],
    ['SEARCH_TIMEOUT_MS', '-7'],
    ['SEARCH_ATTEMPTS', '11'],
    ['STORE_SNIPPETS', 'maybe'],
    ['AICORE_SERVICE_KEY', '{"clientsecret": "made-up'],
    ['AICORE_SERVICE_KEY', '{"clientsecret":"made-up"}'],
    ['VCAP_SERVICES', '{"aicore": made-up'],
    ['VCAP_SERVICES', '{"postgresql-db":[{"credentials":{"password":"made-up"}}]}'],
    ['VCAP_SERVICES', '{"aicore":[{"credentials":{"clientsecret":"made-up"}}]}'],
  ])('names %s when it cannot be used, and never its value', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(name);
    expect(() => readConfig({ [name]: value })).not.toThrow(value);
  });

  it('.env.example lists every variable, with its default', () => {
    const lines = readFileSync('.env.example', 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm);
    const example = Object.fromEntries([...lines].map(([, name, value]) => [name, value]));

    expect(Object.keys(example)).toEqual(Object.keys(Environment.shape));
    expect(readConfig(example)).toEqual(readConfig({}));
  });
});

function bindXsuaa(change: object): string {
  const credentials = {
    clientid: 'sb-app!t1',
    xsappname: 'app!t1',
    uaadomain: 'authentication.example.test',
    tenantmode: 'dedicated',
    zoneid: 'zone-1',
    ...change,
  };
  return JSON.stringify({ xsuaa: [{ credentials }] });
}
