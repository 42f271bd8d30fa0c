import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { ask, evaluate, send } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';

interface Questions {
  readonly items: readonly {
    readonly id: string;
    readonly status: string;
    readonly ranking: readonly { readonly documentId: string; readonly score: number }[];
    readonly pipeline: {
      readonly reranked: readonly string[];
      readonly scores: readonly number[];
      readonly cut?: object;
    };
  }[];
}

/**
 * Without a lexicon a score is 0.3 × the share of the question's words in the document. q1 "oil pump valve": A holds all (0.3),
 * B two (0.2), C one (0.1). q2 "oil seal": A, B and C hold one of two (0.15). q3 "valve nowhere nothing": A one of three (0.1).
 */
const documents = [
  { id: 'A', title: 'A', paragraphs: ['oil', 'pump', 'valve'] },
  { id: 'B', title: 'B', paragraphs: ['oil pump'] },
  { id: 'C', title: 'C', paragraphs: ['oil'] },
];
const questions = [
  { id: 'q1', text: 'oil pump valve', relevant: { A: 2, B: 0, X: 1 } },
  { id: 'q2', text: 'oil seal', relevant: { B: 1 } },
  { id: 'q3', text: 'valve nowhere nothing', answerable: false },
];

const configuration = (name: string, rerank: object, more: object = {}) => ({
  name,
  backend: 'local',
  corpus: 'c',
  method: 'bm25',
  pipeline: { ...more, rerank: { type: 'lexical', ...rerank } },
});

async function prepare(databaseUrl?: string): Promise<FastifyInstance> {
  const app = await createTestApp({ ...(databaseUrl && { databaseUrl }) });
  await ask(app, 'PUT', '/v1/corpora/c', { body: { documents } });
  await ask(app, 'PUT', '/v1/question-sets/s', { body: { questions } });
  return app;
}

const point = (minScore: number, [relevant, nonRelevant, unjudged]: readonly number[]) =>
  expect.objectContaining({ minScore: near(minScore), relevant, nonRelevant, unjudged }) as object;

async function put(body: object) {
  const app = await createTestApp();
  return send(app, 'PUT', '/v1/search-configurations/c', { body });
}

const near = (value: number): number => expect.closeTo(value, 12) as number;

describe.each(databaseKinds)('a minimum score of the re-ranker on %s', (kind) => {
  it('leaves out hits, counts them, and leaves a question empty without failing it', async () => {
    const app = await prepare(await createDatabase(kind));
    const { id, scorecard } = await evaluate(app, {
      questionSet: 's',
      configurations: [configuration('cut', { minScore: 0.16 })],
      measures: ['P@1', 'nDCG@3'],
      diagnose: true,
    });
    const { items } = await ask<Questions>(
      app,
      'GET',
      `/v1/eval/${id}/questions?configuration=cut`,
    );

    expect(
      items.map(({ status, ranking }) => [status, ranking.map((hit) => hit.documentId)]),
    ).toEqual([
      ['scored', ['A', 'B']],
      ['empty', []],
      ['unanswerable', []],
    ]);
    expect(items[0]?.pipeline).toMatchObject({
      reranked: ['A', 'B', 'C'],
      scores: [near(0.3), near(0.2), near(0.1)],
      cut: { minScore: 0.16, below: 1, notReranked: 0 },
    });
    expect(scorecard[0]).toMatchObject({
      questions: { scored: 2, empty: 1, failed: 0, unanswerable: 1 },
      pipeline: { cut: { hits: 5, questions: 3, emptied: 2 }, fallbacks: { questions: 0 } },
    });
    // X was never found. B of q2 was re-ranked and left out.
    expect(scorecard[0]).toMatchObject({
      diagnosis: { causes: { absent: { documents: 1 }, 'lost-in-rerank': { documents: 1 } } },
    });
  });

  it('leaves out hits that were not re-ranked, with a single candidate too', async () => {
    const app = await prepare(await createDatabase(kind));
    const one = configuration('one', { minScore: 0.01 }, { candidates: 1 });
    const { id } = await evaluate(app, {
      questionSet: 's',
      configurations: [one],
      measures: ['P@1'],
    });
    const { items } = await ask<Questions>(
      app,
      'GET',
      `/v1/eval/${id}/questions?configuration=one`,
    );

    expect(items[0]?.ranking).toHaveLength(1);
    expect(items[0]?.pipeline.cut).toEqual({ minScore: 0.01, below: 0, notReranked: 2 });
  });

  it('has a curve to choose it by, the same whatever was left out', async () => {
    const app = await prepare(await createDatabase(kind));
    const { id } = await evaluate(app, {
      questionSet: 's',
      configurations: [configuration('all', {}), configuration('cut', { minScore: 0.16 })],
      measures: ['P@1'],
    });
    const read = (name: string) =>
      ask<{ curve: readonly object[] }>(
        app,
        'GET',
        `/v1/eval/${id}/score-curve?configuration=${name}&points=100`,
      );
    const { curve, ...counts } = await read('all');

    expect(counts).toEqual({
      configuration: 'all',
      depth: 10,
      relevantFrom: 1,
      points: 100,
      scores: 'rerank',
      questions: { answerable: 2, unanswerable: 1, unscored: 0, unlabelled: 0 },
      relevant: 3,
      unscoredHits: 0,
    });
    // By hand: hits A 0.3 relevant, B 0.2 not, C 0.1 unjudged; A 0.15 unjudged, B 0.15 relevant, C 0.15 unjudged; A 0.1 unjudged.
    expect(curve).toEqual([
      point(0.1, [2, 1, 4]),
      point(0.15, [2, 1, 2]),
      point(0.2, [1, 1, 0]),
      point(0.3, [1, 0, 0]),
    ]);
    expect(curve[1]).toMatchObject({
      precision: 2 / 5,
      precisionOfJudged: 2 / 3,
      recall: 2 / 3,
      empty: { answerable: 0, unanswerable: 1 },
    });
    expect(curve[3]).toMatchObject({ recall: 1 / 3, empty: { answerable: 1, unanswerable: 1 } });
    expect((await read('cut')).curve).toEqual(curve);
  });
});

describe('fields of re-ranking', () => {
  const local = { backend: 'local', corpus: 'c', method: 'bm25' };
  const aicore = {
    backend: 'aicore',
    resourceGroup: 'default',
    filters: [{ id: 'f' }],
    documentId: { from: 'chunkMetadata', key: 'id' },
  };

  it('take a single candidate', async () => {
    const pipeline = { candidates: 1, rerank: { type: 'lexical', on: 'chunk', minScore: -1.5 } };

    expect((await put({ ...local, candidates: 1, pipeline })).statusCode).toBe(201);
  });

  it.each([
    [
      '/body/pipeline/rerank/on',
      { ...aicore, pipeline: { rerank: { type: 'lexical', on: 'document' } } },
    ],
    [
      '/body/pipeline/rerank/minScore',
      { ...local, pipeline: { rerank: { type: 'llm', model: 'm', minScore: 1 } } },
    ],
    [
      '/body/pipeline/candidates',
      { ...local, pipeline: { candidates: 0, rerank: { type: 'lexical' } } },
    ],
  ])('are refused where they mean nothing: %s', async (pointer, body) => {
    const answer = await put(body);

    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ pointer }] });
  });

  it.each([{ strategy: 'paragraphs' }, {}, { strategy: 7 }])(
    'name every chunking where %j is none',
    async (chunking) => {
      const answer = await put({ ...local, chunking });

      expect(answer.json()).toMatchObject({
        errors: [
          { pointer: '/body/chunking/strategy', detail: 'must be "whole", "sections" or "fixed"' },
        ],
      });
    },
  );

  it('are written out in an evaluation: a lexical re-ranker of a corpus reads documents', async () => {
    const app = await prepare();
    const configurations = [configuration('usual', {}), configuration('chunk', { on: 'chunk' })];
    const { id } = await evaluate(app, { questionSet: 's', configurations, measures: ['P@1'] });
    const evaluation = await ask<{ configurations: readonly object[] }>(
      app,
      'GET',
      `/v1/eval/${id}`,
    );

    expect(evaluation.configurations).toMatchObject([
      { configuration: { pipeline: { rerank: { on: 'document' } } } },
      { configuration: { pipeline: { rerank: { on: 'chunk' } } } },
    ]);
  });
});
