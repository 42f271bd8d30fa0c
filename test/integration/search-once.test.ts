import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { ask, send } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { bm25, pumpDocuments, pumpLexicon } from '../helpers/fixtures.ts';
import { scriptChat } from '../helpers/scripted-chat.ts';
import { createSender } from '../helpers/tenants.ts';
import { createTestSignIn } from '../helpers/tokens.ts';

interface SearchAnswer {
  readonly configuration: string;
  readonly latencyMs: number;
  readonly ranking: readonly {
    readonly documentId: string;
    readonly rank: number;
    readonly title: string;
    readonly snippet: string;
    readonly move?: unknown;
  }[];
  readonly pipeline?: {
    readonly versions: readonly { readonly kind: string; readonly text?: string }[];
    readonly stages: readonly { readonly stage: string }[];
  };
}

const glossary = { type: 'glossary', terms: { trickles: 'leaks' } };
const rerank = { type: 'llm', model: 'gpt', window: 2, step: 1 };
const piped = { name: 'piped', ...bm25, pipeline: { rewrite: glossary, candidates: 2, rerank } };
const users = { jo: { documentMetadata: [{ key: 'plant', value: ['south'] }] } };

async function prepare(databaseUrl?: string): Promise<FastifyInstance> {
  const { chatModel } = scriptChat(() => '[2] > [1]');
  const app = await createTestApp({ chatModel, ...(databaseUrl && { databaseUrl }) });
  const body = { documents: pumpDocuments, lexicon: pumpLexicon };
  await ask(app, 'PUT', '/v1/corpora/pumps', { body });
  await ask(app, 'PUT', '/v1/search-configurations/bm25', { body: { ...bm25, users } });
  return app;
}

const search = (app: FastifyInstance, body: object) =>
  ask<SearchAnswer>(app, 'POST', '/v1/search', { body });

describe.each(databaseKinds)('POST /v1/search on %s', (kind) => {
  it('ranks as an evaluation does, with titles and snippets, and stores nothing', async () => {
    const app = await prepare(await createDatabase(kind));
    const before = await ask(app, 'GET', '/v1/audit');
    const found = await search(app, { configuration: 'bm25', text: 'replace fuse', depth: 1 });

    expect(found).toMatchObject({ configuration: 'bm25', searches: 1, attempts: 1, modelCalls: 0 });
    expect(found.ranking).toMatchObject([
      {
        documentId: 'P1',
        rank: 1,
        title: 'Pump does not start',
        snippet: expect.stringContaining('Check the fuse') as string,
      },
    ]);
    expect(found.ranking[0]?.move).toBeUndefined();
    expect(await ask(app, 'GET', '/v1/eval')).toMatchObject({ items: [] });
    expect(await ask(app, 'GET', '/v1/audit')).toEqual(before);
  });
});

describe('POST /v1/search', () => {
  it('tells where a pipeline moved each document from', async () => {
    const app = await prepare();
    // "replace fuse" finds P1 and P2, which the model exchanges.
    const plain = await search(app, { configuration: piped, text: 'replace fuse' });
    const rewritten = await search(app, { configuration: piped, text: 'oil trickles' });

    expect(plain.ranking.map(({ documentId, move }) => [documentId, move])).toEqual([
      ['P2', { versions: [2], reranked: 1 }],
      ['P1', { versions: [1], reranked: 2 }],
    ]);
    expect(plain.pipeline?.stages.map(({ stage }) => stage)).toEqual([
      'rewrite',
      'search',
      'rerank',
    ]);
    expect(rewritten.pipeline?.versions).toMatchObject([
      { kind: 'original' },
      { kind: 'glossary', text: 'oil leaks' },
    ]);
    expect(rewritten.ranking[0]?.move).toMatchObject({ versions: [1, 1], fused: 1 });
  });

  it('searches in the name of a user', async () => {
    const app = await prepare();
    const found = await search(app, { configuration: 'bm25', text: 'replace fuse', user: 'jo' });

    expect(found.ranking.map(({ documentId }) => documentId)).toEqual(['P2']);
  });

  it.each([
    ['an unknown configuration', { configuration: 'none', text: 'x' }, 400, '/body/configuration'],
    ['no text', { configuration: 'bm25', text: ' ' }, 400, '/body/text'],
    ['an unknown field', { configuration: 'bm25', text: 'x', k: 3 }, 400, '/body/k'],
    [
      'a corpus that does not exist',
      { configuration: { ...piped, corpus: 'none' }, text: 'x' },
      400,
      '/body/configuration',
    ],
    [
      'an imported run',
      { configuration: { name: 'r', backend: 'run', run: 'r' }, text: 'x' },
      400,
      '/body/configuration',
    ],
    [
      'a user that the configuration does not define',
      { configuration: 'bm25', text: 'secret plan', user: 'nobody' },
      422,
      undefined,
    ],
  ])('refuses %s', async (_what, body, status, pointer) => {
    const app = await prepare();
    await ask(app, 'PUT', '/v1/runs/r', { body: { rankings: { q1: [{ documentId: 'P1' }] } } });
    const answer = await send(app, 'POST', '/v1/search', { body });
    const problem = answer.json<{ readonly errors?: readonly { readonly pointer: string }[] }>();

    expect([answer.statusCode, problem.errors?.[0]?.pointer]).toEqual([status, pointer]);
    expect(answer.body).not.toContain('secret plan');
  });

  it('needs the scope Evaluate and what the tenant may use of AI Core', async () => {
    const app = await createTestApp({ signIn: await createTestSignIn() });
    const judge = await createSender(app, { scopes: ['Label'] });
    const engineer = await createSender(app, { scopes: ['Evaluate'] });
    const configuration = {
      name: 'cloud',
      backend: 'aicore',
      resourceGroup: 'foreign',
      filters: [{ id: 'f', dataRepositoryType: 'vector', dataRepositories: ['*'] }],
      documentId: { from: 'chunkMetadata', key: 'docId' },
    };
    const payload = { configuration, text: 'x' };
    const asJudge = await judge({ method: 'POST', url: '/v1/search', payload });
    const asEngineer = await engineer({ method: 'POST', url: '/v1/search', payload });

    expect(asJudge.statusCode).toBe(403);
    expect([asEngineer.statusCode, asEngineer.json()]).toMatchObject([
      403,
      {
        type: 'urn:problem:grounding-eval:not-allowed',
        errors: [{ pointer: '/body/configuration/resourceGroup' }],
      },
    ]);
  });
});
