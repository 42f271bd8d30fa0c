import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startService, type TestService } from '../helpers/app.ts';
import { ask, evaluate, send } from '../helpers/client.ts';

interface ComparisonAnswer {
  readonly measure: string;
  readonly questions: number;
  readonly excluded: Record<string, number>;
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  readonly means: Record<string, number>;
  readonly meanDifference: number;
  readonly interval: { readonly low: number; readonly high: number; readonly seed: number };
  readonly tests: Record<string, { readonly p: number | null; readonly exact?: boolean }>;
  readonly pAdjusted?: number;
  readonly verdict: string;
  readonly explanation: string;
  readonly perQuestion: readonly { readonly id: string; readonly outcome: string }[];
}

/** Six questions whose answer stands first in the good run, second in the bad one, except for the last. */
const questions = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({
  id,
  text: `question ${id}`,
  relevant: { yes: 1 },
}));
const first = [{ documentId: 'yes' }, { documentId: 'no' }];
const second = [{ documentId: 'no' }, { documentId: 'yes' }];
const run = (rankings: Record<string, object[]>) => ({ rankings });
const good = run({ a: first, b: first, c: first, d: first, e: first, f: first });
const bad = run({ a: second, b: second, c: second, d: second, e: second, f: first });

describe('POST /v1/compare', () => {
  let service: TestService;
  let app: FastifyInstance;
  let evaluation: string;
  beforeAll(async () => {
    service = await startService();
    app = service.app;
    const unanswerable = { id: 'z', text: 'no answer', answerable: false };
    await ask(app, 'PUT', '/v1/question-sets/s', {
      body: { questions: [...questions, unanswerable] },
    });
    await ask(app, 'PUT', '/v1/runs/good', { body: good });
    await ask(app, 'PUT', '/v1/runs/bad', { body: bad });
    evaluation = await evaluateRuns('s');
  });
  afterAll(() => service.close());

  async function evaluateRuns(questionSet: unknown, more: object = {}): Promise<string> {
    const { id } = await evaluate(app, {
      questionSet,
      configurations: [
        { name: 'good', backend: 'run', run: 'good' },
        { name: 'bad', backend: 'run', run: 'bad' },
      ],
      measures: ['RR', 'P@1'],
      ...more,
    });
    return id;
  }

  const compare = (body: object) => send(app, 'POST', '/v1/compare', { body });

  // By hand: RR is 1 against 1/2 on five questions and equal on one, so the mean difference is 5/12.
  // Of the 2^5 sign assignments two are as extreme: p = 2/32; the sign test of 5 of 5 says the same.
  it('pairs the questions scored in both and tests the difference', async () => {
    const answer = await compare({
      evaluation,
      baseline: 'bad',
      candidate: 'good',
      measure: 'mrr',
    });
    const found = answer.json<ComparisonAnswer>();

    expect(found).toMatchObject({
      measure: 'RR',
      questions: 6,
      excluded: { unanswerable: 1, failed: 0, onlyOneSide: 0 },
      wins: 5,
      losses: 0,
      ties: 1,
      verdict: 'better',
      tests: {
        randomization: { p: 2 / 32, exact: true },
        sign: { p: 2 / 32 },
        wilcoxon: { p: 2 / 32 },
      },
    });
    expect(found.means['baseline']).toBeCloseTo(3.5 / 6, 12);
    expect(found.meanDifference).toBeCloseTo(5 / 12, 12);
    expect(found.explanation).toContain('good beats bad on RR');
    expect(found.perQuestion.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
      'a win',
      'b win',
      'c win',
      'd win',
      'e win',
      'f tie',
    ]);
  });

  it('repeats itself for a seed', async () => {
    const request = { evaluation, baseline: 'bad', candidate: 'good', measure: 'RR', seed: 11 };
    const once = await compare(request);
    const twice = await compare(request);

    expect(once.json<ComparisonAnswer>().interval.seed).toBe(11);
    expect(twice.body).toBe(once.body);
  });

  it('adjusts a family of comparisons by Holm', async () => {
    const answer = await compare({
      evaluation,
      baseline: 'bad',
      candidates: ['good', 'bad'],
      measures: ['RR', 'P@1'],
    });
    const { comparisons } = answer.json<{ comparisons: ComparisonAnswer[] }>();

    expect(comparisons.map(({ measure, wins }) => [measure, wins])).toEqual([
      ['RR', 5],
      ['P@1', 5],
      ['RR', 0],
      ['P@1', 0],
    ]);
    // Holm over 2/32, 2/32, 1, 1: four times the smallest, and never falling.
    expect(comparisons.map(({ pAdjusted }) => pAdjusted)).toEqual([8 / 32, 8 / 32, 1, 1]);
  });

  it('compares runs of two evaluations over the questions that both asked', async () => {
    const sampled = await evaluateRuns('s', { sample: { size: 4, seed: 3 } });
    const answer = await compare({
      baseline: { evaluation, configuration: 'bad' },
      candidate: { evaluation: sampled, configuration: 'good' },
      measure: 'RR',
    });
    const { questions: paired, excluded } = answer.json<ComparisonAnswer>();

    expect(paired + excluded['unanswerable']!).toBe(4);
    expect(excluded['onlyOneSide']).toBe(3);
  });

  it('refuses runs over different contents of a question set', async () => {
    const judgments = [{ questionId: 'a', documentId: 'no', grade: 1 }];
    await ask(app, 'POST', '/v1/question-sets/s/judgments', { body: { judge: 'jo', judgments } });
    const later = await evaluateRuns('s');
    const answer = await compare({
      baseline: { evaluation, configuration: 'bad' },
      candidate: { evaluation: later, configuration: 'good' },
      measure: 'RR',
    });

    expect(answer.statusCode).toBe(409);
    expect(answer.json<{ detail: string }>().detail).toContain('rescore');
  });

  it.each([
    ['evaluation', { evaluation: 'nope' }],
    ['configuration', { candidate: 'nope' }],
  ])('answers 404 for an unknown %s', async (_name, change) => {
    const body = { evaluation, baseline: 'bad', candidate: 'good', measure: 'RR', ...change };
    const answer = await compare(body);

    expect(answer.statusCode).toBe(404);
  });
});
