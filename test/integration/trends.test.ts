import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { ask, evaluate, send } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { evaluateRanks, rankedQuestions, type Ranks } from '../helpers/runs.ts';

interface NightAnswer {
  readonly evaluation: string;
  readonly status: string;
  readonly faults: readonly { readonly code: string }[];
  readonly questions: number;
  readonly means: { readonly baseline: number | null; readonly night: number | null };
  readonly meanDifference: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly evidence: number;
  readonly margin: number | null;
}

interface TrendsAnswer {
  readonly series: readonly {
    readonly configuration: string;
    readonly measure: string;
    readonly drift: {
      readonly verdict: string;
      readonly evidence: number;
      readonly threshold: number;
      readonly validNights: number;
      readonly invalidNights: number;
      readonly alarm: { readonly evaluation: string } | null;
    };
    readonly nights: readonly NightAnswer[];
  }[];
}

const count = 20;
const all = (rank: number): Ranks => Array.from({ length: count }, () => rank);

function idsOf({ series }: TrendsAnswer): string[] | undefined {
  return series[0]?.nights.map(({ evaluation }) => evaluation);
}

describe.each(databaseKinds)('GET /v1/trends on %s', (kind) => {
  let app: FastifyInstance;
  beforeEach(async () => {
    app = await createTestApp({ databaseUrl: await createDatabase(kind) });
    await ask(app, 'PUT', '/v1/question-sets/s', { body: { questions: rankedQuestions(count) } });
    const measures = ['RR', 'P@1'];
    const { id: evaluation } = await evaluateRanks(app, { nightly: all(1) }, { measures });
    await ask(app, 'PUT', '/v1/baselines/main', { body: { evaluation, configuration: 'nightly' } });
  });

  const evaluateNight = async (rank: number, more: object = {}) =>
    (await evaluateRanks(app, { nightly: all(rank) }, more)).id;
  const readTrends = (query = '') =>
    ask<TrendsAnswer>(app, 'GET', `/v1/trends?baseline=main&measure=RR${query}`);

  it('has no nights and no verdict at first', async () => {
    const { series } = await readTrends();

    expect(series).toMatchObject([
      {
        configuration: 'nightly',
        measure: 'RR',
        nights: [],
        drift: { verdict: 'inconclusive', evidence: 1, validNights: 0, alarm: null },
      },
    ]);
    expect(series[0]?.drift.threshold).toBe(25);
  });

  it('lists nights without a change in their order, and reads the same twice', async () => {
    const nights = [await evaluateNight(1), await evaluateNight(1)];
    const read = await readTrends();
    const again = await readTrends();
    const [series] = read.series;

    expect(series?.nights.map(({ evaluation }) => evaluation)).toEqual(nights);
    expect(series?.nights[1]).toMatchObject({
      status: 'valid',
      faults: [],
      questions: 20,
      means: { baseline: 1, night: 1 },
      meanDifference: 0,
      interval: { low: 0, high: 0 },
      margin: 0.02,
    });
    expect(series?.drift).toMatchObject({ verdict: 'inconclusive', validNights: 2 });
    expect(series?.drift.evidence).toBeLessThan(1);
    expect(again).toEqual(read);
  });

  // Every question falls from 1 to 1/2. Night 3 multiplies what was staked by 1 + λ · 0.48 for each of twenty
  // questions: 1.466^20 = 2,100 for the largest stake, of a sixteenth of three quarters: above 25.
  it('alarms at a drop, and keeps the alarm when search has recovered', async () => {
    const nights = [];
    for (const rank of [1, 1, 2, 1]) nights.push(await evaluateNight(rank));
    const { series } = await readTrends();
    const [found] = series;

    expect(found?.drift).toMatchObject({
      verdict: 'worse',
      alarm: { evaluation: nights[2] },
      validNights: 4,
    });
    expect(found?.nights[2]).toMatchObject({ meanDifference: -0.5, means: { night: 0.5 } });
    expect(found!.nights[1]!.evidence).toBeLessThan(1);
    expect(found!.nights[2]!.evidence).toBeGreaterThan(25);
  });

  it('does not alarm at a drop that is accepted', async () => {
    await evaluateNight(1);
    await evaluateNight(2);
    const { series } = await readTrends('&maxDrop=0.5');

    expect(series[0]?.drift).toMatchObject({ verdict: 'inconclusive', alarm: null });
  });

  it.each([
    ['another configuration', { depth: 9 }, {}, 'configuration-changed'],
    ['a sample', {}, { sample: { size: 10, seed: 1 } }, 'other-questions'],
  ])('marks a night with %s, and never alarms at it', async (_name, change, more, code) => {
    const configurations = [{ name: 'nightly', backend: 'run', run: 'nightly', ...change }];
    await evaluateNight(1);
    await evaluateNight(3, { configurations, ...more });
    await evaluateNight(3, { configurations, ...more });
    const { series } = await readTrends();
    const [found] = series;

    expect(found?.drift).toMatchObject({
      verdict: 'inconclusive',
      validNights: 1,
      invalidNights: 2,
    });
    expect(found?.nights[1]).toMatchObject({
      status: 'invalid',
      faults: [{ code }],
      meanDifference: null,
      interval: null,
      margin: null,
    });
    expect(found?.nights[1]?.means.night).toBeCloseTo(1 / 3, 12);
  });

  it('marks a night with other labels', async () => {
    const judgments = [{ questionId: 'q01', documentId: 'no0', grade: 1 }];
    await ask(app, 'POST', '/v1/question-sets/s/judgments', { body: { judge: 'jo', judgments } });
    await evaluateNight(2);
    const { series } = await readTrends();

    expect(series[0]?.nights[0]).toMatchObject({
      status: 'invalid',
      faults: [{ code: 'question-set-changed' }],
    });
    expect(series[0]?.drift.verdict).toBe('inconclusive');
  });

  it('takes rankings under another name as the search’s answer of that night', async () => {
    await evaluateRanks(
      app,
      { 'nightly-2': all(1) },
      {
        configurations: [{ name: 'nightly', backend: 'run', run: 'nightly-2' }],
      },
    );
    const { series } = await readTrends();

    expect(series[0]?.nights[0]).toMatchObject({ status: 'valid', meanDifference: 0 });
  });

  it('lists the latest nights, those of a label, and no rescored ones', async () => {
    const first = await evaluateNight(1, { label: 'nightly' });
    const second = await evaluateNight(1);
    await send(app, 'POST', `/v1/eval/${second}/rescore`, { headers: { prefer: 'wait=60' } });
    expect(idsOf(await readTrends())).toEqual([first, second]);
    expect(idsOf(await readTrends('&limit=1'))).toEqual([second]);
    expect(idsOf(await readTrends('&label=nightly'))).toEqual([first]);
  });

  it('has a series for each measure, those of the baseline unless some are named', async () => {
    await evaluateNight(2);
    const named = await readTrends('&measure=hit@1&measure=RR');
    const usual = await ask<TrendsAnswer>(app, 'GET', '/v1/trends?baseline=main');

    expect(named.series.map(({ measure, nights }) => [measure, nights[0]?.meanDifference])).toEqual(
      [
        ['RR', -0.5],
        ['hit@1', -1],
      ],
    );
    expect(usual.series.map(({ measure }) => measure)).toEqual(['RR', 'P@1']);
  });

  it.each([
    ['an unknown baseline', 'baseline=nope', 404],
    ['no baseline', 'measure=RR', 400],
    ['an unknown measure', 'baseline=main&measure=nope', 400],
    ['a measure without an upper bound', 'baseline=main&measure=DCG@5', 400],
    ['a misspelt field', 'baseline=main&mesure=RR', 400],
  ])('refuses %s', async (_name, query, status) => {
    expect((await app.inject(`/v1/trends?${query}`)).statusCode).toBe(status);
  });
});

const metadata = { plant: ['north'] };
const north = { documentMetadata: [{ key: 'plant', value: ['north'] }] };
const documents = [{ id: 'yes', title: 'pump', paragraphs: ['pump'], metadata }];

describe.each(databaseKinds)('GET /v1/trends of searches on %s', (kind) => {
  let app: FastifyInstance;
  beforeEach(async () => {
    app = await createTestApp({ databaseUrl: await createDatabase(kind) });
    const questions = rankedQuestions(10).map((question, index) => ({
      ...question,
      text: 'pump',
      user: index === 0 ? 'ben' : 'anna',
    }));
    await ask(app, 'PUT', '/v1/question-sets/s', { body: { questions } });
    await ask(app, 'PUT', '/v1/corpora/c', { body: { documents } });
    const { id: evaluation } = await search();
    await ask(app, 'PUT', '/v1/baselines/main', { body: { evaluation, configuration: 'bm25' } });
  });

  const search = (users: object = { anna: north, ben: north }) =>
    evaluate(app, {
      questionSet: 's',
      configurations: [{ name: 'bm25', backend: 'local', corpus: 'c', method: 'bm25', users }],
      measures: ['RR'],
    });
  const readNights = async (query = '') => {
    const url = `/v1/trends?baseline=main&measure=RR${query}`;
    const [found] = (await ask<TrendsAnswer>(app, 'GET', url)).series;
    return found!.nights.map(({ status, faults }) => [status, ...faults.map(({ code }) => code)]);
  };

  it('marks a night whose corpus holds something else', async () => {
    await search();
    await ask(app, 'PUT', '/v1/corpora/c', { body: { documents: [{ ...documents[0], id: 'x' }] } });
    await search();

    expect(await readNights()).toEqual([['valid'], ['invalid', 'input-changed']]);
  });

  it('marks nights whose searches failed, all of them or more than allowed', async () => {
    await search({ anna: north });
    await search({});

    expect(await readNights()).toEqual([
      ['invalid', 'configuration-changed', 'failures'],
      ['invalid', 'evaluation-failed', 'configuration-changed', 'failures'],
    ]);
    expect((await readNights('&allowedFailedShare=0.1'))[0]).toEqual([
      'invalid',
      'configuration-changed',
    ]);
  });
});
