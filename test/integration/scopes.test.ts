import { readFileSync } from 'node:fs';

import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';

import { guardRoutes } from '../../src/http/access/authorization.ts';
import { accessByOperation } from '../../src/http/access/scopes.ts';
import { createOpenSignIn } from '../../src/http/access/sign-in.ts';
import { createTestApp } from '../helpers/app.ts';

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

describe('the table of scopes', () => {
  it('knows every operation of the service and no other', async () => {
    const operations = await listOperations();

    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
      Object.keys(accessByOperation).toSorted(),
    );
  });

  it('is what the description of the service says', async () => {
    const operations = await listOperations();
    const described = operations.map(({ operationId, security }) => [
      operationId,
      security[0]?.['bearer']?.[0] ?? 'open',
    ]);

    expect(Object.fromEntries(described)).toEqual(accessByOperation);
    expect(operations.map(({ description }) => description)).toEqual(
      operations.map(
        () => expect.stringMatching(/(Needs the scope `\w+`|Open to all)\.$/) as string,
      ),
    );
  });

  it('is what the documentation says', () => {
    const page = readFileSync('docs/security.md', 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)` +\| (`[^|]+`) +\|$/gm)];
    const documented = rows.flatMap(([, access, operations = '']) =>
      [...operations.matchAll(/`(\w+)`/g)].map(([, operation]) => [operation, access]),
    );

    expect(Object.fromEntries(documented)).toEqual(accessByOperation);
  });

  it.each([{ url: '/v1/new' }, { url: '/v1/new', schema: { operationId: 'toString' } }])(
    'keeps a service from starting that has a route without a scope: %j',
    (route) => {
      const app = Fastify();
      guardRoutes(app, createOpenSignIn(), async () => undefined);

      expect(() => app.get(route.url, route, async () => 'secret')).toThrow('table of scopes');
    },
  );
});

async function listOperations(): Promise<readonly Operation[]> {
  const app = await createTestApp();
  const { paths } = (await app.inject('/openapi.json')).json<{
    paths: Record<string, Record<string, Operation>>;
  }>();
  return Object.values(paths).flatMap((path) => Object.values(path));
}
