import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startService, type TestService } from '../helpers/app.ts';
import { ask, evaluate } from '../helpers/client.ts';

let service: TestService;
let app: FastifyInstance;
let now = '2026-05-01T08:00:00.000Z';
beforeAll(async () => {
  service = await startService({ now: () => now });
  app = service.app;
  await ask(app, 'PUT', '/v1/question-sets/s', { body: { questions } });
});
afterAll(() => service.close());

/** Judged are what `search` found first, and what it finds later is not. */
const questions = Array.from({ length: 8 }, (_, index) => ({
  id: `q${index}`,
  text: `question ${index}`,
  kind: index < 4 ? 'code' : 'prose',
  process: 'p2p',
  language: 'de',
  split: index < 2 ? 'tuning' : 'held-out',
  user: 'anna',
  tags: [`t${index % 2}`],
  relevant: { old: 1 },
}));

/** An evaluation of the configuration `search` at a time, which returns one document. */
async function search(document: string, at: string, label?: string): Promise<string> {
  now = at;
  const rankings = Object.fromEntries(questions.map(({ id }) => [id, [{ documentId: document }]]));
  await ask(app, 'PUT', `/v1/runs/${document}`, { body: { rankings } });
  const configurations = [{ name: 'search', backend: 'run', run: document }];
  const body = { questionSet: 's', configurations, measures: ['P@1'], ...(label && { label }) };
  return (await evaluate(app, body)).id;
}

interface ComparisonAnswer {
  readonly explanation: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly slices: Readonly<Record<string, object>>;
  readonly perQuestion: readonly object[];
}

const compare = (baseline: string, candidate: string, more: object = {}) =>
  ask<ComparisonAnswer>(app, 'POST', '/v1/compare', {
    body: {
      baseline: { evaluation: baseline, configuration: 'search' },
      candidate: { evaluation: candidate, configuration: 'search' },
      measure: 'P@1',
      ...more,
    },
  });

describe('two evaluations of one configuration name', () => {
  it.each([
    [
      'days',
      undefined,
      undefined,
      '2026-05-03T08:00:00.000Z',
      'search of 2 May 2026',
      'search of 3 May 2026',
    ],
    [
      'times of a day',
      undefined,
      undefined,
      '2026-05-02T09:30:00.000Z',
      'search of 2 May 2026 at 08:00:00 UTC',
      'search of 2 May 2026 at 09:30:00 UTC',
    ],
    [
      'labels',
      'before',
      'after',
      '2026-05-03T08:00:00.000Z',
      'search of "before"',
      'search of "after"',
    ],
  ])('are told apart by their %s', async (_by, first, second, at, baseline, candidate) => {
    const ids = [
      await search('old', '2026-05-02T08:00:00.000Z', first),
      await search('new', at, second),
    ];
    const { explanation, warnings } = await compare(ids[0] ?? '', ids[1] ?? '');
    const body = { evaluations: ids, depth: 1, bias: true, measure: 'P@1' };
    const { bias } = await ask<{ bias: object[] }>(app, 'POST', '/v1/pool', { body });
    const poolBias = warnings.find(({ code }) => code === 'pool-bias');

    expect(explanation).toContain(candidate);
    expect(explanation).toContain(baseline);
    expect(poolBias?.message).toContain(`only ${candidate} has in its top 1`);
    expect(poolBias?.message).toContain(`of ${baseline} drops by 1.0000`);
    expect(JSON.stringify([explanation, poolBias])).not.toContain(ids[0]);
    expect(bias).toMatchObject([
      { evaluation: ids[0], configuration: 'search', name: baseline },
      { evaluation: ids[1], configuration: 'search', name: candidate },
    ]);
  });

  it('have their names alone where they are different', async () => {
    const id = await search('old', '2026-05-02T08:00:00.000Z');
    const body = { evaluation: id, depth: 1, bias: true, measure: 'P@1' };
    const { bias } = await ask<{ bias: object[] }>(app, 'POST', '/v1/pool', { body });

    expect(bias).toMatchObject([{ configuration: 'search', name: 'search' }]);
  });
});

describe('comparisons by attributes of questions', () => {
  it('have slices, and every attribute in the rows', async () => {
    const [old, other] = [
      await search('old', '2026-05-02T08:00:00.000Z'),
      await search('new', '2026-05-03T08:00:00.000Z'),
    ];
    const sliceBy = ['kind', 'process', 'language', 'user', 'split', 'tags'];
    const { slices, perQuestion } = await compare(old, other, { sliceBy });
    const whole = { wins: 0, meanDifference: -1 };

    expect(Object.keys(slices)).toEqual(sliceBy);
    expect(slices).toMatchObject({
      kind: { code: { ...whole, questions: 4 }, prose: { ...whole, questions: 4 } },
      process: { p2p: { ...whole, questions: 8 } },
      language: { de: { ...whole, questions: 8 } },
      user: { anna: { ...whole, questions: 8 } },
      split: { tuning: { ...whole, questions: 2 }, 'held-out': { ...whole, questions: 6 } },
      tags: { t0: { ...whole, questions: 4 }, t1: { ...whole, questions: 4 } },
    });
    expect(perQuestion).toContainEqual(
      expect.objectContaining({
        id: 'q1',
        kind: 'code',
        process: 'p2p',
        language: 'de',
        user: 'anna',
        split: 'tuning',
        tags: ['t1'],
      }),
    );
  });
});
