import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startService, type TestService } from '../helpers/app.ts';
import { ask, evaluate, send, type EvaluationAnswer } from '../helpers/client.ts';

let service: TestService;
let app: FastifyInstance;
let evaluation: EvaluationAnswer;
beforeAll(async () => {
  service = await startService();
  app = service.app;
  await ask(app, 'PUT', '/v1/question-sets/s', { body: { questions } });
  await ask(app, 'PUT', '/v1/runs/main', { body: { rankings: toRankings(['u', 'yes', 'no']) } });
  await ask(app, 'PUT', '/v1/runs/other', { body: { rankings: toRankings(['u', 'no', 'yes']) } });
  evaluation = await evaluate(app, request);
});
afterAll(() => service.close());

/** Judged: yes 1, no 0. u is unjudged. */
const questions = Array.from({ length: 12 }, (_, index) => ({
  id: `q${index}`,
  text: `question ${index}`,
  kind: index < 6 ? 'code' : 'prose',
  relevant: { yes: 1, no: 0 },
}));
const toRankings = (ids: readonly string[]) =>
  Object.fromEntries(questions.map(({ id }) => [id, ids.map((documentId) => ({ documentId }))]));
const configurations = ['main', 'other'].map((name) => ({ name, backend: 'run', run: name }));
const request = {
  questionSet: 's',
  configurations,
  measures: ['RR', 'RR(judged_only=True)', 'nDCG@3(judged)', 'P(judged)@1'],
  sliceBy: ['kind'],
  intervals: true,
  bounds: true,
  gate: { baseline: { configuration: 'main' }, measure: 'RR(judged)', maxDrop: 0.1 },
};

// By hand. main without u: yes, no; other without u: no, yes. nDCG of yes at rank 2 is 1 / log2 3.
const judged = {
  main: { RR: 1 / 2, 'RR(judged)': 1, 'nDCG(judged)@3': 1, 'P(judged)@1': 1 },
  other: { RR: 1 / 3, 'RR(judged)': 1 / 2, 'nDCG(judged)@3': 1 / Math.log2(3), 'P(judged)@1': 0 },
};

describe('measures of judged documents only', () => {
  it('are in the scorecard and its slices, under their canonical names', () => {
    const [main, other] = evaluation.scorecard;

    expect(main?.measures).toMatchObject(judged.main);
    expect(other?.measures).toMatchObject(judged.other);
    expect(other?.slices['kind']?.['prose']).toMatchObject({
      questions: 6,
      measures: judged.other,
    });
    expect(main?.warnings.map(({ code }) => code)).not.toContain('perfect-mean');
  });

  it('have intervals, but no bounds for unjudged documents', () => {
    const [row] = evaluation.scorecard as unknown as readonly {
      intervals: Record<string, unknown>;
      bounds: Record<string, unknown>;
    }[];

    expect(row?.intervals).toHaveProperty(['RR(judged)']);
    expect(Object.keys(row?.bounds ?? {})).toEqual(['RR']);
  });

  it('decide gates', async () => {
    const { gate } = await ask<{ gate: { verdict: string; detail: string } }>(
      app,
      'GET',
      `/v1/eval/${evaluation.id}`,
    );

    expect(gate.verdict).toBe('fail');
    expect(gate.detail).toContain('RR(judged)');
  });

  it('are compared', async () => {
    const body = { evaluation: evaluation.id, baseline: 'main', candidate: 'other' };
    const answer = await ask<Record<string, unknown>>(app, 'POST', '/v1/compare', {
      body: { ...body, measure: 'RR(judged)', sliceBy: ['kind'] },
    });

    expect(answer).toMatchObject({
      measure: 'RR(judged)',
      means: { baseline: 1, candidate: 0.5 },
      meanDifference: -0.5,
      verdict: 'worse',
    });
  });

  it.each([
    [
      'of questions',
      'questions?configuration=other&limit=1',
      ['items', 0, 'measures', 'RR(judged)'],
    ],
    [
      'of all questions',
      'questions?limit=1',
      ['items', 0, 'configurations', 'other', 'measures', 'RR(judged)'],
    ],
    [
      'of depths',
      'depth-curve?configuration=other&measure=RR(judged)&depth=3',
      ['curves', 0, 'kept', 'values', 2],
    ],
    ['of quality and speed', 'pareto?measure=RR(judged)', ['configurations', 1, 'quality']],
  ])('are in the tables %s', async (_table, path, place) => {
    const answer = await ask<object>(app, 'GET', `/v1/eval/${evaluation.id}/${path}`);

    expect(answer).toHaveProperty(place, 0.5);
  });

  it.each(['markdown', 'html', 'csv', 'junit'])('are in the report as %s', async (format) => {
    const answer = await app.inject(`/v1/eval/${evaluation.id}/report?format=${format}`);

    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('nDCG(judged)@3');
  });

  it('are computed again from stored rankings', async () => {
    const again = await ask<EvaluationAnswer>(app, 'POST', `/v1/eval/${evaluation.id}/rescore`, {
      body: { measures: ['map(judged)'] },
      headers: { prefer: 'wait=60' },
    });

    expect(again.scorecard[1]?.measures).toMatchObject({ 'AP(judged)': 0.5 });
  });

  it('show the bias of a pool', async () => {
    const body = { evaluation: evaluation.id, depth: 3, bias: true, measure: 'RR(judged)' };
    const { bias } = await ask<{ bias: unknown }>(app, 'POST', '/v1/pool', { body });

    expect(JSON.stringify(bias)).toContain('"mean":0.5');
  });

  it('cannot order a pool by impact, which is said', async () => {
    const body = { evaluation: evaluation.id, depth: 3, order: 'impact', pair: ['main', 'other'] };
    const answer = await send(app, 'POST', '/v1/pool', {
      body: { ...body, measure: 'RR(judged)' },
    });

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toEqual([
      { pointer: '/body/measure', detail: expect.stringContaining('without (judged)') },
    ]);
  });

  it('say where a ranking was cut before k judged documents', async () => {
    const [row] = (
      await evaluate(app, {
        ...request,
        gate: undefined,
        configurations: [{ name: 'cut', backend: 'run', run: 'main', depth: 2 }],
        measures: ['P(judged)@1', 'P(judged)@2'],
      })
    ).scorecard;

    expect(row?.warnings).toContainEqual(
      expect.objectContaining({
        code: 'cut-ranking',
        questions: 12,
        message: expect.stringContaining('but P(judged)@2 would look further'),
      }),
    );
  });

  it('are in the catalogue', async () => {
    const { items } = await ask<{
      items: readonly { name: string; judgedForm: string | null }[];
    }>(app, 'GET', '/v1/measures');
    const forms = Object.fromEntries(items.map(({ name, judgedForm }) => [name, judgedForm]));

    expect(forms).toMatchObject({
      nDCG: 'nDCG(judged), nDCG(judged)@k',
      RBP: 'RBP(p,judged), RBP(p,rel=n,judged)',
      bpref: null,
      judged: null,
    });
  });
});
