import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { equivalenceTest } from '../../src/ir/statistics/equivalence.ts';
import { effectSizeInterval } from '../../src/ir/statistics/effect-size-interval.ts';
import { summarizeDifferences } from '../../src/ir/statistics/differences.ts';
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
  readonly effectSizeInterval: object;
  readonly equivalence?: object;
  readonly bounds?: object | null;
  readonly warnings: readonly { readonly code: string; readonly questions: number }[];
  readonly perQuestion: readonly { readonly id: string; readonly outcome: string }[];
}

interface Named {
  readonly configuration: string;
}

/** Six questions whose answer stands first in the good run, second in the bad one, except for the last. */
const questions = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({
  id,
  text: `question ${id}`,
  relevant: { yes: 1 },
}));
const first = [{ documentId: 'yes' }, { documentId: 'no' }];
const second = [{ documentId: 'no' }, { documentId: 'yes' }];
const top = (...ids: string[]) => ids.map((documentId) => ({ documentId }));
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
  const plan = (body: object) => send(app, 'POST', '/v1/power', { body });

  async function compareNew(
    name: string,
    runs: { readonly old: object; readonly new: object },
    relevant: object,
  ): Promise<ComparisonAnswer> {
    const set = ['a', 'b'].map((id) => ({ id, text: id, relevant }));
    await ask(app, 'PUT', `/v1/question-sets/${name}`, { body: { questions: set } });
    await ask(app, 'PUT', `/v1/runs/${name}-old`, { body: run(runs.old as never) });
    await ask(app, 'PUT', `/v1/runs/${name}-new`, { body: run(runs.new as never) });
    const configurations = ['old', 'new'].map((side) => {
      return { name: side, backend: 'run', run: `${name}-${side}` };
    });
    const { id } = await evaluate(app, { questionSet: name, configurations, measures: ['P@2'] });
    const sides = { evaluation: id, baseline: 'old', candidate: 'new' };
    return (await compare({ ...sides, measure: 'P@2' })).json<ComparisonAnswer>();
  }

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
      // The interval excludes zero, the randomization test does not confirm it.
      verdict: 'inconclusive',
      tests: {
        randomization: { p: 2 / 32, exact: true },
        sign: { p: 2 / 32 },
        wilcoxon: { p: 2 / 32 },
      },
    });
    expect(found.means['baseline']).toBeCloseTo(3.5 / 6, 12);
    expect(found.meanDifference).toBeCloseTo(5 / 12, 12);
    expect(found.explanation).toContain('good and bad cannot be told apart on RR');
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

  // The set has 7 questions, one of them without answer: a sample of 4 leaves 3 out, as the test before shows.
  it('says in its sentence what it left out, and why', async () => {
    const whole = await compare({ evaluation, baseline: 'bad', candidate: 'good', measure: 'RR' });
    const sampled = await evaluateRuns('s', { sample: { size: 4, seed: 3 } });
    const sides = {
      baseline: { evaluation, configuration: 'bad' },
      candidate: { evaluation: sampled, configuration: 'good' },
    };
    const part = await compare({ ...sides, measure: 'RR' });

    expect(whole.json<ComparisonAnswer>().explanation).toMatch(
      /\. 1 more question is excluded: 1 without an answer to find\.$/,
    );
    expect(part.json<ComparisonAnswer>().explanation).toContain('3 contained in only one run');
  });

  it('says how many questions an evaluation that was cancelled never asked', async () => {
    const cancelled = await evaluateRuns('s');
    await service.db
      .updateTable('evaluation')
      .set({ status: 'cancelled' })
      .where('id', '=', cancelled)
      .execute();
    await service.db
      .deleteFrom('outcome')
      .where('evaluation_id', '=', cancelled)
      .where('configuration', '=', 1)
      .where('question', '>', 1)
      .execute();
    const sides = { evaluation: cancelled, baseline: 'bad', candidate: 'good' };
    const answer = await compare({ ...sides, measure: 'RR' });

    expect(answer.json()).toMatchObject({
      questions: 2,
      excluded: { onlyOneSide: 5 },
      warnings: [
        {
          code: 'unsearched-questions',
          side: 'baseline',
          questions: 5,
          message: expect.stringContaining('ended with status cancelled: 5 of 7 questions'),
        },
      ],
    });
  });

  it('counts a candidate and a measure once, however often they are named', async () => {
    const answer = await compare({
      evaluation,
      baseline: 'bad',
      candidates: ['good', { evaluation, configuration: 'good' }],
      measures: ['RR', 'MRR', 'P@1'],
    });
    const { comparisons } = answer.json<{ comparisons: ComparisonAnswer[] }>();

    expect(comparisons.map(({ measure }) => measure)).toEqual(['RR', 'P@1']);
  });

  describe('what labels still missing could change', () => {
    const both = { baseline: 'bad', candidate: 'good', bounds: true };
    const boundsOn = async (measure: string) => {
      const answer = await compare({ evaluation, ...both, measure });
      return answer.json<ComparisonAnswer>().bounds;
    };

    // By hand: on five questions `good` has the answer first, `bad` the unjudged document. It is relevant or not.
    it('bounds the mean difference', async () => {
      expect(await boundsOn('P@1')).toMatchObject({
        low: 0,
        high: 5 / 6,
        decided: false,
        decision: 'undecided',
        highestGrade: 1,
      });
    });

    it('says when no label can change the sign', async () => {
      const found = await boundsOn('P@2');

      expect(found).toMatchObject({ low: 0, high: 0, decided: true, decision: 'equal' });
      expect(found).toMatchObject({ explanation: expect.stringContaining('the same mean P@2') });
    });

    it('has none for a measure without exact bounds, and none unasked', async () => {
      const plain = await compare({ evaluation, ...both, bounds: undefined, measure: 'P@1' });

      expect(await boundsOn('AP')).toBeNull();
      expect(plain.json()).not.toHaveProperty('bounds');
    });
  });

  it('gives the effect size an interval, and tests equivalence when asked', async () => {
    const sides = { evaluation, baseline: 'bad', candidate: 'good', measure: 'RR' };
    const answer = await compare({ ...sides, confidence: 0.9, equivalence: { margin: 0.7 } });
    const found = answer.json<ComparisonAnswer>();
    const summary = summarizeDifferences([0.5, 0.5, 0.5, 0.5, 0.5, 0]);

    expect(found.effectSizeInterval).toEqual(effectSizeInterval(summary, 0.9));
    expect(found.equivalence).toMatchObject(equivalenceTest(summary, { margin: 0.7, alpha: 0.05 }));
    expect(found.equivalence).toMatchObject({
      equivalent: true,
      strength: 'usual',
      isIdentical: false,
      questionsNeeded: 3,
    });
  });

  describe('all pairs of an evaluation', () => {
    const third = {
      configurations: [
        { name: 'good', backend: 'run', run: 'good' },
        { name: 'bad', backend: 'run', run: 'bad' },
        { name: 'again', backend: 'run', run: 'good' },
      ],
    };

    it('compares each two once, with Holm over all', async () => {
      const id = await evaluateRuns('s', third);
      const answer = await compare({ evaluation: id, pairs: 'all', measures: ['RR'] });
      const { comparisons } = answer.json<{
        comparisons: (ComparisonAnswer & Record<'baseline' | 'candidate', Named>)[];
      }>();

      expect(
        comparisons.map(({ baseline, candidate, wins, losses, pAdjusted }) => [
          baseline.configuration,
          candidate.configuration,
          wins - losses,
          pAdjusted,
        ]),
      ).toEqual([
        ['good', 'bad', -5, 6 / 32],
        ['good', 'again', 0, 1],
        ['bad', 'again', 5, 6 / 32],
      ]);
    });

    it.each([
      [{ evaluation: undefined }, '/body/evaluation'],
      [{ baseline: 'good' }, '/body/baseline'],
      [{ pairs: 'some' }, '/body/pairs'],
      [{ equivalence: { margin: 0 } }, '/body/equivalence/margin'],
    ])('refuses %j', async (change, pointer) => {
      const body = { evaluation, pairs: 'all', measures: ['RR'], ...change };
      const answer = await compare(body);

      expect(answer.statusCode).toBe(400);
      expect(answer.json<{ errors: object[] }>().errors).toContainEqual(
        expect.objectContaining({ pointer }),
      );
    });

    it('refuses an evaluation of one configuration', async () => {
      const configurations = [{ name: 'good', backend: 'run', run: 'good' }];
      const id = await evaluateRuns('s', { configurations });
      const answer = await compare({ evaluation: id, pairs: 'all', measure: 'RR' });

      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ errors: [{ pointer: '/body/pairs' }] });
    });
  });

  describe('warnings', () => {
    // By hand: x is a document that only `old` brings, and is judged; w one of `new` that nobody looked at.
    // P@2 of `old` is 1 and 1/2, and 1/2 and 1/2 without the judgment of x.
    it('says when one side was never pooled, and what that may be worth', async () => {
      const runs = {
        old: { a: top('x', 'yes'), b: top('yes') },
        new: { a: top('w', 'yes'), b: top('yes') },
      };
      const { warnings } = await compareNew('pooled', runs, { yes: 1, x: 1 });

      expect(warnings).toMatchObject([
        { code: 'pool-bias', side: 'candidate', questions: 1, scoreDrop: 0.25, fall: 0.25 },
      ]);
    });

    // By hand: of three equal scores the answer may stand first to third, so P@2 on a is 1/2 or 0.
    it('says when equal scores could have come in another order', async () => {
      const tied = ['no', 'yes', 'n2'].map((documentId) => ({ documentId, score: 3 }));
      const runs = { old: { a: tied, b: top('yes') }, new: { a: top('yes'), b: top('yes') } };
      const { warnings } = await compareNew('tied', runs, { yes: 1, no: 0, n2: 0 });

      expect(warnings).toMatchObject([
        { code: 'tied-scores', side: 'baseline', questions: 1, worst: 0.25, best: 0.5 },
      ]);
    });

    it('has none where every document in the top is judged and no score is equal', async () => {
      const runs = { old: { a: top('yes', 'no') }, new: { a: top('yes') } };
      const { warnings } = await compareNew('plain', runs, { yes: 1, no: 0 });

      expect(warnings).toEqual([]);
    });
  });

  describe('POST /v1/power', () => {
    // 34 questions for dz = 0.5 at power 0.8 and alpha 0.05: Cohen's table, and docs/statistics.md.
    it('says how many questions a difference needs', async () => {
      const answer = await plan({ sd: 0.3, difference: 0.15 });

      expect(answer.json()).toEqual({
        n: null,
        sd: 0.3,
        source: 'given',
        power: 0.8,
        alpha: 0.05,
        minimumDetectableDifference: null,
        difference: 0.15,
        questionsNeeded: 34,
      });
    });

    it('takes spread and number from two runs, as their comparison does', async () => {
      const sides = { evaluation, baseline: 'bad', candidate: 'good', measure: 'RR' };
      const compared = (await compare(sides)).json<{ minimumDetectableDifference: number }>();
      const found = (await plan(sides)).json<Record<string, number>>();

      expect(found).toMatchObject({ n: 6, source: 'comparison', questionsNeeded: null });
      expect(found['sd']).toBeCloseTo(Math.sqrt((5 * (1 / 12) ** 2 + (5 / 12) ** 2) / 5), 12);
      expect(found['minimumDetectableDifference']).toBeCloseTo(
        compared.minimumDetectableDifference,
        12,
      );
    });

    it.each([
      [{ n: 10 }, '/body/sd'],
      [{ sd: 0.3 }, '/body/n'],
      [{ sd: 0.3, n: 1 }, '/body/n'],
      [{ baseline: 'bad', candidate: 'good' }, '/body/measure'],
      [{ baseline: 'bad', candidate: 'good', measure: 'RR', sd: 1 }, '/body/sd'],
      [{ baseline: 'bad', candidate: 'good', measure: 'RR' }, '/body/baseline'],
    ])('refuses %j', async (body, pointer) => {
      const answer = await plan(body);

      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ errors: [{ pointer }] });
    });

    it('refuses runs that never differ', async () => {
      const sides = { evaluation, baseline: 'good', candidate: 'good', measure: 'RR' };
      const answer = await plan(sides);

      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ errors: [{ pointer: '/body/measure' }] });
    });
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
    ['evaluation', { evaluation: 'nope' }, "Evaluation 'nope' does not exist"],
    ['configuration', { candidate: 'nope' }, "has no configuration 'nope'"],
  ])('answers 404 for an unknown %s', async (_name, change, detail) => {
    const body = { evaluation, baseline: 'bad', candidate: 'good', measure: 'RR', ...change };
    const answer = await compare(body);

    expect(answer.statusCode).toBe(404);
    expect(answer.json<{ detail: string }>().detail).toContain(detail);
  });
});
