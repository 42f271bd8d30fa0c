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

  const rowOf = ({ scorecard }: EvaluationAnswer) => scorecard[0] as unknown as UncertainRow;
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
});
