import type { FastifyInstance } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';

import { parseServiceKey } from '../../src/retrieval/ai-core/service-key.ts';
import { hashQuestion, startAiCoreStub } from 'grounding-eval-testing';
import { createTestApp, startService } from '../helpers/app.ts';
import { ask, evaluate, send, type EvaluationAnswer } from '../helpers/client.ts';
import { createDatabase, databaseKinds, type DatabaseKind } from '../helpers/databases.ts';
import { waitFor } from '../helpers/poll.ts';

interface AblationAnswer {
  readonly questions: number;
  readonly variants: readonly {
    readonly variant: string;
    readonly configuration: string;
    readonly mean: number;
    readonly funnel: {
      readonly k: number;
      readonly relevant: number;
      readonly found: number;
      readonly inTopK: number;
    };
    readonly callsPerQuestion: number;
  }[];
  readonly steps: readonly {
    readonly stage: string;
    readonly from: string;
    readonly to: string;
    readonly meanDifference: number;
    readonly gained: Changed;
    readonly lost: Changed;
  }[];
}

interface Changed {
  readonly count: number;
  readonly questions: readonly {
    readonly id: string;
    readonly from: number;
    readonly to: number;
  }[];
}

/** The glossary leads `puddle` to the leak; the search prefers a rare word repeated, re-ranking the note with every word. */
const corpus = [
  { id: 'L', title: 'Leak', paragraphs: ['Oil leaks from the ring.'] },
  { id: 'A', title: 'Seal', paragraphs: ['Seal seal seal seal.'] },
  {
    id: 'B',
    title: 'Size',
    paragraphs: ['Measure the seal and the ring before the order of another size with the gauge.'],
  },
  { id: 'C', title: 'Ring', paragraphs: ['Ring order.'] },
  { id: 'D', title: 'Order', paragraphs: ['Order ring.'] },
];
const questions = [
  { id: 'q1', text: 'puddle', relevant: { L: 1 } },
  { id: 'q2', text: 'seal ring order', relevant: { B: 1 } },
  { id: 'q3', text: 'gauge', relevant: { B: 1 } },
];
const pipeline = {
  rewrite: { type: 'glossary', terms: { puddle: 'leaks' } },
  candidates: 10,
  rerank: { type: 'lexical' },
};
const grounding = {
  name: 'whole',
  backend: 'aicore',
  resourceGroup: 'default',
  filters: [
    {
      id: 'all',
      dataRepositoryType: 'vector',
      dataRepositories: ['*'],
      searchConfiguration: { maxChunkCount: 20 },
    },
  ],
  documentId: { from: 'chunkMetadata', key: 'docId' },
};
const request = {
  questionSet: 's',
  configurations: [{ ...grounding, pipeline }],
  measures: ['RR'],
};

async function prepare(kind: DatabaseKind) {
  const stub = await startAiCoreStub({ corpus });
  onTestFinished(() => stub.close());
  const aiCore = {
    serviceKey: parseServiceKey(stub.serviceKey),
    concurrency: 4,
    timeoutMs: 5000,
    attempts: 1,
  };
  const service = await startService({ databaseUrl: await createDatabase(kind), aiCore });
  onTestFinished(() => service.close());
  const { app, db, jobs } = service;
  await ask(app, 'PUT', '/v1/question-sets/s', { body: { questions } });
  const received = (text: string) => stub.counters.questions.get(hashQuestion(text))?.received ?? 0;
  return { app, db, jobs, stub, received };
}

const readRun = async (
  app: FastifyInstance,
  { id }: { readonly id: string },
  configuration: string,
) => (await ask<{ rankings: object }>(app, 'GET', `/v1/eval/${id}/runs/${configuration}`)).rankings;

describe.each(databaseKinds)('"ablate": true on %s', (kind) => {
  it('evaluates each stage on and off, and pays no search twice', async () => {
    const { app, received } = await prepare(kind);

    const { scorecard } = await evaluate(app, { ...request, ablate: true });

    expect(scorecard.map(({ configuration, usage }) => [configuration, usage['searches']])).toEqual(
      [
        ['whole.plain', 3],
        ['whole.rewrite', 4],
        ['whole.rerank', 3],
        ['whole', 4],
      ],
    );
    expect([...questions.map(({ text }) => received(text)), received('leaks')]).toEqual([
      1, 1, 1, 1,
    ]);
    const codes = scorecard[0]?.warnings.map(({ code }) => code);
    expect(codes).not.toContain('pointless-stage');
  });

  it('finds for each variant what it finds alone', async () => {
    const { app } = await prepare(kind);
    const together = await evaluate(app, { ...request, ablate: true });
    const { rewrite, candidates, rerank } = pipeline;
    const alone = await evaluate(app, {
      ...request,
      configurations: [
        { ...grounding, name: 'whole.plain' },
        { ...grounding, name: 'whole.rewrite', pipeline: { rewrite } },
        { ...grounding, name: 'whole.rerank', pipeline: { candidates, rerank } },
        { ...grounding, pipeline },
      ],
    });

    const names = alone.scorecard.map(({ configuration }) => configuration);
    const runsOf = (evaluation: EvaluationAnswer) =>
      Promise.all(names.map((name) => readRun(app, evaluation, name)));
    expect(await runsOf(together)).toEqual(await runsOf(alone));
    expect(together.scorecard.map(({ measures }) => measures)).toEqual(
      alone.scorecard.map(({ measures }) => measures),
    );
  });

  it('searches again only what a crash left without an outcome', async () => {
    const { app, db, jobs, received } = await prepare(kind);
    const { id } = await evaluate(app, { ...request, ablate: true });
    const whole = await readRun(app, { id }, 'whole');
    const evaluation = db.updateTable('evaluation').where('id', '=', id);
    const gone = db.deleteFrom('outcome').where('configuration', '=', 3);
    await gone.where('question_id', '=', 'q1').execute();
    await evaluation.set({ status: 'running', finished_at: null, scorecard: null }).execute();

    await jobs.resume();
    const url = `/v1/eval/${id}`;
    await waitFor(
      async () => (await ask<EvaluationAnswer>(app, 'GET', url)).status === 'succeeded',
    );

    expect([...questions.map(({ text }) => received(text)), received('leaks')]).toEqual([
      2, 1, 1, 2,
    ]);
    expect(await readRun(app, { id }, 'whole')).toEqual(whole);
  });

  it('says what each stage gained and lost', async () => {
    const { app } = await prepare(kind);
    const { id, scorecard } = await evaluate(app, { ...request, ablate: true });

    const url = `/v1/eval/${id}/ablation?configuration=whole&measure=RR`;
    const { questions: scored, variants, steps } = await ask<AblationAnswer>(app, 'GET', url);

    expect(scored).toBe(3);
    expect(variants.map(({ mean }) => mean)).toEqual(
      scorecard.map(({ measures }) => measures['RR']),
    );
    // `puddle` stands in no note: only the glossary's wording finds its answer.
    expect(variants.map(({ funnel }) => [funnel.relevant, funnel.found])).toEqual([
      [3, 2],
      [3, 3],
      [3, 2],
      [3, 3],
    ]);
    expect(variants.map(({ callsPerQuestion }) => callsPerQuestion)).toEqual([1, 4 / 3, 1, 4 / 3]);
    expect(steps.map(({ stage, from, to }) => `${stage}: ${from} ${to}`)).toEqual([
      'rewrite: plain +rewrite',
      'rerank: plain +rerank',
      'rerank: +rewrite +both',
      'rewrite: +rerank +both',
    ]);
    expect(steps[0]).toMatchObject({
      meanDifference: 1 / 3,
      gained: { count: 1, questions: [{ id: 'q1', from: 0, to: 1 }] },
      lost: { count: 0, questions: [] },
    });
    expect(steps[1]).toMatchObject({
      gained: { count: 1, questions: [{ id: 'q2', to: 1 }] },
      lost: { count: 0, questions: [] },
    });
    const report = await app.inject({ url: `/v1/eval/${id}/report` });
    expect(report.body).toContain('## Stages of whole, on and off');
    expect(report.body).toContain(
      '- rewrite, plain to +rewrite: 0.3333 on average, gained 1, lost 0 (q1 +1.000)',
    );
    expect(report.body).toContain('## Quality versus latency and calls');
  });
});

describe('"ablate": true', () => {
  it('draws the curve of what the re-ranker was given', async () => {
    const { app } = await prepare('sqlite');
    const { id } = await evaluate(app, { ...request, ablate: true });
    const curve = (configuration: string, list: string) =>
      ask<{ curves: object[] }>(
        app,
        'GET',
        `/v1/eval/${id}/depth-curve?configuration=${configuration}&list=${list}&measure=RR&depth=3`,
      );

    const [shortlist, before, after] = [
      await curve('whole', 'shortlist'),
      await curve('whole.rewrite', 'final'),
      await curve('whole', 'final'),
    ];

    expect(shortlist.curves).toEqual(before.curves);
    expect(shortlist.curves).not.toEqual(after.curves);
  });

  it('lets a gate look at the whole alone', async () => {
    const { app } = await prepare('sqlite');
    const { id: evaluation } = await evaluate(app, request);
    const baseline = { evaluation, configuration: 'whole' };
    await ask(app, 'PUT', '/v1/baselines/main', { body: baseline });
    const gate = { baseline: 'main', measure: 'RR', maxDrop: 0.1 };

    const gated = await evaluate(app, { ...request, ablate: true, gate });

    expect(gated).toMatchObject({ gate: { configurations: [{ configuration: 'whole' }] } });
  });

  it('counts what variants share once in a dry run', async () => {
    const { app, stub } = await prepare('sqlite');
    const model = { type: 'llm', model: 'any' };
    const asking = { rewrite: { ...model, versions: 2 }, candidates: 10, rerank: model };
    const body = { ...request, configurations: [{ ...grounding, pipeline: asking }], ablate: true };

    const dryRun = await ask<{ configurations: object[] }>(app, 'POST', '/v1/eval?dryRun=true', {
      body,
    });

    // For 3 questions: 3 versions of each are searched, one call words them, one call orders the candidates
    // of the whole and one those of the question's own search.
    expect(dryRun).toMatchObject({
      configurations: [
        { configuration: 'whole.plain', searches: 3, modelCalls: 0 },
        { configuration: 'whole.rewrite', searches: 9, modelCalls: 3 },
        { configuration: 'whole.rerank', searches: 3, modelCalls: 3 },
        { configuration: 'whole', searches: 9, modelCalls: 6 },
      ],
      total: { searches: 9, modelCalls: 9 },
    });
    expect(stub.counters.questions.size).toBe(0);
  });

  it('refuses what has nothing to leave out, and more than 20 configurations', async () => {
    const app = await createTestApp();
    await ask(app, 'PUT', '/v1/question-sets/s', { body: { questions } });
    await ask(app, 'PUT', '/v1/corpora/c', { body: { documents: corpus } });
    const local = { backend: 'local', corpus: 'c', method: 'bm25' };
    const post = (configurations: object[]) =>
      send(app, 'POST', '/v1/eval', { body: { questionSet: 's', configurations, ablate: true } });

    const answers = [
      await post([{ name: 'a', ...local }]),
      await post(
        Array.from({ length: 6 }, (_, index) => ({ name: `c${index}`, ...local, pipeline })),
      ),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400]);
    expect(answers.map((answer) => answer.json<{ errors: object[] }>().errors)).toMatchObject([
      [{ pointer: '/body/ablate' }],
      [{ pointer: '/body/ablate', detail: expect.stringContaining('24') }],
    ]);
  });

  it('knows no ablation of an evaluation without one', async () => {
    const { app } = await prepare('sqlite');
    const { id } = await evaluate(app, request);
    const url = `/v1/eval/${id}/ablation?configuration=whole&measure=RR`;
    const answer = await app.inject({ url });

    expect(answer.statusCode).toBe(404);
    expect(answer.json<{ detail: string }>().detail).toContain('"ablate": true');
  });
});
