import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { Environment, readConfig } from '../../src/config.ts';

describe('readConfig', () => {
  it('needs nothing', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 8080,
      database: { url: 'sqlite:./data/grounding-eval.db' },
      databasePoolSize: 10,
      logLevel: 'info',
      bodyLimitBytes: 64 * 1024 * 1024,
      requestsPerMinute: 600,
      searchConcurrency: 8,
      searchTimeoutMs: 30_000,
      searchAttempts: 4,
      aiCoreServiceKey: undefined,
      aiCoreDestinations: new Set(['AICORE']),
      storeSnippets: true,
      shutdownGraceMs: 8000,
      integrations: {
        targetPolicy: { hosts: [], allowLoopback: false },
        application: { name: 'grounding-eval', environment: 'local', instance: '0' },
      },
      outboxMaxAgeMs: 3 * 24 * 60 * 60 * 1000,
    });
  });

  it('takes an empty variable for one that is not set', () => {
    expect(readConfig({ PORT: '', HOST: '' })).toMatchObject({ port: 8080, host: '127.0.0.1' });
  });

  it('lets configurations name the listed destinations, and those that it holds itself', () => {
    const destinations = JSON.stringify([{ name: 'MINE', url: 'https://api.example.test' }]);
    const config = readConfig({ AICORE_DESTINATIONS: 'A, B', destinations });

    expect(config.aiCoreDestinations).toEqual(new Set(['A', 'B', 'MINE']));
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

  it.each([
    ['PORT', 'eighty'],
    ['DATABASE_URL', 'mysql://user:secret@host'],
    ['DATABASE_URL', 'postgres://user:secret@host/db?sslmode=no-verify'],
    ['DATABASE_URL', 'postgres://user:secret@host/db?uselibpqcompat=true&sslmode=require'],
    ['DATABASE_POOL_SIZE', '0'],
    ['LOG_LEVEL', 'loud'],
    ['BODY_LIMIT_MB', '-1'],
    ['RATE_LIMIT_PER_MINUTE', 'many'],
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
