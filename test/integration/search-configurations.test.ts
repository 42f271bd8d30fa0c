import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { ask, send } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { bm25 } from '../helpers/fixtures.ts';

const url = '/v1/search-configurations/one';

describe.each(databaseKinds)('search configurations on %s', (kind) => {
  let app: FastifyInstance;
  beforeEach(async () => {
    app = await createTestApp({ databaseUrl: await createDatabase(kind) });
  });

  it('come back with their defaults, and keep fields of filters that are not known here', async () => {
    const tree = {
      operator: 'or',
      left: { key: 'a', value: ['1'], scope: 'document', futureField: true },
      right: { key: 'b', value: ['2'], scope: 'chunk', selectMode: ['ignoreIfKeyAbsent'] },
    };
    const filters = [{ id: 'notes', dataRepositories: ['*'], newOption: { x: 1 }, filter: tree }];
    const saved = await send(app, 'PUT', url, { body: { ...bm25, filters } });
    const read = await ask<object>(app, 'GET', url);

    expect(saved.statusCode).toBe(201);
    expect(read).toMatchObject({
      name: 'one',
      ...bm25,
      chunking: { strategy: 'sections' },
      candidates: 8,
      rrfK: 60,
      depth: 100,
      filters,
      users: {},
    });
    expect(saved.json()).toEqual(read);
  });

  it('are replaced, listed and deleted', async () => {
    await send(app, 'PUT', url, { body: bm25 });
    const same = await send(app, 'PUT', url, { body: bm25 });
    const replaced = await send(app, 'PUT', url, { body: { ...bm25, depth: 7 } });
    const list = await ask<{ items: object[] }>(app, 'GET', '/v1/search-configurations');
    const deleted = await app.inject({ method: 'DELETE', url });

    expect([same.statusCode, replaced.statusCode, deleted.statusCode]).toEqual([200, 200, 204]);
    expect(list.items).toMatchObject([{ name: 'one', depth: 7 }]);
  });
});
