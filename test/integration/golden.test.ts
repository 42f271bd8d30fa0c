import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startService, type TestService } from '../helpers/app.ts';
import { ask, evaluate, type EvaluationAnswer } from '../helpers/client.ts';
import { goldenFileNames, readGoldenFile, type GoldenFile } from '../unit/ir/measures/golden.ts';

/** Each measure with what trec_eval calls it. */
const pairs = [1, 3, 5, 10]
  .flatMap((k) => [
    [`hit@${k}`, `success_${k}`],
    [`P@${k}`, `P_${k}`],
    [`R@${k}`, `recall_${k}`],
    [`nDCG@${k}`, `ndcg_cut_${k}`],
  ])
  .concat([
    ['RR', 'recip_rank'],
    ['AP', 'map'],
    ['Rprec', 'Rprec'],
    ['bpref', 'bpref'],
  ]) as [string, string][];

describe('imported qrels and runs agree with trec_eval', () => {
  let service: TestService;
  let app: FastifyInstance;
  beforeAll(async () => {
    service = await startService();
    app = service.app;
  });
  afterAll(() => service.close());

  it.each(goldenFileNames)('%s', async (name) => {
    const golden = readGoldenFile(name);
    const expected = golden.expected['trec_eval']!;
    const evaluation = await score(app, name, golden);
    const url = `/v1/eval/${evaluation.id}/questions?configuration=imported&limit=1000`;
    const questions = await ask<{ items: { id: string; measures: Record<string, number> }[] }>(
      app,
      'GET',
      url,
    );
    const known = pairs.filter(([, theirs]) => expected[theirs]);

    const means = known.map(([ours, theirs]) => {
      const { all } = expected[theirs]!;
      return Math.abs(evaluation.scorecard[0]!.measures[ours]! - all!);
    });
    const values = questions.items.flatMap(({ id, measures }) =>
      known.map(([ours, theirs]) => {
        const value = expected[theirs]!.perQuery[id];
        return Math.abs(measures[ours]! - value!);
      }),
    );

    expect(known.length).toBeGreaterThan(10);
    expect(questions.items).toHaveLength(Object.keys(golden.qrels).length);
    expect(Math.max(...means)).toBeLessThan(1e-9);
    expect(Math.max(...values)).toBeLessThan(1e-9);
  });
});

async function score(
  app: FastifyInstance,
  name: string,
  golden: GoldenFile,
): Promise<EvaluationAnswer> {
  const qrels = Object.entries(golden.qrels).flatMap(([question, grades]) =>
    Object.entries(grades).map(([document, grade]) => `${question} 0 ${document} ${grade}`),
  );
  const run = Object.entries(golden.run).flatMap(([question, hits]) =>
    hits.map(([document, value]) => `${question} Q0 ${document} 0 ${value} golden`),
  );
  const type = 'text/plain';
  await ask(app, 'PUT', `/v1/question-sets/${name}/qrels?create=true`, {
    body: qrels.join('\n'),
    type,
  });
  await ask(app, 'PUT', `/v1/runs/${name}`, { body: run.join('\n'), type });
  return evaluate(app, {
    questionSet: name,
    configurations: [{ name: 'imported', backend: 'run', run: name, depth: 1000 }],
    measures: pairs.map(([ours]) => ours),
  });
}
