import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { ask, send, type EvaluationAnswer } from '../helpers/client.ts';
import { evaluateRanks, rankedQuestions, type Ranks } from '../helpers/runs.ts';

interface GateAnswer {
  readonly verdict: string;
  readonly detail: string;
  readonly baseline: { readonly name: string; readonly evaluation: string } | null;
  readonly configurations: readonly {
    readonly configuration: string;
    readonly verdict: string;
    readonly checks: readonly { readonly measure: string; readonly maxDrop: number }[];
    readonly obstacles: readonly { readonly code: string }[];
    readonly floors: readonly { readonly mean: number; readonly verdict: string }[];
    readonly rescoredBaseline?: number;
    readonly fellMost: readonly object[];
  }[];
}

const count = 20;
/** Twenty questions at rank 1, but for the first ones, whose ranks are given. */
const ranks = (first: Ranks, rest = 1): Ranks =>
  Array.from({ length: count }, (_, index) => first[index] ?? rest);

describe('the rules of a gate', () => {
  let app: FastifyInstance;
  beforeEach(async () => {
    app = await createTestApp();
    await putQuestions(rankedQuestions(count));
  });

  const putQuestions = (questions: readonly object[]) =>
    ask(app, 'PUT', '/v1/question-sets/s', { body: { questions } });

  async function evaluateGate(runs: Record<string, Ranks>, gate: object) {
    const evaluation = await evaluateRanks(app, runs, { gate });
    const { id } = evaluation;
    return { id, gate: (evaluation as EvaluationAnswer & { gate: GateAnswer }).gate };
  }

  async function putBaseline(): Promise<void> {
    const { id: evaluation } = await evaluateRanks(app, { base: ranks([]) });
    const body = { evaluation, configuration: 'base' };
    await ask(app, 'PUT', '/v1/baselines/main', { body });
  }

  // By hand: 18 ones and two halves have a mean of 0.95. An interval of 20 such values holds neither 0.5 nor 0.6.
  it.each([
    ['a mean that is reached', { minimum: 0.95, on: 'mean' }, ranks([2, 2]), 'pass'],
    ['a mean that is not', { minimum: 0.951, on: 'mean' }, ranks([2, 2]), 'fail'],
    ['an interval above the minimum', { minimum: 0.6 }, ranks([2, 2]), 'pass'],
    ['an interval around the minimum', { minimum: 0.95 }, ranks([2, 2]), 'inconclusive'],
    ['an interval below the minimum', { minimum: 0.9, on: 'interval' }, ranks([], 2), 'fail'],
  ])('decides %s without a baseline', async (_name, rule, run, verdict) => {
    const { gate } = await evaluateGate({ one: run }, { measure: 'RR', ...rule });

    expect(gate).toMatchObject({ verdict, baseline: null });
    expect(gate.configurations[0]).toMatchObject({ checks: [], obstacles: [], verdict });
    expect(gate.configurations[0]?.floors[0]?.mean).toBeCloseTo(
      run[0] === 2 && run[3] === 1 ? 0.95 : 0.5,
      12,
    );
    expect(gate.detail).toContain(`must be at least ${rule.minimum}`);
  });

  it('compares with another configuration of the evaluation', async () => {
    const runs = { old: ranks([]), new: ranks([], 2) };
    const rule = { baseline: { configuration: 'old' }, measure: 'RR', maxDrop: 0.02 };
    const { id, gate } = await evaluateGate(runs, rule);

    expect(gate).toMatchObject({ verdict: 'fail', baseline: { name: 'old', evaluation: id } });
    expect(gate.configurations.map(({ configuration }) => configuration)).toEqual(['new']);
  });

  it('has a rule of its own for each measure', async () => {
    const checks = [
      { measure: 'MRR', maxDrop: 0.6 },
      { measure: 'hit@1', maxDrop: 0.1 },
      { measure: 'RR', minimum: 0.4, on: 'mean' },
    ];
    const runs = { old: ranks([]), new: ranks([], 2) };
    const { gate } = await evaluateGate(runs, { baseline: { configuration: 'old' }, checks });
    const [decided] = gate.configurations;

    expect(decided?.checks).toMatchObject([
      { measure: 'RR', maxDrop: 0.6, verdict: 'pass' },
      { measure: 'hit@1', maxDrop: 0.1, verdict: 'fail' },
    ]);
    expect(decided?.floors).toMatchObject([{ measure: 'RR', minimum: 0.4, verdict: 'pass' }]);
    expect(gate.verdict).toBe('fail');
  });

  it.each([
    ['report', 'inconclusive', 'two is inconclusive: '],
    ['fail', 'fail', 'two is inconclusive, which this gate counts as failed: '],
    ['pass', 'pass', 'two is inconclusive, which this gate accepts: '],
  ])('can %s what is inconclusive', async (onInconclusive, verdict, sentence) => {
    await putBaseline();
    const rule = { baseline: 'main', measure: 'RR', maxDrop: 0.02, onInconclusive };
    const { gate } = await evaluateGate({ two: ranks([2, 2]) }, rule);

    expect(gate.verdict).toBe(verdict);
    expect(gate.detail).toContain(sentence);
  });

  it('accepts a baseline that does not exist yet, and says so', async () => {
    const rule = { baseline: 'main', missingBaseline: 'pass', measure: 'RR', maxDrop: 0.02 };
    const { gate } = await evaluateGate({ one: ranks([]) }, rule);
    const checks = [
      { measure: 'RR', maxDrop: 0.02 },
      { measure: 'RR', minimum: 1.5, on: 'mean' },
    ];
    const floored = await evaluateGate(
      { one: ranks([]) },
      { baseline: 'main', missingBaseline: 'pass', checks },
    );

    expect(gate).toMatchObject({ verdict: 'pass', baseline: null, missingBaseline: 'main' });
    expect(gate.detail).toBe(
      "one passes: baseline 'main' does not exist yet, which the gate accepts.",
    );
    expect(floored.gate.verdict).toBe('fail');
  });

  // By hand: with document `no0` relevant too, RR of q01 is 1 at rank 2 of `yes` as well.
  it('scores the baseline with the judgments of this version where nothing else changed', async () => {
    await putBaseline();
    const judgments = [{ questionId: 'q01', documentId: 'no0', grade: 1 }];
    await ask(app, 'POST', '/v1/question-sets/s/judgments', { body: { judge: 'jo', judgments } });
    const rule = { baseline: 'main', measure: 'RR', maxDrop: 0.3 };
    const { gate } = await evaluateGate({ one: ranks([2, 2]) }, rule);
    const [decided] = gate.configurations;

    expect(decided).toMatchObject({ obstacles: [], rescoredBaseline: 2, verdict: 'pass' });
    expect(decided?.checks[0]).toMatchObject({ means: { baseline: 1, candidate: 0.975 } });
    expect(gate.detail).toContain('scored with the judgments of version 2');
  });

  it.each([
    ['another text', rankedQuestions(count).map((each) => ({ ...each, text: `${each.text}?` }))],
    ['another question', rankedQuestions(count + 1)],
    ['fewer questions', rankedQuestions(count - 1)],
  ])('does not compare with a baseline of %s', async (_name, questions) => {
    await putBaseline();
    await putQuestions(questions);
    const rule = { baseline: 'main', measure: 'RR', maxDrop: 0.02 };
    const { gate } = await evaluateGate({ one: ranks([]) }, rule);

    expect(gate.verdict).toBe('inconclusive');
    expect(gate.configurations[0]?.obstacles).toMatchObject([{ code: 'question-set-changed' }]);
  });

  it('names the ten questions that fell most, with ranks and text', async () => {
    await putBaseline();
    const run = ranks([2, 0, 3, 1, ...Array.from({ length: 9 }, () => 4)]);
    const rule = { baseline: 'main', measure: 'RR', maxDrop: 0.02 };
    const { id, gate } = await evaluateGate({ one: run }, rule);
    const fallen = gate.configurations[0]?.fellMost ?? [];
    const report = await app.inject(`/v1/eval/${id}/report?format=markdown`);

    expect(fallen).toHaveLength(10);
    expect(fallen.slice(0, 2)).toEqual([
      {
        id: 'q02',
        text: 'question 2',
        measure: 'RR',
        baseline: 1,
        candidate: 0,
        firstRelevantRank: { baseline: 1, candidate: null },
      },
      {
        id: 'q05',
        text: 'question 5',
        measure: 'RR',
        baseline: 1,
        candidate: 0.25,
        firstRelevantRank: { baseline: 1, candidate: 4 },
      },
    ]);
    expect(report.body).toContain('| q02 | question 2 | 1.0000 | 0.0000 | 1 | none |');
  });

  it.each([
    ['no rule', { baseline: 'main', measure: 'RR' }, '/body/gate/maxDrop'],
    ['two rules', { baseline: 'm', measure: 'RR', maxDrop: 0, minimum: 0 }, '/body/gate/minimum'],
    ['no baseline', { measure: 'RR', maxDrop: 0.1 }, '/body/gate/baseline'],
    ['a baseline for a floor', { baseline: 'm', measure: 'RR', minimum: 0 }, '/body/gate/baseline'],
    [
      'checks beside a rule',
      { checks: [{ measure: 'RR', minimum: 0 }], maxDrop: 0 },
      '/body/gate/maxDrop',
    ],
    ['a check of nothing', { checks: [{ measure: 'RR' }] }, '/body/gate/checks/0/maxDrop'],
    [
      'an unknown measure',
      { checks: [{ measure: 'RRR@', minimum: 0 }] },
      '/body/gate/checks/0/measure',
    ],
    [
      'a side without a floor',
      { baseline: 'm', measure: 'RR', maxDrop: 0, on: 'mean' },
      '/body/gate/on',
    ],
    [
      'an unknown configuration',
      { baseline: { configuration: 'x' }, measure: 'RR', maxDrop: 0 },
      '/body/gate/baseline/configuration',
    ],
    [
      'the only configuration',
      { baseline: { configuration: 'one' }, measure: 'RR', maxDrop: 0 },
      '/body/gate/baseline/configuration',
    ],
    ['an unknown baseline', { baseline: 'm', measure: 'RR', maxDrop: 0 }, '/body/gate/baseline'],
  ])('refuses %s', async (_name, gate, pointer) => {
    await evaluateRanks(app, { one: ranks([]) });
    const configurations = [{ name: 'one', backend: 'run', run: 'one' }];
    const answer = await send(app, 'POST', '/v1/eval', {
      body: { questionSet: 's', configurations, gate },
    });

    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ errors: object[] }>().errors[0]).toMatchObject({ pointer });
  });
});
