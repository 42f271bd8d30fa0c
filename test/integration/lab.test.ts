import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startService, type TestService } from '../helpers/app.ts';
import { ask, evaluate, type EvaluationAnswer } from '../helpers/client.ts';
import { readGoldenTable } from '../helpers/golden-table.ts';
import { readLabJson, readLabLines, readLabRankings } from '../helpers/lab.ts';

const methods = ['bm25', 'vector', 'hybrid', 'rerank'] as const;
type Method = (typeof methods)[number];

interface LabComparison {
  readonly baseline: Method;
  readonly candidate: Method;
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  readonly meanDifference: number;
  /** The ends of a percentile bootstrap of 95 %. */
  readonly percentile: readonly [number, number];
}

interface LabPool {
  readonly depth: number;
  readonly unjudged: number;
  readonly documents: Readonly<Record<string, readonly string[]>>;
}

/** How test/golden/lab names a chunking, by the configuration that stands for it. */
const chunkings: Record<string, object> = {
  sections: { strategy: 'sections' },
  whole: { strategy: 'whole' },
  fixed: { strategy: 'fixed', size: 12 },
  fixed25: { strategy: 'fixed', size: 25 },
};

/**
 * The interval of comparisons.json is a percentile bootstrap of 2,000 resamples, whose ends move by about
 * 0.012 between generators; with 100,000 of ours the rest is small.
 */
const intervalTolerance = 0.012 + 0.003;
const resamples = 100_000;

describe('the lab collection over HTTP', () => {
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

  const comparisons = readLabJson<readonly LabComparison[]>('comparisons.json');

  it.each(readLabRankings())('ranks as expected with $chunking and $method', async (table) => {
    const { chunking, method, byQuestion } = table;
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

  it.each(readGoldenTable('lab/scorecards'))(
    'scores as expected with %s and %s at %s for %s: %s',
    (chunking = '', method, _k, kind = '', measure = '', value) => {
      const row = evaluations.get(chunking)!.scorecard.find((r) => r.configuration === method)!;
      const { measures } = kind === 'all' ? row : row.slices['kind']![kind]!;

      expect(Math.abs(measures[measure]! - Number(value))).toBeLessThan(1e-12);
    },
  );

  it.each(comparisons)('compares $baseline with $candidate as expected', async (comparison) => {
    const { id } = evaluations.get('sections')!;
    const { baseline, candidate } = comparison;
    const differences = new Map(
      readGoldenTable('lab/differences')
        .filter(([a, b]) => a === baseline && b === candidate)
        .map(([, , question, difference]) => [question, Number(difference)]),
    );
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
        baseline,
        candidate,
        measure: 'nDCG@3',
        resamples,
      },
    });

    // The re-ranker gains on 8 questions and loses on none; all else could be luck.
    expect(found.verdict).toBe(candidate === 'rerank' ? 'better' : 'inconclusive');
    const { wins, losses, ties } = found;
    const [low, high] = comparison.percentile;
    const misses = found.perQuestion.map((question) =>
      Math.abs(question.difference - differences.get(question.id)!),
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

  it('pools as expected', async () => {
    const pool = readLabJson<LabPool>('pool.json');
    const { id } = evaluations.get('sections')!;
    const found = await ask<{
      unjudged: number;
      questions: { id: string; documents: { documentId: string }[] }[];
    }>(app, 'POST', '/v1/pool', { body: { evaluation: id, depth: pool.depth } });

    const byQuestion = found.questions.map((question) => [
      question.id,
      question.documents.map((document) => document.documentId),
    ]);
    expect(found.unjudged).toBe(pool.unjudged);
    expect(Object.fromEntries(byQuestion)).toEqual(pool.documents);
  });
});

async function putLab(app: FastifyInstance): Promise<void> {
  const documents = readLabLines('documents.jsonl');
  const lexicon = readLabJson('lexicon.json');
  await ask(app, 'PUT', '/v1/corpora/lab', { body: { documents, lexicon } });
  const questions = readLabLines('questions.jsonl');
  await ask(app, 'PUT', '/v1/question-sets/lab', { body: { questions } });
}
