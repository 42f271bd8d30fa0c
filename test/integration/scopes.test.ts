import { readFileSync } from 'node:fs';

import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';

import { guardRoutes } from '../../src/http/access/authorization.ts';
import { accessByOperation } from '../../src/http/access/scopes.ts';
import { createOpenSignIn } from '../../src/http/access/sign-in.ts';
import { createTestApp } from '../helpers/app.ts';
import { createSender } from '../helpers/tenants.ts';
import { createTestSignIn } from '../helpers/tokens.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
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
    const described = operations.map(({ operationId, security }) => {
      const needed = security.flatMap(({ bearer = [] }) => bearer);
      return [operationId, needed.length > 1 ? needed : (needed[0] ?? 'open')];
    });

    expect(Object.fromEntries(described)).toEqual(accessByOperation);
  });

  it('is named once in the description of each operation', async () => {
    const operations = await listOperations();
    const sentences = operations.map(({ operationId, description }) => [
      operationId,
      description.match(/Requires the scope `\w+`( or `\w+`)*\.|No authentication required\./g),
    ]);

    expect(Object.fromEntries(sentences)).toEqual(
      Object.fromEntries(
        Object.entries(accessByOperation).map(([operation, access]) => [
          operation,
          [
            access === 'open'
              ? 'No authentication required.'
              : `Requires the scope \`${[access].flat().join('` or `')}\`.`,
          ],
        ]),
      ),
    );
    expect(
      operations.filter(
        ({ description }) =>
          !/^(.+ )?(Requires the scope `\w+`( or `\w+`)*|No authentication required)\.$/.test(
            description,
          ),
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
      [...operations.matchAll(/`(\w+)`/g)].map(([, operation]) => `${operation} ${access}`),
    );
    const defined = Object.entries(accessByOperation).flatMap(([operation, access]) =>
      [access].flat().map((scope) => `${operation} ${scope}`),
    );

    expect(documented.toSorted()).toEqual(defined.toSorted());
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

describe('a token with the scope Submit alone', () => {
  it('brings runs and starts evaluations, and is refused everything else', async () => {
    const app = await createTestApp({ signIn: await createTestSignIn() });
    const submit = await createSender(app, { scopes: ['Submit'], client: 'sb-ci!t1' });
    const allowed: string[] = [];
    for (const { operationId, method, path, security } of await listOperations()) {
      if (security.length === 0) continue;
      const url = path.replaceAll(/\{\w+\}/g, 'x');
      const { statusCode } = await submit({ method: method.toUpperCase(), url });
      if (statusCode !== 403) allowed.push(operationId);
    }

    expect(allowed.toSorted()).toEqual(['createEvaluation', 'putRun']);
  });

  it('gets the decision of a gate without the texts of questions', async () => {
    const app = await createTestApp({ signIn: await createTestSignIn() });
    const label = await createSender(app, { scopes: ['Label'] });
    const submit = await createSender(app, { scopes: ['Submit'], client: 'sb-ci!t1' });
    const both = await createSender(app, { scopes: ['Read', 'Submit'], client: 'sb-ci!t1' });
    await label({ method: 'PUT', url: '/v1/question-sets/s', payload: questions });
    const before = await submit({ method: 'PUT', url: '/v1/runs/main', payload: rank('yes') });
    const after = await submit({ method: 'PUT', url: '/v1/runs/pr', payload: rank('no', 'yes') });
    const evaluation = {
      method: 'POST',
      url: '/v1/eval',
      headers: { prefer: 'wait=60' },
      payload: {
        questionSet: 's',
        configurations: ['main', 'pr'].map((run) => ({ name: run, backend: 'run', run })),
        measures: ['RR'],
        gate: { baseline: { configuration: 'main' }, measure: 'RR', maxDrop: 0.02 },
      },
    } as const;
    const ofSubmit = await submit(evaluation);
    const ofBoth = await both(evaluation);

    expect([before.statusCode, after.statusCode]).toEqual([201, 201]);
    expect(readTexts(ofSubmit.json())).toEqual(Array.from({ length: 10 }, () => null));
    expect(ofSubmit.body).not.toContain('a secret question');
    expect(readTexts(ofBoth.json())[0]).toMatch(/^a secret question /);
  });

  it('gets no dry run, which names a question', async () => {
    const submit = await createSender(await createTestApp({ signIn: await createTestSignIn() }), {
      scopes: ['Submit'],
    });
    const payload = { questionSet: 's', configurations: ['c'] };
    const answer = await submit({ method: 'POST', url: '/v1/eval?dryRun=true', payload });

    expect(answer.statusCode).toBe(403);
  });
});

const ids = Array.from({ length: 12 }, (_, index) => `q${index}`);
const questions = {
  questions: ids.map((id) => ({ id, text: `a secret question ${id}`, relevant: { yes: 1 } })),
};

function rank(...documentIds: readonly string[]): object {
  const ranking = documentIds.map((documentId) => ({ documentId }));
  return { rankings: Object.fromEntries(ids.map((id) => [id, ranking])) };
}

interface GateAnswer {
  readonly gate: {
    readonly configurations: readonly {
      readonly fellMost: readonly { readonly text: string | null }[];
    }[];
  };
}

function readTexts({ gate }: GateAnswer): readonly (string | null)[] {
  return gate.configurations.flatMap(({ fellMost }) => fellMost.map(({ text }) => text));
}

async function listOperations(): Promise<readonly Operation[]> {
  const app = await createTestApp();
  const { paths } = (await app.inject('/openapi.json')).json<{
    paths: Record<string, Record<string, Operation>>;
  }>();
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ ...operation, method, path })),
  );
}
