import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { allowAll } from '../helpers/allowances.ts';
import { startAiCoreServer } from '../helpers/aicore-server.ts';
import { createTestApp } from '../helpers/app.ts';
import { ask, send } from '../helpers/client.ts';

const configuration = {
  name: 'through',
  backend: 'aicore',
  resourceGroup: 'default',
  filters: [{ id: 'f', dataRepositoryType: 'vector', dataRepositories: ['*'] }],
  documentId: { from: 'chunkId' },
};

describe('destinations of search configurations', () => {
  it('are searched when they are listed', async () => {
    const { app, server } = await start(['LISTED']);
    const { statusCode } = await evaluateThrough(app, 'LISTED');

    expect(statusCode).toBe(200);
    expect(server.searches).toHaveLength(1);
  });

  it('are refused when they are not, though they exist, before anything is stored or sent', async () => {
    const { app, server } = await start(['OTHER']);
    const answer = await evaluateThrough(app, 'LISTED');
    const { items } = await ask<{ items: unknown[] }>(app, 'GET', '/v1/eval');

    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({
      detail: expect.stringContaining('AICORE_DESTINATIONS') as string,
    });
    expect(items).toEqual([]);
    expect(server.searches).toEqual([]);
  });

  it('are refused when repositories are listed through them', async () => {
    const { app, server } = await start(['OTHER']);
    const answer = await app.inject(
      '/v1/aicore/repositories?resourceGroup=default&destination=LISTED',
    );

    expect(answer.statusCode).toBe(403);
    expect(server.searches).toEqual([]);
  });

  it.each(['toString', 'constructor', 'listed', 'LISTED ', '../LISTED'])(
    'are told apart to the letter: %j is another one',
    async (name) => {
      const { app, server } = await start(['LISTED']);
      const answer = await evaluateThrough(app, name);

      expect(answer.statusCode).toBe(403);
      expect(server.searches).toEqual([]);
    },
  );
});

async function start(destinations: readonly string[]) {
  const server = await startAiCoreServer();
  onTestFinished(server.close);
  const url = server.key.serviceurls.AI_API_URL;
  vi.stubEnv('destinations', JSON.stringify([{ name: 'LISTED', url }]));
  const aiCore = {
    concurrency: 1,
    timeoutMs: 5000,
    attempts: 1,
  };
  const app = await createTestApp({ aiCore, allowed: allowAll(...destinations).access });
  const questions = [{ id: 'q1', text: 'asked', relevant: { D1: 1 } }];
  await ask(app, 'PUT', '/v1/question-sets/one', { body: { questions } });
  return { app, server };
}

function evaluateThrough(app: Parameters<typeof send>[0], destination: string) {
  const body = { questionSet: 'one', configurations: [{ ...configuration, destination }] };
  return send(app, 'POST', '/v1/eval', { body, headers: { prefer: 'wait=30' } });
}
