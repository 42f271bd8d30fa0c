import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startService, type TestService } from '../helpers/app.ts';
import { ask, evaluate, type EvaluationAnswer } from '../helpers/client.ts';
import { hasShared, readShared, readSharedJson } from '../helpers/shared.ts';

const methods = ['bm25', 'vector', 'hybrid', 'rerank'] as const;
type Method = (typeof methods)[number];

interface Expected {
  readonly scorecards: readonly {
    readonly chunking: string;
    readonly size?: number;
    readonly k: number;
    readonly passages: number;
    readonly methods: Record<Method, Record<string, number>>;
    readonly ndcgByKind?: Record<Method, Record<string, number>>;
  }[];
  readonly rankings: Record<string, Record<Method, Record<string, readonly string[]>>>;
  readonly comparisons: readonly {
    readonly a: Method;
    readonly b: Method;
    readonly perQuestion: Record<string, number>;
    readonly wins: number;
    readonly losses: number;
    readonly ties: number;
    readonly meanDifference: number;
    readonly bootstrap95: readonly [number, number];
  }[];
  readonly pools: readonly {
    readonly k: number;
    readonly unlabeledPairs: number;
    readonly unlabeled: Record<string, readonly string[]>;
  }[];
}

const isThere = hasShared('lab');
const expected = isThere ? readSharedJson<Expected>('lab/expected.json') : undefined;

/** How expected.json names a chunking, by the configuration that stands for it. */
const chunkings: Record<string, object> = {
  sections: { strategy: 'sections' },
  whole: { strategy: 'whole' },
  fixed: { strategy: 'fixed', size: 12 },
  fixed25: { strategy: 'fixed', size: 25 },
};

/**
 * The interval there is a percentile bootstrap of 2,000 resamples, whose ends its note says move by about
 * 0.012 between generators; with 100,000 of ours the rest is small.
 */
const intervalTolerance = 0.012 + 0.003;
const resamples = 100_000;

describe.skipIf(!isThere)('the lab collection over HTTP', () => {
  let service: TestService;
  let app: FastifyInstance;
  const evaluations = new Map<string, EvaluationAnswer>();

  beforeAll(async () => {
    service = await startService();
    app = service.app;
    await putLab(app);
    for (const [name, chunking] of Object.entries(chunkings)) {
      const evaluation = await evaluate(app, {
        questionSet: 'lab',
        configurations: methods.map((method) => ({
          name: method,
          backend: 'local',
          corpus: 'lab',
          method,
          chunking,
        })),
        cutoffs: [1, 3, 5, 10],
        sliceBy: ['kind'],
      });
      evaluations.set(name, evaluation);
    }
  });
  afterAll(() => service.close());

  const rankings = Object.entries(expected?.rankings ?? {}).flatMap(([chunking, byMethod]) =>
    methods.map((method) => [chunking, method, byMethod[method]] as const),
  );

  it.each(rankings)('ranks as expected with %s and %s', async (chunking, method, byQuestion) => {
    const { id } = evaluations.get(chunking)!;
    const run = await ask<{ rankings: Record<string, { documentId: string }[]> }>(
      app,
      'GET',
      `/v1/eval/${id}/runs/${method}`,
    );

    const found = Object.entries(run.rankings).map(([question, hits]) => [
      question,
      hits.map((hit) => hit.documentId),
    ]);

    expect(Object.fromEntries(found)).toEqual(byQuestion);
  });

  const cards = (expected?.scorecards ?? []).flatMap((card, index) =>
    methods.map((method) => {
      // The last scorecard is of windows of 25 words; its passages tell it apart.
      const chunking =
        card.chunking === 'fixed' && card.passages === 35 ? 'fixed25' : card.chunking;
      return [index, chunking, card.k, method, card] as const;
    }),
  );

  it.each(cards)(
    'scores as expected: card %i, %s at %i, %s',
    (_index, chunking, k, method, card) => {
      const row = evaluations.get(chunking)!.scorecard.find((r) => r.configuration === method)!;
      const measures = Object.entries(card.methods[method]).map(
        ([name, value]) => [name === 'MRR' ? 'RR' : name, value] as const,
      );

      const differences = measures.map(([name, value]) => Math.abs(row.measures[name]! - value));
      const kinds = Object.entries(card.ndcgByKind?.[method] ?? {}).map(([kind, value]) =>
        Math.abs(row.slices['kind']![kind]!.measures[`nDCG@${k}`]! - value),
      );

      expect(Math.max(...differences)).toBeLessThan(1e-12);
      expect(Math.max(0, ...kinds)).toBeLessThan(1e-12);
    },
  );

  it.each(expected?.comparisons ?? [])('compares $a with $b as expected', async (comparison) => {
    const { id } = evaluations.get('sections')!;
    const found = await ask<{
      wins: number;
      losses: number;
      ties: number;
      meanDifference: number;
      interval: { percentile: { low: number; high: number } };
      verdict: string;
      perQuestion: { id: string; difference: number }[];
    }>(app, 'POST', '/v1/compare', {
      body: {
        evaluation: id,
        baseline: comparison.a,
        candidate: comparison.b,
        measure: 'nDCG@3',
        resamples,
      },
    });

    // The re-ranker gains on 8 questions and loses on none; all else could be luck.
    expect(found.verdict).toBe(comparison.b === 'rerank' ? 'better' : 'inconclusive');
    const { wins, losses, ties } = found;
    const [low, high] = comparison.bootstrap95;
    const misses = found.perQuestion.map((question) =>
      Math.abs(question.difference - comparison.perQuestion[question.id]!),
    );

    expect({ wins, losses, ties }).toEqual({
      wins: comparison.wins,
      losses: comparison.losses,
      ties: comparison.ties,
    });
    expect(Math.max(...misses)).toBeLessThan(1e-12);
    expect(Math.abs(found.meanDifference - comparison.meanDifference)).toBeLessThan(1e-12);
    expect(Math.abs(found.interval.percentile.low - low)).toBeLessThan(intervalTolerance);
    expect(Math.abs(found.interval.percentile.high - high)).toBeLessThan(intervalTolerance);
  });

  it('re-ranks as well by the lexical stage as by the method, and tells how many passages there are', async () => {
    const local = { backend: 'local', corpus: 'lab', chunking: { strategy: 'sections' } };
    const pipeline = { candidates: 8, rerank: { type: 'lexical' } };
    const request = {
      questionSet: 'lab',
      configurations: [
        { name: 'method', ...local, method: 'rerank' },
        { name: 'stage', ...local, method: 'hybrid', pipeline },
        { name: 'whole', ...local, method: 'bm25', chunking: { strategy: 'whole' } },
        { name: 'fixed', ...local, method: 'bm25', chunking: { strategy: 'fixed' } },
      ],
      measures: ['nDCG@3'],
    };
    const { scorecard } = await evaluate(app, request);
    const dryRun = await ask<{ configurations: readonly object[] }>(
      app,
      'POST',
      '/v1/eval?dryRun=true',
      {
        body: request,
      },
    );
    const corpus = (query: string) =>
      ask<{ passages?: object }>(app, 'GET', `/v1/corpora/lab${query}`);
    const passages = [36, 36, 18, 57].map((count) => ({ passages: count }));

    expect(scorecard[0]?.measures['nDCG@3']).toBeCloseTo(0.931, 3);
    expect(scorecard[1]?.measures['nDCG@3']).toBe(scorecard[0]?.measures['nDCG@3']);
    expect(scorecard).toMatchObject(passages);
    expect(dryRun.configurations).toMatchObject(passages);
    expect((await corpus('?passages=true')).passages).toEqual({
      whole: 18,
      sections: 36,
      fixed: { size: 12, passages: 57 },
    });
    expect((await corpus('?passages=true&size=25')).passages).toMatchObject({
      fixed: { size: 25, passages: 35 },
    });
    expect(await corpus('')).not.toHaveProperty('passages');
  });

  it.each(expected?.pools ?? [])('pools as expected at depth $k', async (pool) => {
    const { id } = evaluations.get('sections')!;
    const found = await ask<{
      unjudged: number;
      questions: { id: string; documents: { documentId: string }[] }[];
    }>(app, 'POST', '/v1/pool', { body: { evaluation: id, depth: pool.k } });

    const byQuestion = found.questions.map((question) => [
      question.id,
      question.documents.map((document) => document.documentId),
    ]);
    const unlabeled = Object.entries(pool.unlabeled).filter(
      ([, documents]) => documents.length > 0,
    );

    expect(found.unjudged).toBe(pool.unlabeledPairs);
    expect(Object.fromEntries(byQuestion)).toEqual(Object.fromEntries(unlabeled));
  });
});

async function putLab(app: FastifyInstance): Promise<void> {
  const documents = readLines('lab/notes.jsonl').map(({ process, ...document }) => ({
    ...document,
    metadata: { process: [process] },
  }));
  const lexicon = readSharedJson<object>('lab/concepts.json');
  await ask(app, 'PUT', '/v1/corpora/lab', { body: { documents, lexicon } });
  const questions = readLines('lab/questions.jsonl');
  await ask(app, 'PUT', '/v1/question-sets/lab', { body: { questions } });
}

function readLines(file: string): Record<string, unknown>[] {
  const lines = readShared(file).split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
