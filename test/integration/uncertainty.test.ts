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

/** The answer of each question stands at another rank: RR is 1, 1/2, 1/3 and 1. */
const questions = [
  { id: 'a', text: 'question a', kind: 'x', relevant: { yes: 1 } },
  { id: 'b', text: 'question b', kind: 'x', relevant: { yes: 1 } },
  { id: 'c', text: 'question c', kind: 'x', relevant: { yes: 1 } },
  { id: 'd', text: 'question d', kind: 'y', relevant: { yes: 2 } },
];
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

  const evaluateWith = async (more: object) => rowOf(await evaluate(app, { ...request, ...more }));

  describe('intervals', () => {
    it('gives the BCa interval of every mean, and leaves the means as they are', async () => {
      const options = { confidence: 0.9, resamples: 3000, seed: 5 };
      const plain = await evaluateWith({});
      const row = await evaluateWith({ intervals: options });

      expect(plain.intervals).toBeUndefined();
      expect(row.measures).toEqual(plain.measures);
      expect(row.intervals?.['RR']).toEqual(meanInterval([1, 1 / 2, 1 / 3, 1], options));
      expect(row.intervals?.['P@1']).toEqual(meanInterval([1, 0, 0, 1], options));
    });

    it('gives those of every slice, null for a slice of one question', async () => {
      const { slices } = await evaluateWith({ intervals: true });
      const usual = { confidence: 0.95, resamples: 2000, seed: 1 };

      expect(slices['kind']?.['x']?.intervals?.['RR']).toEqual(
        meanInterval([1, 1 / 2, 1 / 3], usual),
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
});
