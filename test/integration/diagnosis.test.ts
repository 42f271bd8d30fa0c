import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startService, type TestService } from '../helpers/app.ts';
import { ask, evaluate } from '../helpers/client.ts';

interface DiagnosisAnswer {
  readonly k: number;
  readonly questions: number;
  readonly relevant: number;
  readonly lost: number;
  readonly causes: Readonly<
    Record<
      string,
      { readonly documents: number; readonly share: number | null; readonly questions: number }
    >
  >;
  readonly slices: Readonly<Record<string, Record<string, { readonly lost: number }>>>;
  readonly unfiltered: Readonly<Record<string, number>>;
  readonly advice: readonly string[];
}

interface LossesAnswer {
  readonly items: readonly {
    readonly id: string;
    readonly lost: readonly {
      readonly documentId: string;
      readonly cause: string;
      readonly ranks: object;
    }[];
  }[];
  readonly nextCursor: string | null;
}

const questions = [
  { id: 'a', text: 'question a', kind: 'x', relevant: { top: 2, low: 1, gone: 1, no: 0 } },
  { id: 'b', text: 'question b', kind: 'y', relevant: { top: 1 } },
  { id: 'c', text: 'question c', kind: 'y', relevant: { low: 1 } },
  { id: 'd', text: 'nobody knows', kind: 'y', answerable: false },
];
const rank = (...ids: string[]) => ids.map((documentId) => ({ documentId }));
const rankings = {
  a: rank('top', 'no', 'u', 'low'),
  b: rank('u', 'top'),
  c: rank('u', 'v', 'low'),
};

describe('GET /v1/eval/{id}/diagnosis', () => {
  let service: TestService;
  let app: FastifyInstance;
  let id: string;
  const diagnose = (query = '') =>
    ask<DiagnosisAnswer>(app, 'GET', `/v1/eval/${id}/diagnosis?configuration=r${query}`);
  const list = (query = '') =>
    ask<LossesAnswer>(app, 'GET', `/v1/eval/${id}/diagnosis/questions?configuration=r${query}`);

  beforeAll(async () => {
    service = await startService();
    ({ app } = service);
    await ask(app, 'PUT', '/v1/question-sets/s', { body: { questions } });
    await ask(app, 'PUT', '/v1/runs/r', { body: { rankings } });
    const configurations = [{ name: 'r', backend: 'run', run: 'r' }];
    const request = { questionSet: 's', configurations, measures: ['P@2'], sliceBy: ['kind'] };
    ({ id } = await evaluate(app, request));
  });
  afterAll(() => service.close());

  it('counts each lost document under one cause, at the deepest cut-off', async () => {
    const { advice, unfiltered, slices, ...counts } = await diagnose();

    expect(counts).toMatchObject({ k: 2, questions: 3, relevant: 5, lost: 3 });
    expect(counts.causes['below-k']).toEqual({ documents: 2, share: 2 / 3, questions: 2 });
    expect(counts.causes['absent']).toEqual({ documents: 1, share: 1 / 3, questions: 1 });
    expect(counts.causes['filtered']).toEqual({ documents: 0, share: 0, questions: 0 });
    expect(slices).toMatchObject({ kind: { x: { lost: 2 }, y: { lost: 1 } } });
    expect(unfiltered).toEqual({ searched: 0, failed: 0, notAsked: 0 });
    expect(advice).toEqual([
      'below-k: 2 of 3 lost documents (67 %), of 2 questions: within reach, but ranked too low: add or improve re-ranking, or show more than k documents.',
      'absent: 1 of 3 lost documents (33 %), of 1 question: in no list, so re-ranking cannot help: rewrite the questions, search more widely, or check that the documents are indexed.',
    ]);
  });

  it('looks as deep as it is told, from the grade it is told', async () => {
    const { lost, advice, causes } = await diagnose('&k=4&relevantFrom=2');
    expect({ lost, share: causes['absent']?.share }).toEqual({ lost: 0, share: null });
    expect(advice).toEqual(['Every relevant document (1) is in the top 4.']);
  });

  it('lists the questions with what they lost, page by page', async () => {
    const first = await list('&limit=1');
    const cursor = encodeURIComponent(first.nextCursor ?? '');
    const second = await list(`&limit=1&cursor=${cursor}`);

    expect(first.items).toMatchObject([
      {
        id: 'a',
        lost: [
          {
            documentId: 'low',
            grade: 1,
            cause: 'below-k',
            ranks: { version: 4, fused: 4, final: 4 },
          },
          {
            documentId: 'gone',
            cause: 'absent',
            ranks: { version: null, fused: null, final: null },
          },
        ],
      },
    ]);
    expect(second).toMatchObject({ items: [{ id: 'c' }], nextCursor: null });
  });

  it.each([
    ['diagnosis?configuration=other', 404],
    ['diagnosis?configuration=r&k=0', 400],
    ['diagnosis/questions?configuration=r&cursor=x', 400],
  ])('refuses %s', async (path, status) => {
    expect((await app.inject({ url: `/v1/eval/${id}/${path}` })).statusCode).toBe(status);
  });
});
