import { expect, it, onTestFinished } from 'vitest';

import { createClient } from '../../scripts/demo/client.ts';
import { startAiCoreServer } from '../helpers/aicore-server.ts';
import { startServer } from '../helpers/server-process.ts';

it('logs lines of pino alone while a destination is used', { timeout: 60_000 }, async () => {
  const aiCore = await startAiCoreServer();
  onTestFinished(aiCore.close);
  const url = aiCore.key.serviceurls.AI_API_URL;
  const destination = { name: 'LISTED', url, username: 'u', password: 'planted-password' };
  const server = await startServer({
    DATABASE_URL: 'sqlite::memory:',
    AICORE_DESTINATIONS: 'LISTED,MISSING',
    destinations: JSON.stringify([destination]),
  });
  const { put, post } = createClient(server.url);
  const questions = [{ id: 'q1', text: 'asked', relevant: { D1: 1 } }];
  await put('/v1/question-sets/one', { questions });
  const filters = [{ id: 'f', dataRepositoryType: 'vector', dataRepositories: ['*'] }];
  const configurations = ['LISTED', 'MISSING'].map((name) => ({
    name,
    backend: 'aicore',
    resourceGroup: 'default',
    destination: name,
    filters,
    documentId: { from: 'chunkId' },
  }));
  const body = { questionSet: 'one', configurations };
  await post('/v1/eval', body, { prefer: 'wait=30' });
  const ended = new Promise((resolve) => server.child.once('exit', resolve));
  server.child.kill('SIGTERM');
  await ended;

  const parsed = [...server.lines, ...server.faults].map(parse);
  expect(parsed.filter((line) => typeof line === 'string')).toEqual([]);
  expect(aiCore.searches).toHaveLength(1);
  expect(parsed).toContainEqual(
    expect.objectContaining({ sdk: 'env-destination-accessor', level: 30 }),
  );
  expect(server.lines.join()).not.toContain('planted-password');
});

/** The text itself where it is no line of pino. */
function parse(line: string): unknown {
  try {
    const value = JSON.parse(line) as { level?: unknown; time?: unknown; pid?: unknown };
    const isOfPino = [value.level, value.time, value.pid].every((part) => typeof part === 'number');
    return isOfPino ? value : line;
  } catch {
    return line;
  }
}
