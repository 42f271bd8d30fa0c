import { readFileSync } from 'node:fs';

import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';

import { guardRoutes } from '../../src/http/access/authorization.ts';
import { accessByOperation } from '../../src/http/access/scopes.ts';
import { createOpenSignIn } from '../../src/http/access/sign-in.ts';
import { createTestApp } from '../helpers/app.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
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
  });

  it('is named once in the description of each operation', async () => {
    const operations = await listOperations();
    const sentences = operations.map(({ operationId, description }) => [
      operationId,
      description.match(/Requires the scope `\w+`\.|No authentication required\./g),
    ]);

    expect(Object.fromEntries(sentences)).toEqual(
      Object.fromEntries(
        Object.entries(accessByOperation).map(([operation, access]) => [
          operation,
          [access === 'open' ? 'No authentication required.' : `Requires the scope \`${access}\`.`],
        ]),
      ),
    );
    expect(
      operations.filter(
        ({ description }) =>
          !/^(.+ )?(Requires the scope `\w+`|No authentication required)\.$/.test(description),
      ),
    ).toEqual([]);
  });

  it('describes operations whose summaries start with a verb', async () => {
    const verbs =
      /^(Add|Cancel|Compare|Compute|Create|Delete|Get|List|Retry|Score|Start|Watch) (or replace )?[a-zS]/;
    const summaries = (await listOperations()).map(({ summary }) => summary);

    expect(summaries.filter((summary) => !verbs.test(summary))).toEqual([]);
    expect(new Set(summaries).size).toBe(summaries.length);
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

      expect(() => app.get(route.url, route, async () => 'secret')).toThrow('No scope is defined');
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
