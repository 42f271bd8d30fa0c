import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { ask, evaluate, send, type EvaluationAnswer, type RowAnswer } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';

/** One question of each kind. By hand, RR of `first`: a 1, b 1/2, c 0 (judged only 0), f 0 (not in the run). */
const questions = [
  { id: 'a', text: 'a', kind: 'x', relevant: { D1: 1 } },
  { id: 'b', text: 'b', kind: 'x', relevant: { D2: 1 } },
  { id: 'c', text: 'c', kind: 'y', relevant: { D3: 0 } },
  { id: 'd', text: 'd', kind: 'z' },
  { id: 'e', text: 'e', kind: 'z', answerable: false },
  { id: 'f', text: 'f', kind: 'y', relevant: { D6: 1 } },
];
const rankings = {
  first: { a: ['D1', 'D8'], b: ['D9', 'D2'], c: ['D3', 'D1'], d: ['D4', 'D5'], e: ['D1'] },
  second: { a: ['D9', 'D1'], b: ['D2'], c: ['D3'], d: ['D4'], e: ['D1'], f: ['D6'] },
};
const runs = Object.keys(rankings).map((run) => ({ name: run, backend: 'run', run }));
const request = { questionSet: 'u', configurations: runs, measures: ['RR', 'judged@2'] };

interface Answer extends EvaluationAnswer {
  readonly average: string;
  readonly gate: { readonly configurations: readonly { checks: object[] }[] } | null;
  readonly scorecard: readonly (RowAnswer & {
    readonly average: string;
    readonly averagedQuestions: number;
  })[];
}

describe.each(databaseKinds)('questions without a judgment on %s', (kind) => {
  let app: FastifyInstance;
  beforeEach(async () => {
    app = await createTestApp({ databaseUrl: await createDatabase(kind) });
    await ask(app, 'PUT', '/v1/question-sets/u', { body: { questions } });
    for (const [name, lists] of Object.entries(rankings)) {
      const entries = Object.entries(lists).map(([id, ids]) => [
        id,
        ids.map((documentId) => ({ documentId })),
      ]);
      const body = { rankings: Object.fromEntries(entries) };
      await ask(app, 'PUT', `/v1/runs/${name}`, { body });
    }
  });

  const run = (more: object = {}) => evaluate(app, { ...request, ...more }) as Promise<Answer>;
  const judge = (judgments: object[]) =>
    ask(app, 'POST', '/v1/question-sets/u/judgments', { body: { judge: 'jo', judgments } });
  const get = (url: string) => ask<{ items: object[] }>(app, 'GET', url);
  const listOf = async (average: string) => {
    const { id } = await run({ average });
    const { items } = await get(`/v1/eval/${id}/questions?configuration=first`);
    return items;
  };
  const compare = async (average: string) => {
    const { id } = await run({ average });
    const body = {
      evaluation: id,
      baseline: 'first',
      candidate: 'second',
      measure: 'RR',
      bounds: true,
    };
    return ask<Record<string, unknown>>(app, 'POST', '/v1/compare', { body });
  };
  const rescore = (id: string, body: object = {}) =>
    ask<Answer>(app, 'POST', `/v1/eval/${id}/rescore`, { body, headers: { prefer: 'wait=60' } });

  it.each([
    { average: undefined, rule: 'labelled', averagedQuestions: 4, RR: 1.5 / 4 },
    { average: 'labelled', rule: 'labelled', averagedQuestions: 4, RR: 1.5 / 4 },
    { average: 'answerable', rule: 'answerable', averagedQuestions: 3, RR: 1.5 / 3 },
    { average: 'set', rule: 'set', averagedQuestions: 5, RR: 1.5 / 5 },
  ])('are averaged by the rule $average', async ({ average, rule, averagedQuestions, RR }) => {
    const evaluation = await run({ average, sliceBy: ['kind'], intervals: true, bounds: true });
    const [row] = evaluation.scorecard;

    expect(evaluation).toMatchObject({ status: 'succeeded', average: rule });
    expect(row).toMatchObject({ average: rule, averagedQuestions, measures: { RR } });
    expect(row?.questions).toEqual({
      scored: 4,
      empty: 1,
      failed: 0,
      unanswerable: 1,
      unlabelled: 1,
    });
    const counts = Object.entries(row?.slices['kind'] ?? {}).map(([name, each]) => [
      name,
      each.questions,
    ]);
    expect(Object.fromEntries(counts)).toEqual({
      x: 2,
      y: rule === 'answerable' ? 1 : 2,
      ...(rule === 'set' && { z: 1 }),
    });
    const warning = row?.warnings.find(({ code }) => code === 'unlabelled-questions');
    expect(warning).toMatchObject({ questions: 1, message: expect.stringContaining(' d: ') });
    expect(warning?.message).toContain(rule === 'set' ? 'count as 0' : 'excluded from all means');
    // Where no missing label is a relevant one, the mean stays what it is.
    expect(row).toMatchObject({
      bounds: { RR: { low: RR } },
      intervals: { RR: { low: expect.any(Number) } },
    });
  });

  it('are counted by the score curve, and are in no point of it', async () => {
    const body = {
      rankings: {
        a: [{ documentId: 'D1', score: 3 }],
        d: [{ documentId: 'D4', score: 9 }],
        e: [{ documentId: 'D1', score: 1 }],
      },
    };
    await ask(app, 'PUT', '/v1/runs/scored', { body });
    const configurations = [{ name: 'scored', backend: 'run', run: 'scored' }];
    const { id } = await run({ configurations });
    const curve = await ask<object>(
      app,
      'GET',
      `/v1/eval/${id}/score-curve?configuration=scored&points=10`,
    );

    // By hand: a and, without hits, b, c and f are answerable; the hit of d with its 9 is in no point.
    expect(curve).toMatchObject({
      questions: { answerable: 4, unanswerable: 1, unscored: 0, unlabelled: 1 },
      curve: [
        { minScore: 1, relevant: 1, unjudged: 1 },
        { minScore: 3, relevant: 1, unjudged: 0 },
      ],
    });
  });

  it('are not what a question becomes when a judge takes its last relevant document away', async () => {
    const verdict = { questionId: 'a', documentId: 'D1', grade: 0 };
    const saved = await judge([verdict]);
    const evaluation = await run();
    const [row] = evaluation.scorecard;

    expect(saved).toMatchObject({
      version: 2,
      changed: 1,
      warnings: [{ code: 'no-relevant-document', questions: 1 }],
    });
    // By hand: a 0, b 1/2, c 0, f 0.
    expect(row).toMatchObject({ averagedQuestions: 4, measures: { RR: 0.5 / 4 } });
    expect(row?.questions).toMatchObject({ scored: 4, unlabelled: 1 });
  });

  it('refuses another rule', async () => {
    const body = { ...request, average: 'all' };
    const answer = await send(app, 'POST', '/v1/eval', { body });

    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ pointer: '/body/average' }] });
  });

  it('are listed with their ranking, and with values only where a mean has them', async () => {
    const unlabelled = {
      id: 'd',
      status: 'unlabelled',
      ranking: [{ documentId: 'D4', grade: null }, { documentId: 'D5' }],
    };
    const [labelled, answerable, set] = [
      await listOf('labelled'),
      await listOf('answerable'),
      await listOf('set'),
    ];

    expect(labelled).toMatchObject([
      { id: 'a', status: 'scored', measures: { RR: 1 } },
      { id: 'b', status: 'scored', measures: { RR: 0.5 } },
      { id: 'c', status: 'scored', measures: { RR: 0 } },
      unlabelled,
      { id: 'e', status: 'unanswerable' },
      { id: 'f', status: 'empty', measures: { RR: 0 } },
    ]);
    expect(labelled[3]).toMatchObject({ measures: {} });
    expect(answerable[2]).toMatchObject({ status: 'scored', measures: {} });
    expect(set[3]).toMatchObject({ status: 'unlabelled', measures: { RR: 0, 'judged@2': 0 } });
  });

  it('are in no comparison, whatever the rule, and the sentence counts them', async () => {
    const labelled = await compare('labelled');
    const answerable = await compare('answerable');
    const set = await compare('set');

    // a 1 and 1/2, b 1/2 and 1, c 0 and 0, f 0 and 1.
    expect(labelled).toMatchObject({
      questions: 4,
      means: { baseline: 1.5 / 4, candidate: 2.5 / 4 },
      excluded: { unanswerable: 1, unlabelled: 1, failed: 0, onlyOneSide: 0 },
    });
    expect(labelled['explanation']).toContain(
      '2 more questions are excluded: 1 without a judgment, 1 without an answer to find.',
    );
    expect(answerable).toMatchObject({
      questions: 3,
      means: { baseline: 1.5 / 3, candidate: 2.5 / 3 },
      excluded: { unlabelled: 1, withoutRelevant: 1 },
    });
    expect(answerable['explanation']).toContain('1 without a relevant document');
    expect(set).toMatchObject({ questions: 4, excluded: { unlabelled: 1 } });
    expect(set['bounds']).toEqual(labelled['bounds']);
  });

  it('are in no check of a gate', async () => {
    const before = await run();
    const baseline = { evaluation: before.id, configuration: 'first' };
    await ask(app, 'PUT', '/v1/baselines/main', { body: baseline });
    const gate = { baseline: 'main', measure: 'RR', maxDrop: 0.02 };
    const { gate: decided } = await run({ average: 'set', configurations: runs.slice(0, 1), gate });

    expect(decided?.configurations[0]?.checks[0]).toMatchObject({ questions: 4 });
  });

  it('come first in the pool, and are outside its coverage', async () => {
    const { id, scorecard } = await run();
    const pool = (more: object) =>
      ask<{ questions: { id: string; documents: { documentId: string }[] }[] }>(
        app,
        'POST',
        '/v1/pool',
        { body: { evaluation: id, depth: 2, ...more } },
      );
    const ranked = await pool({});
    const byImpact = await pool({ order: 'impact', pair: ['first', 'second'], measure: 'RR' });
    const [first] = ranked.questions;

    expect(first?.id).toBe('d');
    expect(first?.documents.map(({ documentId }) => documentId)).toEqual(['D4', 'D5']);
    expect(ranked.questions.map((each) => each.id)).toEqual(['d', 'a', 'b', 'c']);
    expect(ranked).toMatchObject({
      unlabelled: 1,
      coverage: { first: scorecard[0]?.measures['judged@2'] },
    });
    expect(byImpact.questions[0]?.id).toBe('d');
    expect(byImpact.questions.map((each) => each.id).toSorted()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('become scored in a rescore once labels arrive, by the rule of the source', async () => {
    const labelled = await run();
    const set = await run({ average: 'set' });
    await judge([{ questionId: 'd', documentId: 'D4', grade: 1 }]);
    const [again, ofSet, other] = [
      await rescore(labelled.id),
      await rescore(set.id),
      await rescore(labelled.id, { average: 'answerable' }),
    ];

    expect(again).toMatchObject({
      average: 'labelled',
      scorecard: [
        { questions: { scored: 5, unlabelled: 0 }, measures: { RR: 2.5 / 5 } },
        { measures: { RR: 3.5 / 5 } },
      ],
    });
    expect(ofSet).toMatchObject({ average: 'set', scorecard: [{ measures: { RR: 2.5 / 5 } }, {}] });
    expect(other).toMatchObject({
      average: 'answerable',
      scorecard: [{ averagedQuestions: 4, measures: { RR: 2.5 / 4 } }, {}],
    });
  });

  it('stand in reports, exported runs and depth curves', async () => {
    const { id } = await run({ average: 'answerable', diagnose: true });
    const report = async (format: string) =>
      (await app.inject(`/v1/eval/${id}/report?format=${format}`)).body;
    const markdown = await report('markdown');
    const headers = { accept: 'text/plain' };
    const trec = await app.inject({ url: `/v1/eval/${id}/runs/first`, headers });
    const curve = await ask(app, 'GET', `/v1/eval/${id}/depth-curve?configuration=first`);

    expect(markdown).toContain('- Means: over questions with a relevant document (`answerable`)');
    expect(markdown).toMatch(/\| unanswerable \| unlabelled \|/);
    expect(markdown).toMatch(/\| first +\| 4 +\| 1 +\| 0 +\| 1 +\| 1 +\|/);
    expect(await report('html')).toContain('unlabelled');
    expect(await report('junit')).toContain('<skipped message="no judgment yet"/>');
    expect(await report('csv')).toMatch(/^first,,,3,RR,0.5,answerable$/m);
    expect(trec.body).toMatch(/^d Q0 D4 1 /m);
    expect(curve).toMatchObject({ questions: 3 });
  });

  it('keep an evaluation alive whose other searches failed, with means of null', async () => {
    const set = [
      { id: 'x', text: 'not judged' },
      { id: 'y', text: 'of an unknown user', user: 'ghost', relevant: { D1: 1 } },
    ];
    await ask(app, 'PUT', '/v1/question-sets/v', { body: { questions: set } });
    await ask(app, 'PUT', '/v1/corpora/c', {
      body: { documents: [{ id: 'D1', title: 'One', text: 'not judged' }] },
    });
    const configuration = { name: 'l', backend: 'local', corpus: 'c', method: 'bm25', users: {} };
    const evaluation = await run({ questionSet: 'v', configurations: [configuration] });

    expect(evaluation).toMatchObject({
      status: 'succeeded',
      scorecard: [
        {
          questions: { scored: 0, failed: 1, unlabelled: 1 },
          averagedQuestions: 0,
          measures: { RR: null },
        },
      ],
    });
  });
});
