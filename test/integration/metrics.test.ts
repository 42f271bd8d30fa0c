import { readFileSync } from 'node:fs';

import type { FastifyInstance } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { answerEmpty, type Answerer, startAiCoreServer } from '../helpers/aicore-server.ts';
import { createTestApp, startService } from '../helpers/app.ts';
import { ask, evaluate } from '../helpers/client.ts';

const secretText = 'who may see the planted question';
const groundings = (name: string, resourceGroup: string) => ({
  name,
  backend: 'aicore',
  resourceGroup,
  filters: [{ id: 'f', dataRepositoryType: 'vector', dataRepositories: ['*'] }],
  documentId: { from: 'chunkId' },
});

const Dashboard = z.object({
  title: z.string(),
  panels: z.array(
    z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).optional() }),
  ),
});

describe('GET /metrics', () => {
  it('counts evaluations by status, and searches by backend and outcome', async () => {
    const app = await createTestApp();
    await saveSet(app);
    const documents = [{ id: 'D1', title: 'planted', text: 'question' }];
    await ask(app, 'PUT', '/v1/corpora/one', { body: { documents } });
    const bm25 = { name: 'bm25', backend: 'local', corpus: 'one', method: 'bm25' };
    await evaluate(app, { questionSet: 'one', configurations: [bm25] });
    const metrics = await readMetrics(app);

    expect(metrics.get('grounding_eval_evaluations{status="succeeded"}')).toBe(1);
    expect(metrics.get('grounding_eval_evaluations{status="failed"}')).toBe(0);
    expect(metrics.get('grounding_eval_queue_depth{work="evaluations"}')).toBe(0);
    expect(metrics.get('grounding_eval_queue_depth{work="batches"}')).toBe(0);
    expect(metrics.get(search('local', 'found'))).toBe(1);
    expect(metrics.get(search('local', 'empty'))).toBe(1);
    expect(metrics.get('grounding_eval_search_duration_seconds_count{backend="local"}')).toBe(2);
    expect(metrics.get('grounding_eval_store_up')).toBe(1);
  });

  it('tells failures from empty answers, and how busy each resource group is', async () => {
    const { app } = await startGrounding((seen) =>
      seen.resourceGroup === 'broken' ? { status: 503, body: {} } : answerEmpty(seen),
    );
    const configurations = [groundings('a', 'fine'), groundings('b', 'broken')];
    await evaluate(app, { questionSet: 'one', configurations });
    const metrics = await readMetrics(app);
    const limits = [...metrics].filter(([name]) => name.startsWith('grounding_eval_limiter_limit'));

    expect(metrics.get(search('aicore', 'empty'))).toBe(2);
    expect(metrics.get(search('aicore', 'retriever-failed'))).toBe(2);
    expect(metrics.get('grounding_eval_search_attempts_total{backend="aicore"}')).toBe(4);
    expect(metrics.get('grounding_eval_limiter_groups')).toBe(2);
    // One was overloaded by each of two calls in turn: a half of a half of four.
    expect(limits.map(([, value]) => value)).toEqual([4, 1]);
  });

  it('has a bounded number of series, however many resource groups clients name', async () => {
    const { app } = await startGrounding(answerEmpty);
    const configurations = Array.from({ length: 25 }, (_, index) =>
      groundings(`c${index}`, `group-${index}`),
    );
    await evaluate(app, { questionSet: 'one', configurations: configurations.slice(0, 13) });
    await evaluate(app, { questionSet: 'one', configurations: configurations.slice(13) });
    const metrics = await readMetrics(app);
    const names = [...metrics.keys()];

    expect(names.filter((name) => name.startsWith('grounding_eval_limiter_limit'))).toHaveLength(
      20,
    );
    expect(metrics.get('grounding_eval_limiter_groups')).toBe(25);
  });

  it('holds no text, no name and no tenant', async () => {
    const { app } = await startGrounding(() => ({ status: 400, body: { error: secretText } }));
    const configuration = groundings('secret-name', 'secret-group');
    await evaluate(app, {
      questionSet: 'one',
      configurations: [configuration],
      label: 'secret-label',
    });
    const { body } = await app.inject('/metrics');

    expect(body).not.toMatch(/secret|planted|"local"|"one"/);
  });

  it('answers when the store does not', async () => {
    const { app, db } = await startService();
    onTestFinished(() => app.close());
    await db.destroy();
    const metrics = await readMetrics(app);

    expect(metrics.get('grounding_eval_store_up')).toBe(0);
    expect(metrics.has('nodejs_eventloop_lag_p99_seconds')).toBe(true);
  });
});

describe('docs/grafana-dashboard.json', () => {
  const dashboard = Dashboard.parse(
    JSON.parse(readFileSync('docs/grafana-dashboard.json', 'utf8')),
  );
  const asked = dashboard.panels.flatMap(({ targets = [] }) =>
    targets.flatMap(({ expr }) => expr.match(/\b[a-z_]+(?=\{job)/g) ?? []),
  );

  it('asks for something in every panel', () => {
    const empty = dashboard.panels.filter(({ targets }) => targets?.length === 0);

    expect(asked.length).toBeGreaterThan(20);
    expect(empty).toEqual([]);
  });

  it('asks for nothing that the service does not tell', async () => {
    const { app } = await startGrounding(answerEmpty);
    await evaluate(app, { questionSet: 'one', configurations: [groundings('a', 'default')] });
    const names = [...(await readMetrics(app)).keys()];
    const told = new Set(names.map((name) => name.split('{')[0] ?? ''));

    expect([...new Set(asked)].filter((name) => !told.has(name))).toEqual([]);
  });
});

async function startGrounding(onSearch: Answerer) {
  const server = await startAiCoreServer({ onSearch });
  onTestFinished(server.close);
  const aiCore = { serviceKey: server.key, concurrency: 4, timeoutMs: 5000, attempts: 1 };
  const app = await createTestApp({ aiCore });
  await saveSet(app);
  return { app, server };
}

async function saveSet(app: FastifyInstance): Promise<void> {
  const questions = [
    { id: 'q1', text: secretText, relevant: { D1: 1 } },
    { id: 'q2', text: 'nothing fits', relevant: { D1: 1 } },
  ];
  await ask(app, 'PUT', '/v1/question-sets/one', { body: { questions } });
}

function search(backend: string, outcome: string): string {
  return `grounding_eval_searches_total{backend="${backend}",outcome="${outcome}"}`;
}

async function readMetrics(app: FastifyInstance): Promise<ReadonlyMap<string, number>> {
  const { body } = await app.inject('/metrics');
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const place = line.lastIndexOf(' ');
      return [line.slice(0, place), Number(line.slice(place + 1))];
    }),
  );
}
