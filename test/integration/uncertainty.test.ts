import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { meanInterval } from '../../src/ir/statistics/mean-interval.ts';
import { startService, type TestService } from '../helpers/app.ts';
import { ask, evaluate, send, type EvaluationAnswer } from '../helpers/client.ts';

interface Ends {
  readonly low: number;
  readonly high: number;
}

interface UncertainRow {
  readonly measures: Readonly<Record<string, number>>;
  readonly intervals?: Readonly<Record<string, Ends>>;
  readonly bounds?: Readonly<Record<string, Ends>>;
  readonly slices: Readonly<
    Record<string, Record<string, { readonly intervals?: Record<string, Ends | null> }>>
  >;
}

interface ImpactAnswer {
  readonly questions: readonly {
    readonly id: string;
    readonly documents: readonly {
      readonly documentId: string;
      readonly impact: number;
      readonly order: number;
    }[];
  }[];
  readonly impact: { readonly labelsLeft: Readonly<Record<'ifNotRelevant' | 'atBest', number>> };
}

/** The answer of each question stands at another rank: RR is 1, 1/2, 1/3 and 1. */
const questions = [
  { id: 'a', text: 'question a', kind: 'x', relevant: { yes: 1 } },
  { id: 'b', text: 'question b', kind: 'x', relevant: { yes: 1 } },
  { id: 'c', text: 'question c', kind: 'x', relevant: { yes: 1 } },
  { id: 'd', text: 'question d', kind: 'y', relevant: { yes: 2 } },
];
const share = { least: 0, most: 1 };
const rank = (...ids: string[]) => ids.map((documentId) => ({ documentId }));
const rankings = {
  a: rank('yes', 'u'),
  b: rank('u', 'yes'),
  c: rank('u', 'v', 'yes'),
  d: rank('yes'),
};
const request = {
  questionSet: 's',
  configurations: [{ name: 'one', backend: 'run', run: 'one' }],
  measures: ['RR', 'P@1'],
  sliceBy: ['kind'],
};

const rowOf = ({ scorecard }: EvaluationAnswer) => scorecard[0] as unknown as UncertainRow;

describe('what a mean cannot say', () => {
  let service: TestService;
  let app: FastifyInstance;
  beforeAll(async () => {
    service = await startService();
    app = service.app;
    await ask(app, 'PUT', '/v1/question-sets/s', { body: { questions } });
    await ask(app, 'PUT', '/v1/runs/one', { body: { rankings } });
  });
  afterAll(() => service.close());

  const report = async (more: object, format: string) => {
    const { id } = await evaluate(app, { ...request, ...more });
    return (await app.inject(`/v1/eval/${id}/report?format=${format}`)).body;
  };
  const pool = (body: object) => send(app, 'POST', '/v1/pool', { body });
  const evaluateWith = async (more: object) => rowOf(await evaluate(app, { ...request, ...more }));

  describe('intervals', () => {
    it('gives the interval of every mean, and leaves the means as they are', async () => {
      const options = { confidence: 0.9, resamples: 3000, seed: 5 };
      const plain = await evaluateWith({});
      const row = await evaluateWith({ intervals: options });

      expect(plain.intervals).toBeUndefined();
      expect(row.measures).toEqual(plain.measures);
      expect(row.intervals?.['RR']).toEqual(meanInterval([1, 1 / 2, 1 / 3, 1], share, options));
      expect(row.intervals?.['P@1']).toEqual(meanInterval([1, 0, 0, 1], share, options));
    });

    it('gives those of every slice, null for a slice of one question', async () => {
      const { slices } = await evaluateWith({ intervals: true });
      const usual = { confidence: 0.95, resamples: 2000, seed: 1 };

      expect(slices['kind']?.['x']?.intervals?.['RR']).toEqual(
        meanInterval([1, 1 / 2, 1 / 3], share, usual),
      );
      expect(slices['kind']?.['y']?.intervals?.['RR']).toBeNull();
    });

    it('keeps them in a rescore', async () => {
      const { id } = await evaluate(app, { ...request, intervals: { seed: 9 } });
      const headers = { prefer: 'wait=60' };
      const rescored = await ask<EvaluationAnswer>(app, 'POST', `/v1/eval/${id}/rescore`, {
        headers,
      });

      expect(rowOf(rescored).intervals?.['RR']).toMatchObject({ seed: 9, resamples: 2000 });
    });

    it.each([
      [{ resamples: 1000 }, '/body/intervals/resamples'],
      [{ confidence: 1 }, '/body/intervals/confidence'],
      ['yes', '/body/intervals'],
    ])('refuses %j', async (intervals, pointer) => {
      const answer = await send(app, 'POST', '/v1/eval', { body: { ...request, intervals } });

      expect(answer.statusCode).toBe(400);
      expect(answer.json<{ errors: object[] }>().errors).toMatchObject([{ pointer }]);
    });
  });

  describe('bounds', () => {
    // By hand: only b and c have an unjudged document above the answer. Relevant or not, it makes
    // their RR 1 or leaves it at 1/2 and 1/3, and their P@1 1 or 0.
    it('says what each mean could be', async () => {
      const plain = await evaluateWith({});
      const { bounds, measures } = await evaluateWith({ bounds: true });

      expect(plain.bounds).toBeUndefined();
      expect(measures).toEqual(plain.measures);
      expect(Object.keys(bounds ?? {})).toEqual(['RR', 'P@1']);
      expect(bounds?.['P@1']).toEqual({ low: 0.5, high: 1 });
      expect(bounds?.['RR']?.low).toBeCloseTo((1 + 1 / 2 + 1 / 3 + 1) / 4, 12);
      expect(bounds?.['RR']?.high).toBe(1);
    });

    // By hand, a: the judged 1 stands first, u behind it; u = 2, the highest grade of the set, makes the
    // ideal 2 + 1 / log2(3).
    it('says it of each question, on the scale of the whole set', async () => {
      const measures = ['nDCG', 'AP'];
      const { id } = await evaluate(app, { ...request, measures, bounds: true });
      const url = `/v1/eval/${id}/questions?configuration=one`;
      const { items } = await ask<{ items: { bounds: Record<string, Ends> }[] }>(app, 'GET', url);
      const discount = 1 / Math.log2(3);

      expect(Object.keys(items[0]?.bounds ?? {})).toEqual(['nDCG']);
      expect(items[0]?.bounds['nDCG']?.low).toBeCloseTo((1 + 2 * discount) / (2 + discount), 12);
      expect(items[0]?.bounds['nDCG']?.high).toBe(1);
      expect(items[3]?.bounds['nDCG']).toEqual({ low: 1, high: 1 });
    });
  });

  // By hand: RR is 1, 1/2, 1/3, 1 with the mean 17/24 = 0.7083, P@1 1, 0, 0, 1. The intervals of two and of
  // one question are wide and absent; bounds as above.
  describe('GET /v1/eval/{id}/report', () => {
    const options = { confidence: 0.9, resamples: 3000, seed: 5 };

    it('shows intervals beside the means, and how they were made', async () => {
      const text = await report({ intervals: options }, 'markdown');
      const interval = meanInterval([1, 1 / 2, 1 / 3, 1], share, options)!;
      const ends = `${interval.low.toFixed(4)} to ${interval.high.toFixed(4)}`;

      expect(text).toContain(`| one | 0.7083 (${ends}) | 0.5000 (`);
      expect(text).toContain(
        "the 90 % confidence interval of the mean over all such questions (Gaffke's bounds, for hits those of Clopper and Pearson)",
      );
      expect(text).toContain('| y | one | 1 | 1.0000 | 1.0000 |');
      expect(text).not.toContain('Effect of unjudged documents');
    });

    it('shows what the unjudged documents could change', async () => {
      const text = await report({ bounds: true }, 'markdown');
      const html = await report({ bounds: true }, 'html');

      expect(text).toContain('| configuration | RR | P@1 |\n| --- | ---: | ---: |\n');
      expect(text).toContain('| one | 0.7083 to 1.0000 | 0.5000 to 1.0000 |');
      expect(text).not.toContain('In parentheses');
      expect(html).toContain('<td align="right">0.5000 to 1.0000</td>');
    });

    it('has columns for both in CSV, empty where a mean has none, and no columns for neither', async () => {
      const both = await report({ intervals: options, bounds: true }, 'csv');
      const neither = await report({}, 'csv');
      const { low, high } = meanInterval([1, 0, 0, 1], share, options)!;

      expect(both.split('\n', 1)[0]).toBe(
        'configuration,slice,value,questions,measure,mean,intervalLow,intervalHigh,confidence,boundLow,boundHigh',
      );
      expect(both).toContain(`\none,,,4,P@1,0.5,${low},${high},0.9,0.5,1\n`);
      expect(both).toContain('\none,kind,y,1,P@1,1,,,,,\n');
      expect(neither.split('\n', 1)[0]).toBe('configuration,slice,value,questions,measure,mean');
    });
  });

  describe('POST /v1/pool', () => {
    let evaluation: string;
    beforeAll(async () => {
      // On a, `two` has an unjudged document above the answer; on b both have u, on other ranks.
      const other = { a: rank('w', 'yes'), b: rank('yes', 'u'), c: rank('yes'), d: rank('yes') };
      await ask(app, 'PUT', '/v1/runs/two', { body: { rankings: other } });
      const two = { name: 'two', backend: 'run', run: 'two' };
      const configurations = [...request.configurations, two];
      evaluation = (await evaluate(app, { ...request, configurations })).id;
    });

    const byImpact = { order: 'impact', pair: ['one', 'two'], measure: 'P@1' };

    // By hand, P@1 of `two` - `one`: a is -1 unless w is relevant, b is 1 unless u is, c is 1 unless u is,
    // d is 0. So each of three labels can move the mean by 1/4, and the mean lies between -1/4 and 2/4.
    it('sorts by impact, and says how many labels are left', async () => {
      const found = (await pool({ evaluation, ...byImpact })).json<ImpactAnswer>();
      const listed = found.questions.flatMap(({ id, documents }) =>
        documents.map(({ documentId, impact, order }) => [id, documentId, impact, order]),
      );

      expect(listed).toEqual([
        ['a', 'w', 0.25, 1],
        ['a', 'u', 0, 4],
        ['b', 'u', 0.25, 2],
        ['c', 'u', 0.25, 3],
        ['c', 'v', 0, 5],
      ]);
      expect(found.impact).toMatchObject({
        measure: 'P@1',
        baseline: 'one',
        candidate: 'two',
        labels: 5,
        bounds: { low: -0.25, high: 0.5 },
        decision: 'undecided',
      });
      // Any label of 0 confirms the score: w = 0 leaves low at -1/4, u = 0 on b and c lift it to 0 and 1/4.
      expect(found.impact.labelsLeft.ifNotRelevant).toBe(3);
    });

    // By hand: in the top 1 only `one` has the answer of a, and only `two` those of b and c; w and u are not
    // judged. Left without their judgments, both keep only d, so P@1 falls to 1/4.
    it('says how far each configuration falls without what only it brought', async () => {
      const body = { evaluation, depth: 1, bias: true, measure: 'P@1' };
      const { bias } = (await pool(body)).json<{ bias: object[] }>();

      expect(bias).toEqual([
        {
          configuration: 'one',
          name: 'one',
          questions: 4,
          uniqueDocuments: 3,
          uniqueQuestions: 3,
          uniqueJudged: 1,
          uniqueRelevant: 1,
          mean: 0.5,
          meanWithout: 0.25,
          scoreDrop: 0.25,
          fall: 0.25,
        },
        {
          configuration: 'two',
          name: 'two',
          questions: 4,
          uniqueDocuments: 3,
          uniqueQuestions: 3,
          uniqueJudged: 2,
          uniqueRelevant: 2,
          mean: 0.75,
          meanWithout: 0.25,
          scoreDrop: 0.5,
          fall: 0.5,
        },
      ]);
    });

    it('has neither unasked', async () => {
      const found = (await pool({ evaluation })).json<object>();

      expect(Object.keys(found)).toEqual([
        'depth',
        'questionSet',
        'questions',
        'unjudged',
        'coverage',
      ]);
    });

    it.each([
      [{ order: 'impact', measure: 'P@1' }, '/body/pair'],
      [{ ...byImpact, measure: undefined }, '/body/measure'],
      [{ ...byImpact, measure: 'AP' }, '/body/measure'],
      [{ ...byImpact, pair: ['one', 'one'] }, '/body/pair'],
      [{ ...byImpact, configurations: ['one'] }, '/body/configurations'],
      [{ bias: true }, '/body/measure'],
      [{ measure: 'RR' }, '/body/measure'],
    ])('refuses %j', async (body, pointer) => {
      const answer = await pool({ evaluation, ...body });

      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ errors: [{ pointer }] });
    });

    it('answers 404 for a configuration that is not there', async () => {
      const answer = await pool({ evaluation, ...byImpact, pair: ['one', 'three'] });

      expect(answer.statusCode).toBe(404);
    });
  });
});
