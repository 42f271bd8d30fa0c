import { describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { ask, evaluate, send } from '../helpers/client.ts';
import { bm25, pumpDocuments } from '../helpers/fixtures.ts';

const configurations = [
  { ...bm25, name: 'plain', analyzer: 'plain' },
  { ...bm25, name: 'default' },
  { ...bm25, name: 'english', analyzer: 'english', k1: 0.9, b: 0.4 },
];

describe('analyzers of the local backend', () => {
  it('find the documents whose words have the same stems', async () => {
    const app = await createTestApp();
    await ask(app, 'PUT', '/v1/corpora/pumps', { body: { documents: pumpDocuments } });
    // No document holds one of the words as it stands here. P2 has "leaks", P3 "inspection" and "inspector".
    const questions = [
      { id: 'q1', text: 'leaking', relevant: { P2: 1 } },
      { id: 'q2', text: 'inspected', relevant: { P3: 1 } },
    ];
    await ask(app, 'PUT', '/v1/question-sets/stems', { body: { questions } });

    const { scorecard } = await evaluate(app, {
      questionSet: 'stems',
      configurations,
      measures: ['R@10'],
    });

    expect(scorecard.map(({ measures }) => measures['R@10'])).toEqual([0, 0, 1]);
    expect(scorecard.map(({ questions: { empty } }) => empty)).toEqual([2, 2, 0]);
  });

  it.each([
    ['/body/analyzer', { analyzer: 'french' }],
    ['/body/k1', { k1: -1 }],
    ['/body/b', { b: 1.1 }],
  ])('point at %s when it is invalid', async (pointer, field) => {
    const app = await createTestApp();
    const answer = await send(app, 'PUT', '/v1/search-configurations/c', {
      body: { ...bm25, ...field },
    });

    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ pointer }] });
  });
});
