import { describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { ask, evaluate } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';

const questions = [
  { id: 'q1', text: 'one', relevant: { D1: 1, D2: 0 } },
  { id: 'q2', text: 'two', relevant: { D2: 1 } },
  { id: 'q3', text: 'three', relevant: { D1: 0 } },
  { id: 'q4', text: 'four', answerable: false },
  { id: 'q5', text: 'five', relevant: { D5: 1 } },
];

/** D1 comes first for q1 (relevant), q3 (judged 0) and q4 (unjudged); D2 for q2; nothing for q5. */
const rankings = { q1: ['D1', 'D2'], q2: ['D2', 'D1'], q3: ['D1', 'D3'], q4: ['D1'], q5: [] };

async function prepare(databaseUrl?: string) {
  const app = await createTestApp(databaseUrl === undefined ? {} : { databaseUrl });
  await ask(app, 'PUT', '/v1/question-sets/s', { body: { questions } });
  const listed = Object.entries(rankings).map(([id, ids]) => [
    id,
    ids.map((documentId) => ({ documentId })),
  ]);
  await ask(app, 'PUT', '/v1/runs/r', { body: { rankings: Object.fromEntries(listed) } });
  const configurations = [{ name: 'r', backend: 'run', run: 'r' }];
  const { id } = await evaluate(app, { questionSet: 's', configurations, measures: ['RR'] });
  return (query: string) => app.inject({ url: `/v1/eval/${id}/top-documents?${query}` });
}

describe.each(databaseKinds)('GET /v1/eval/{id}/top-documents on %s', (kind) => {
  it('lists the documents that come first, the most frequent one first', async () => {
    const get = await prepare(await createDatabase(kind));

    expect((await get('configuration=r')).json()).toEqual({
      configuration: 'r',
      k: 10,
      questions: 4,
      firstDocuments: 2,
      items: [
        { documentId: 'D1', first: 3, firstRelevant: 1, firstUnjudged: 1, inTop: 4 },
        { documentId: 'D2', first: 1, firstRelevant: 1, firstUnjudged: 0, inTop: 2 },
      ],
    });
  });
});

describe('GET /v1/eval/{id}/top-documents', () => {
  it('takes the depth and the number of documents', async () => {
    const get = await prepare();

    expect((await get('configuration=r&k=1&limit=1')).json()).toMatchObject({
      k: 1,
      firstDocuments: 2,
      items: [{ documentId: 'D1', first: 3, inTop: 3 }],
    });
  });

  it.each([
    ['configuration=none', 404],
    ['', 400],
    ['configuration=r&k=0', 400],
  ])('refuses %s', async (query, status) => {
    const get = await prepare();

    expect((await get(query)).statusCode).toBe(status);
  });
});
