import { describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { evaluate } from '../helpers/client.ts';

interface Row {
  readonly id: string;
  readonly configurations: Record<string, Record<string, unknown>>;
}

/** Two rankings of four questions, so that every figure can be worked out by hand. */
async function prepare() {
  const app = await createTestApp();
  const questions = [
    { id: 'q1', text: 'First', kind: 'a', relevant: { D1: 1 } },
    { id: 'q2', text: 'second', kind: 'b', relevant: { D2: 1 }, tags: ['t'] },
    { id: 'q3', text: 'third', kind: 'a', relevant: { D3: 1 }, forbidden: ['D9'] },
    { id: 'q4', text: 'fourth', kind: 'b', relevant: {} },
  ];
  await app.inject({ method: 'PUT', url: '/v1/question-sets/s', payload: { questions } });
  const runs = {
    one: { q1: ['D1'], q2: ['D5', 'D2'], q3: ['D9', 'D8'], q4: ['D1'] },
    two: { q1: ['D1'], q2: ['D2'], q3: ['D7', 'D8', 'D3'], q4: [] },
  };
  for (const [name, rankings] of Object.entries(runs)) {
    const listed = Object.entries(rankings).map(([question, ids]) => [
      question,
      ids.map((documentId) => ({ documentId })),
    ]);
    const payload = { rankings: Object.fromEntries(listed) };
    await app.inject({ method: 'PUT', url: `/v1/runs/${name}`, payload });
  }
  const configurations = Object.keys(runs).map((run) => ({ name: run, backend: 'run', run }));
  const { id } = await evaluate(app, {
    questionSet: 's',
    configurations,
    measures: ['RR', 'hit@1'],
  });
  const list = async (query: string) =>
    (await app.inject({ url: `/v1/eval/${id}/questions?${query}` })).json<{
      readonly total: number;
      readonly items: readonly Row[];
      readonly nextCursor: string | null;
    }>();
  const listIds = async (query: string) => (await list(query)).items.map((row) => row.id);
  return { app, id, list, listIds };
}

describe('GET /v1/eval/{id}/questions without a configuration', () => {
  it('answers a row a question with values and first ranks of all configurations', async () => {
    const { list } = await prepare();
    const { items, total } = await list('limit=10');

    expect(total).toBe(4);
    expect(items[1]).toMatchObject({
      id: 'q2',
      configurations: {
        one: {
          status: 'scored',
          firstRelevantRank: 2,
          measures: { RR: 0.5, 'hit@1': 0 },
          unjudged: 1,
        },
        two: {
          status: 'scored',
          firstRelevantRank: 1,
          measures: { RR: 1, 'hit@1': 1 },
          unjudged: 0,
        },
      },
    });
    expect(items[2]?.configurations['one']).toMatchObject({
      firstRelevantRank: null,
      leaks: 1,
      unjudged: 2,
      measures: { RR: 0 },
    });
    expect(items[3]?.configurations['one']).toMatchObject({ status: 'unlabelled', measures: {} });
  });

  it.each([
    ['', ['q1', 'q2', 'q3', 'q4']],
    ['sort=worst&measure=RR', ['q3', 'q2', 'q1', 'q4']],
    // q2 differs by 1/2, q3 by 1/3.
    ['sort=difference&measure=RR', ['q2', 'q3', 'q1', 'q4']],
    ['sort=descending&by=two&measure=RR', ['q1', 'q2', 'q3', 'q4']],
    ['sort=ascending&by=two&measure=RR', ['q3', 'q1', 'q2', 'q4']],
    ['only=differs&measure=hit@1', ['q2']],
    ['only=leaks', ['q3']],
    ['only=nothing-found', ['q3']],
    ['only=unjudged&k=1', ['q2', 'q3', 'q4']],
    ['only=failed', []],
    ['kind=b', ['q2', 'q4']],
    ['tags=t', ['q2']],
    ['q=FIRST', ['q1']],
    ['q=q3', ['q3']],
  ])('selects and sorts: %s', async (query, ids) => {
    const { listIds } = await prepare();

    expect(await listIds(query)).toEqual(ids);
  });

  it('answers page by page', async () => {
    const { list } = await prepare();
    const first = await list('sort=worst&measure=RR&limit=3');
    const second = await list(`sort=worst&measure=RR&limit=3&cursor=${first.nextCursor}`);

    expect(first.items.map((row) => row.id)).toEqual(['q3', 'q2', 'q1']);
    expect(second).toMatchObject({ total: 4, items: [{ id: 'q4' }], nextCursor: null });
  });

  it('refuses what selects rows of the table together with a configuration', async () => {
    const { app, id } = await prepare();
    const url = `/v1/eval/${id}/questions?configuration=one&sort=worst`;
    const answer = await app.inject({ url });

    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ pointer: '/query/sort' }] });
  });
});

describe('GET /v1/eval/{id}/rankings', () => {
  it('shows the rankings of all configurations with the grades of then and now', async () => {
    const { app, id } = await prepare();
    const judgments = [{ questionId: 'q2', documentId: 'D5', grade: 1 }];
    const payload = { judge: 'jo', judgments };
    await app.inject({ method: 'POST', url: '/v1/question-sets/s/judgments', payload });
    const answer = await app.inject({ url: `/v1/eval/${id}/rankings?question=q2&depth=1` });

    expect(answer.json()).toMatchObject({
      question: { id: 'q2', text: 'second', relevant: { D2: 1 } },
      latestVersion: 2,
      results: [
        {
          configuration: 'one',
          status: 'scored',
          measures: { RR: 0.5 },
          ranking: [{ documentId: 'D5', rank: 1, grade: null, latestGrade: 1 }],
        },
        {
          configuration: 'two',
          ranking: [{ documentId: 'D2', rank: 1, grade: 1, latestGrade: 1 }],
        },
      ],
    });
  });

  it('answers 404 for a question that the evaluation did not ask', async () => {
    const { app, id } = await prepare();

    expect((await app.inject({ url: `/v1/eval/${id}/rankings?question=q9` })).statusCode).toBe(404);
  });
});

describe('GET /v1/eval/{id}/document', () => {
  it('answers the whole text of a document of the corpus', async () => {
    const app = await createTestApp();
    await app.inject({ method: 'POST', url: '/v1/sample' });
    const { id } = await evaluate(app, {
      questionSet: 'sample',
      configurations: ['sample-bm25'],
      sample: { size: 2 },
    });
    const corpus = await app.inject({ url: '/v1/corpora/sample' });
    const [first] = corpus.json<{ documents: { id: string; title: string }[] }>().documents;
    const url = `/v1/eval/${id}/document?documentId=${first?.id}`;
    const rankings = await app.inject({ url });

    expect(rankings.json()).toMatchObject({ id: first?.id, title: first?.title });
    expect((await app.inject({ url: `/v1/eval/${id}/document?documentId=none` })).statusCode).toBe(
      404,
    );
  });
});
