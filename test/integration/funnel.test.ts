import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startService, type TestService } from '../helpers/app.ts';
import { ask, evaluate, send, type EvaluationAnswer } from '../helpers/client.ts';

interface Line {
  readonly values: readonly number[];
  readonly knee: { readonly n: number; readonly value: number } | null;
  readonly plateau: { readonly n: number; readonly value: number } | null;
}

interface CurvesAnswer {
  readonly questions: number;
  readonly shorterRankings: number;
  readonly curves: readonly {
    readonly measure: string;
    readonly kept: Line;
    readonly oracle: Line | null;
  }[];
}

/** The answers stand at ranks 2 and 4 (grades 1 and 2), at rank 1, nowhere, and at rank 3. */
const questions = [
  { id: 'a', text: 'question a', relevant: { x: 1, y: 2, n: 0 } },
  { id: 'b', text: 'question b', relevant: { x: 2 } },
  { id: 'c', text: 'question c', relevant: { x: 1 } },
  { id: 'd', text: 'question d', relevant: { y: 1 } },
  { id: 'e', text: 'nobody knows', answerable: false },
];
const rank = (...ids: string[]) => ids.map((documentId) => ({ documentId }));
const rankings = {
  a: rank('n', 'x', 'u', 'y', 'v'),
  b: rank('x', 'n', 'u', 'v', 'w'),
  c: rank('n', 'u', 'v', 'w', 'y'),
  d: rank('n', 'x', 'y'),
  e: rank('x'),
};
const measures = ['hit@3', 'P@3', 'R@3', 'RR', 'AP', 'nDCG@3', 'setP', 'bpref', 'ERR@5'];
const deep = { name: 'deep', backend: 'run', run: 'deep' };
const cuts = [1, 2, 3, 4, 5].map((depth) => ({ ...deep, name: `cut${depth}`, depth }));

describe('GET /v1/eval/{id}/depth-curve', () => {
  let service: TestService;
  let evaluation: EvaluationAnswer;
  const curve = (query: string) =>
    ask<CurvesAnswer>(
      service.app,
      'GET',
      `/v1/eval/${evaluation.id}/depth-curve?configuration=deep&${query}`,
    );

  beforeAll(async () => {
    service = await startService();
    await ask(service.app, 'PUT', '/v1/question-sets/s', { body: { questions } });
    await ask(service.app, 'PUT', '/v1/runs/deep', { body: { rankings } });
    const configurations = [deep, ...cuts];
    evaluation = await evaluate(service.app, { questionSet: 's', configurations, measures });
  });
  afterAll(() => service.close());

  it.each(cuts)('says for $depth what an evaluation of $name measured', async ({ name, depth }) => {
    const { curves } = await curve('depth=5');

    const row = evaluation.scorecard.find(({ configuration }) => configuration === name);
    const values = curves.map(({ measure, kept }) => [measure, kept.values[depth - 1]]);
    expect(Object.fromEntries(values)).toEqual(row?.measures);
  });

  it('shows what a perfect re-ranker would reach, and where the lines bend', async () => {
    const { questions: scored, shorterRankings, curves } = await curve('measure=rr&depth=5');

    // By hand: RR is 1/2, 1, 0 and 1/3, and with a perfect order of the first three 1, 1, 0 and 1.
    const third = (1 / 2 + 1 + 1 / 3) / 4;
    expect({ scored, shorterRankings }).toEqual({ scored: 4, shorterRankings: 1 });
    expect(curves).toEqual([
      {
        measure: 'RR',
        kept: {
          values: [1 / 4, 3 / 8, third, third, third],
          knee: { n: 3, value: third },
          plateau: { n: 3, value: third },
        },
        oracle: {
          values: [1 / 4, 2 / 4, 3 / 4, 3 / 4, 3 / 4],
          knee: { n: 3, value: 3 / 4 },
          plateau: { n: 3, value: 3 / 4 },
        },
      },
    ]);
  });

  it('gives judged@k no oracle', async () => {
    const { curves } = await curve('measure=judged@3&measure=RR');
    expect(curves.map(({ oracle }) => oracle === null)).toEqual([true, false]);
  });

  it.each([
    ['configuration=other', 404],
    ['configuration=deep&measure=nDCG@0', 400],
    ['configuration=deep&depth=1001', 400],
    ['configuration=deep&deep=2', 400],
    ['depth=3', 400],
  ])('refuses ?%s', async (query, status) => {
    const url = `/v1/eval/${evaluation.id}/depth-curve?${query}`;
    expect((await service.app.inject({ url })).statusCode).toBe(status);
  });

  it('refuses an evaluation that has not ended', async () => {
    const body = { questionSet: 's', configurations: [deep], measures };
    const { id } = (await send(service.app, 'POST', '/v1/eval', { body })).json<{ id: string }>();
    await service.db
      .updateTable('evaluation')
      .set({ status: 'queued' })
      .where('id', '=', id)
      .execute();
    const url = `/v1/eval/${id}/depth-curve?configuration=deep`;
    expect((await service.app.inject({ url })).statusCode).toBe(409);
  });
});
