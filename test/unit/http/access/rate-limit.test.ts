import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';

import { setProblemHandlers } from '../../../../src/http/problem.ts';
import type { Principal } from '../../../../src/http/access/principal.ts';
import { limitRate } from '../../../../src/http/access/rate-limit.ts';

describe('limitRate', () => {
  it.each([
    ['the same user of the same tenant', principal('a', 'anna'), principal('a', 'anna'), 429],
    ['another user', principal('a', 'anna'), principal('a', 'bernd'), 200],
    ['a user of that name of another tenant', principal('a', 'anna'), principal('b', 'anna'), 200],
    ['a user whose name looks like both', principal('a', 'b","c'), principal('a","b', 'c'), 200],
    ['nobody signed in, from one address', principal('local', null), principal('local', null), 429],
  ])('counts %s as one or as two', async (_case, first, second, status) => {
    const app = Fastify();
    const principals = [first, second];
    app.decorateRequest('principal');
    app.addHook('onRequest', async (request) => {
      request.principal = principals.shift()!;
    });
    setProblemHandlers(app);
    await limitRate(app, 1);
    app.get('/', async () => 'answer');
    await app.inject('/');
    const answer = await app.inject('/');
    await app.close();

    expect(answer.statusCode).toBe(status);
  });
});

function principal(tenant: string, name: string | null): Principal {
  return { tenant, name, scopes: new Set() };
}
