import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { ask, evaluate, send } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { bm25, pumpDocuments, pumpQuestions } from '../helpers/fixtures.ts';
import { evaluateRanks, rankedQuestions } from '../helpers/runs.ts';

interface BaselineAnswer {
  readonly name: string;
  readonly evaluation: string;
  readonly configuration: string;
  readonly createdAt: string;
}

describe.each(databaseKinds)('/v1/baselines on %s', (kind) => {
  let app: FastifyInstance;
  let evaluation: string;
  beforeEach(async () => {
    app = await createTestApp({ databaseUrl: await createDatabase(kind) });
    await ask(app, 'PUT', '/v1/question-sets/s', { body: { questions: rankedQuestions(3) } });
    evaluation = (await evaluateRanks(app, { one: [1, 1, 1], two: [2, 2, 2] })).id;
  });

  const put = (name: string, body: object) => send(app, 'PUT', `/v1/baselines/${name}`, { body });

  it('names a run, again without a change, and then another', async () => {
    const first = await put('main', { evaluation, configuration: 'one' });
    const again = await put('main', { evaluation, configuration: 'one' });
    const moved = await put('main', { evaluation, configuration: 'two' });
    const read = await app.inject('/v1/baselines/main');

    expect([first, again, moved].map(({ statusCode }) => statusCode)).toEqual([201, 200, 200]);
    expect(first.json<BaselineAnswer>()).toMatchObject({
      name: 'main',
      evaluation,
      configuration: 'one',
    });
    expect(again.body).toBe(first.body);
    expect(read.json<BaselineAnswer>()).toEqual(moved.json<BaselineAnswer>());
    expect(read.json<BaselineAnswer>().configuration).toBe('two');
  });

  it('lists them by name, in pages', async () => {
    await put('b', { evaluation, configuration: 'one' });
    await put('a', { evaluation, configuration: 'two' });
    const page = await app.inject('/v1/baselines?limit=1');
    const { items, nextCursor } = page.json<{ items: BaselineAnswer[]; nextCursor: string }>();
    const next = await app.inject(`/v1/baselines?limit=1&cursor=${nextCursor}`);

    expect(items.map(({ name }) => name)).toEqual(['a']);
    expect(next.json()).toMatchObject({ items: [{ name: 'b' }], nextCursor: null });
  });

  it('keeps the evaluation that a baseline names', async () => {
    await put('main', { evaluation, configuration: 'one' });
    const refused = await app.inject({ method: 'DELETE', url: `/v1/eval/${evaluation}` });
    const unnamed = await app.inject({ method: 'DELETE', url: '/v1/baselines/main' });
    const deleted = await app.inject({ method: 'DELETE', url: `/v1/eval/${evaluation}` });

    expect(refused.statusCode).toBe(409);
    expect(refused.json<{ detail: string }>().detail).toContain("baseline 'main'");
    expect([unnamed.statusCode, deleted.statusCode]).toEqual([204, 204]);
  });

  it.each([
    ['an unknown evaluation', { evaluation: 'nope', configuration: 'one' }],
    ['an unknown configuration', { configuration: 'nope' }],
  ])('answers 404 for %s', async (_name, change) => {
    const answer = await put('main', { evaluation, ...change });
    const read = await app.inject('/v1/baselines/main');

    expect([answer.statusCode, read.statusCode]).toEqual([404, 404]);
  });

  it('refuses an evaluation that has not succeeded', async () => {
    const asked = pumpQuestions.map((question) => ({ ...question, user: 'nobody' }));
    await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: asked } });
    await ask(app, 'PUT', '/v1/corpora/pumps', { body: { documents: pumpDocuments } });
    const { id, status } = await evaluate(app, {
      questionSet: 'pumps',
      configurations: [{ name: 'bm25', ...bm25 }],
    });
    const answer = await put('main', { evaluation: id, configuration: 'bm25' });

    expect(status).toBe('failed');
    expect(answer.statusCode).toBe(409);
    expect(answer.json<{ detail: string }>().detail).toContain('is failed');
  });

  it.each(['GET', 'DELETE'] as const)('answers %s of an unknown one with 404', async (method) => {
    const answer = await app.inject({ method, url: '/v1/baselines/nope' });

    expect(answer.statusCode).toBe(404);
  });
});
