import { readFile } from 'node:fs/promises';

import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { loadSample } from '../../src/evaluation/tenants/load-sample.ts';
import { sampleReaders } from '../../src/schemas/sample.ts';
import { createTestApp, startService, type TestService } from '../helpers/app.ts';
import { ask, evaluate, type EvaluationAnswer } from '../helpers/client.ts';
import { pumpQuestions } from '../helpers/fixtures.ts';

const now = '2026-11-30T06:00:00.000Z';
const methods = ['bm25', 'vector', 'hybrid', 'rerank'];

interface SampleQuestion {
  readonly kind: string;
  readonly language: string;
  readonly split: string;
  readonly user?: string;
  readonly forbidden?: readonly string[];
  readonly answerable?: boolean;
  readonly relevant?: Readonly<Record<string, number>>;
}

describe('the sample collection', () => {
  let service: TestService;
  let app: FastifyInstance;
  let questions: readonly SampleQuestion[];
  let evaluation: EvaluationAnswer;

  beforeAll(async () => {
    service = await startService();
    app = service.app;
    await loadSample(service.db, sampleReaders, now);
    const set = await ask<{ questions: SampleQuestion[] }>(app, 'GET', '/v1/question-sets/sample');
    questions = set.questions;
    const files = methods.map((name) => readFile(`sample/configurations/${name}.json`, 'utf8'));
    const bodies = (await Promise.all(files)).map((file) => JSON.parse(file) as object);
    const puts = methods.map((name, index) =>
      ask(app, 'PUT', `/v1/search-configurations/${name}`, { body: bodies[index] }),
    );
    await Promise.all(puts);
    evaluation = await evaluate(app, { questionSet: 'sample', configurations: methods });
  });
  afterAll(() => service.close());

  const count = (matches: (question: SampleQuestion) => boolean) =>
    questions.filter(matches).length;

  it('is large and varied enough to learn from', async () => {
    const corpora = await ask<{ items: { documents: number }[] }>(app, 'GET', '/v1/corpora');

    expect(corpora.items[0]?.documents).toBeGreaterThanOrEqual(60);
    expect(questions.length).toBeGreaterThanOrEqual(120);
    expect(count(({ answerable }) => answerable === false)).toBeGreaterThanOrEqual(6);
    expect(
      count(({ user, forbidden }) => user !== undefined && !!forbidden),
    ).toBeGreaterThanOrEqual(8);
    expect(count(({ language }) => language === 'de')).toBeGreaterThanOrEqual(20);
    expect(new Set(questions.map(({ kind }) => kind))).toEqual(
      new Set(['identifier', 'paraphrase', 'mixed', 'policy']),
    );
    expect(count(({ split }) => split === 'tuning')).toBe(
      count(({ split }) => split === 'held-out'),
    );
  });

  it('is searched without a failure, a leak, or a label for a document that is not there', () => {
    const codes = evaluation.scorecard.flatMap(({ warnings }) => warnings.map(({ code }) => code));

    expect(evaluation.status).toBe('succeeded');
    expect(evaluation.scorecard.map(({ questions: { failed } }) => failed)).toEqual([0, 0, 0, 0]);
    expect(evaluation.scorecard.map(({ leaks }) => leaks.documents)).toEqual([0, 0, 0, 0]);
    expect(codes).not.toContain('unknown-judged-documents');
  });

  it('would leak forbidden notes to a user whose filter is missing', async () => {
    const everywhere = [{ key: 'company_code', value: ['1000', '2000', '3000', 'ALL'] }];
    const users = Object.fromEntries(
      ['anna', 'bernd', 'carla', 'dieter'].map((name) => [name, { documentMetadata: everywhere }]),
    );
    const open = { name: 'open', backend: 'local', corpus: 'sample', method: 'hybrid', users };
    const { scorecard } = await evaluate(app, { questionSet: 'sample', configurations: [open] });

    expect(scorecard[0]?.leaks.documents).toBeGreaterThan(0);
  });

  it('is loaded into an empty store only', async () => {
    const other = await startService();
    await ask(other.app, 'PUT', '/v1/question-sets/mine', { body: { questions: pumpQuestions } });
    const isLoaded = await loadSample(other.db, sampleReaders, now);
    await other.close();
    const again = await loadSample(service.db, sampleReaders, now);

    expect([isLoaded, again]).toEqual([false, false]);
  });
});

it('a service without the sample has no question set', async () => {
  const app = await createTestApp();

  expect(await ask(app, 'GET', '/v1/question-sets')).toEqual({ items: [], nextCursor: null });
});
