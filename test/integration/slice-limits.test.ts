import { describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { ask, evaluate, send } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';

interface Problem {
  readonly detail: string;
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
}

/** 49 precisions; each brings its judged@k. */
const manyMeasures = Array.from({ length: 49 }, (_, index) => `P@${index + 1}`);

function makeQuestions(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: `q${index}`,
    text: `question ${index}`,
    user: `user-${index}`,
    tags: ['a', `tag-${index % 3}`],
    relevant: { yes: 1 },
  }));
}

const run = { name: 'run', backend: 'run', run: 'run' };

describe.each(databaseKinds)('slices of a scorecard on %s', { timeout: 60_000 }, (kind) => {
  it('are refused when the scorecard would not hold them, before anything is stored', async () => {
    const app = await createTestApp({ databaseUrl: await createDatabase(kind) });
    await ask(app, 'PUT', '/v1/question-sets/users', { body: { questions: makeQuestions(1200) } });
    await ask(app, 'PUT', '/v1/runs/run', { body: { rankings: { q0: [{ documentId: 'yes' }] } } });
    const body = {
      questionSet: 'users',
      configurations: [run],
      measures: manyMeasures,
      sliceBy: ['user', 'tags'],
    };

    const refused = await send(app, 'POST', '/v1/eval', { body });

    expect(refused.statusCode).toBe(400);
    const { errors } = refused.json<Problem>();
    // 49 precisions, a judged@k for each, and the count: 99 numbers a slice, so that 1010 fit into 100,000.
    expect(errors).toEqual([
      {
        pointer: '/body/sliceBy',
        detail: expect.stringMatching(
          /^makes 1204 slices \(1200 of user, 4 of tags\) with 99 numbers .* at most 1010 slices are allowed/,
        ),
      },
    ]);
    const estimated = await send(app, 'POST', '/v1/eval?dryRun=true', { body });
    expect(estimated.statusCode).toBe(400);
    const { items } = await ask<{ items: unknown[] }>(app, 'GET', '/v1/eval');
    expect(items).toEqual([]);
  });

  it('count those of the questions that are asked, each configuration and each interval', async () => {
    const app = await createTestApp({ databaseUrl: await createDatabase(kind) });
    await ask(app, 'PUT', '/v1/question-sets/users', { body: { questions: makeQuestions(1200) } });
    await ask(app, 'PUT', '/v1/runs/run', { body: { rankings: { q0: [{ documentId: 'yes' }] } } });
    const start = async (more: object) => {
      const body = {
        questionSet: 'users',
        configurations: [run],
        measures: manyMeasures,
        sliceBy: ['user'],
        ...more,
      };
      const answer = await send(app, 'POST', '/v1/eval', { body });
      return answer.statusCode;
    };
    const twice = [run, { ...run, name: 'again' }];

    expect(await start({ sample: { size: 500, seed: 1 } })).toBe(202);
    expect(await start({ sample: { size: 600, seed: 1 }, configurations: twice })).toBe(400);
    expect(await start({ sample: { size: 300, seed: 1 }, intervals: true })).toBe(400);
    expect(await start({ sample: { size: 300, seed: 1 }, measures: ['RR'], intervals: true })).toBe(
      202,
    );
    expect(await start({ sliceBy: ['tags'] })).toBe(202);
  });

  it('are refused in a rescore with more measures too', async () => {
    const app = await createTestApp({ databaseUrl: await createDatabase(kind) });
    await ask(app, 'PUT', '/v1/question-sets/users', { body: { questions: makeQuestions(1200) } });
    await ask(app, 'PUT', '/v1/runs/run', { body: { rankings: { q0: [{ documentId: 'yes' }] } } });
    const { id } = await evaluate(app, {
      questionSet: 'users',
      configurations: [run],
      measures: ['RR'],
      sliceBy: ['user'],
    });

    const refused = await send(app, 'POST', `/v1/eval/${id}/rescore`, {
      body: { measures: manyMeasures },
    });

    expect(refused.statusCode).toBe(400);
    expect(refused.json<Problem>().errors[0]?.pointer).toBe('/body/sliceBy');
  });
});
