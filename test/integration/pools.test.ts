import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { ask, evaluate, send } from '../helpers/client.ts';
import { bm25, hybrid, pumpDocuments, pumpLexicon, pumpQuestions } from '../helpers/fixtures.ts';

interface PoolAnswer {
  readonly depth: number;
  readonly questionSet: { readonly version: number };
  readonly unjudged: number;
  readonly coverage: Record<string, number>;
  readonly questions: readonly {
    readonly id: string;
    readonly text: string;
    readonly documents: readonly {
      readonly documentId: string;
      readonly title: string | null;
      readonly snippet: string | null;
      readonly retrievedBy: readonly object[];
    }[];
  }[];
}

describe('POST /v1/pool', () => {
  let app: FastifyInstance;
  let evaluation: string;
  const request = {
    questionSet: 'pumps',
    configurations: [
      { name: 'bm25', ...bm25 },
      { name: 'both', ...hybrid },
    ],
    measures: ['P@3'],
  };
  beforeEach(async () => {
    app = await createTestApp();
    const corpus = { documents: pumpDocuments, lexicon: pumpLexicon };
    await ask(app, 'PUT', '/v1/corpora/pumps', { body: corpus });
    await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: pumpQuestions } });
    evaluation = (await evaluate(app, request)).id;
  });

  const pool = (body: object) => ask<PoolAnswer>(app, 'POST', '/v1/pool', { body });

  // q1 finds P2 (judged) and P1 (not) with both; q2 finds P1 and P2, both judged; q3 only P3.
  it('lists what nobody judged, with the text to judge and who brought it', async () => {
    const found = await pool({ evaluation, depth: 3 });

    expect(found).toMatchObject({ depth: 3, unjudged: 1, questionSet: { version: 1 } });
    expect(found.questions).toEqual([
      {
        id: 'q1',
        text: 'pump drips oil',
        documents: [
          {
            documentId: 'P1',
            title: 'Pump does not start',
            snippet: 'Check the fuse before you replace the motor.',
            retrievedBy: [
              { configuration: 'bm25', rank: 2 },
              { configuration: 'both', rank: 2 },
            ],
          },
        ],
      },
    ]);
    expect(found.coverage['bm25']).toBeCloseTo((1 / 2 + 1 + 1) / 3, 12);
  });

  it('reads no further than its depth, and only the configurations that are named', async () => {
    const shallow = await pool({ evaluation, depth: 1 });
    const one = await pool({ evaluation, depth: 3, configurations: ['both'] });

    expect(shallow.unjudged).toBe(0);
    expect(Object.keys(one.coverage)).toEqual(['both']);
    expect(one.questions[0]?.documents[0]?.retrievedBy).toEqual([
      { configuration: 'both', rank: 2 },
    ]);
  });

  it('asks for no document again that was judged since', async () => {
    const judgments = [{ questionId: 'q1', documentId: 'P1', grade: 0 }];
    await ask(app, 'POST', '/v1/question-sets/pumps/judgments', {
      body: { judge: 'jo', judgments },
    });
    const found = await pool({ evaluation, depth: 3 });

    expect(found).toMatchObject({ unjudged: 0, questionSet: { version: 2 }, questions: [] });
    expect(found.coverage['bm25']).toBe(1);
  });

  it('joins evaluations and says which brought what', async () => {
    const other = (await evaluate(app, request)).id;
    const found = await pool({
      evaluations: [evaluation, other],
      depth: 2,
      configurations: ['bm25'],
    });

    expect(found.questions[0]?.documents[0]?.retrievedBy).toEqual([
      { evaluation, configuration: 'bm25', rank: 2 },
      { evaluation: other, configuration: 'bm25', rank: 2 },
    ]);
    expect(Object.keys(found.coverage)).toEqual([`bm25 (${evaluation})`, `bm25 (${other})`]);
  });

  it('shows no text of a corpus that changed since', async () => {
    const documents = pumpDocuments.map((document) => ({ ...document, title: 'Other' }));
    await ask(app, 'PUT', '/v1/corpora/pumps', { body: { documents } });
    const found = await pool({ evaluation, depth: 3 });

    expect(found.questions[0]?.documents[0]).toMatchObject({ title: null, snippet: null });
  });

  it('refuses evaluations of different question sets, and unknown names', async () => {
    await ask(app, 'PUT', '/v1/question-sets/other', { body: { questions: pumpQuestions } });
    const other = (await evaluate(app, { ...request, questionSet: 'other' })).id;
    const mixed = await send(app, 'POST', '/v1/pool', {
      body: { evaluations: [evaluation, other] },
    });
    const unknown = await send(app, 'POST', '/v1/pool', {
      body: { evaluation, configurations: ['nope'] },
    });

    expect([mixed.statusCode, unknown.statusCode]).toEqual([409, 404]);
  });
});
