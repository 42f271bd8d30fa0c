import { describe, expect, it, onTestFinished } from 'vitest';

import { startService } from '../helpers/app.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { createHeldSearches } from '../helpers/held-searches.ts';
import { createSender } from '../helpers/tenants.ts';
import { createTestSignIn, zoneB } from '../helpers/tokens.ts';

const questions = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `q${index}`,
    text: `question ${index}`,
    relevant: { P1: 1 },
  }));
const configurations = [{ name: 'r', backend: 'run', run: 'r' }];

describe.each(databaseKinds)('quotas on %s', (kind) => {
  it('let a tenant have so many unfinished evaluations, and tell when to come back', async () => {
    const { send, other } = await start({ evaluations: 2 });
    const evaluate = () =>
      send({ method: 'POST', url: '/v1/eval', payload: { questionSet: 's', configurations } });
    const answers = await Promise.all([evaluate(), evaluate(), evaluate(), evaluate()]);
    const accepted = answers.filter(({ statusCode }) => statusCode === 202);
    const refused = answers.find(({ statusCode }) => statusCode === 429);
    const byOther = await other({
      method: 'POST',
      url: '/v1/eval',
      payload: { questionSet: 's', configurations },
    });
    const { id } = accepted[0]!.json<{ id: string }>();
    await send({ method: 'POST', url: `/v1/eval/${id}/cancel` });
    const next = await evaluate();

    expect(accepted).toHaveLength(2);
    expect(refused?.headers['retry-after']).toBe('30');
    expect(refused?.json()).toMatchObject({
      type: 'urn:problem:grounding-eval:too-many-evaluations',
      detail: expect.stringContaining('2 evaluations are queued or running') as string,
    });
    expect(byOther.statusCode).toBe(202);
    expect(next.statusCode).toBe(202);
  });

  it('return what an idempotency key made before, also when there is room for nothing new', async () => {
    const { send } = await start({ evaluations: 1 });
    const payload = { questionSet: 's', configurations };
    const headers = { 'idempotency-key': 'k' };
    const first = await send({ method: 'POST', url: '/v1/eval', payload, headers });
    const again = await send({ method: 'POST', url: '/v1/eval', payload, headers });

    expect(again.statusCode).toBe(202);
    expect(again.headers['location']).toBe(first.headers['location']);
  });

  it('let a tenant have so many questions, and store nothing of what is too much', async () => {
    const { send, other } = await start({ questions: 10 });
    const put = (name: string, count: number) =>
      send({
        method: 'PUT',
        url: `/v1/question-sets/${name}`,
        payload: { questions: questions(count) },
      });
    const full = await put('t', 8);
    const tooMany = await put('u', 1);
    const qrels = await send({
      method: 'PUT',
      url: '/v1/question-sets/v/qrels?create=true',
      headers: { 'content-type': 'text/plain' },
      payload: 'q1 0 P1 1\n',
    });
    const fewer = await put('t', 7);
    const again = await put('u', 1);
    const sets = await send({ url: '/v1/question-sets' });
    const others = await other({
      method: 'PUT',
      url: '/v1/question-sets/t',
      payload: { questions: questions(8) },
    });

    expect(full.statusCode).toBe(201);
    expect([tooMany.statusCode, qrels.statusCode]).toEqual([409, 409]);
    expect(tooMany.json()).toMatchObject({
      type: 'urn:problem:grounding-eval:too-many-questions',
      detail: expect.stringContaining('11 questions; the limit is 10') as string,
    });
    expect([fewer.statusCode, again.statusCode]).toEqual([201, 201]);
    expect(sets.json<{ items: { name: string }[] }>().items.map(({ name }) => name)).toEqual([
      's',
      't',
      'u',
    ]);
    expect(others.statusCode).toBe(201);
  });

  it('let a set shrink that is larger than what is allowed by now', async () => {
    const { send } = await start({ questions: 1 }, 2);
    const payload = { questions: questions(2).slice(1) };
    const smaller = await send({ method: 'PUT', url: '/v1/question-sets/s', payload });

    expect(smaller.statusCode).toBe(201);
  });

  /** Two tenants with a set of so many questions and a run; what is evaluated does not end. */
  async function start(quotas: object, count = 2) {
    const databaseUrl = await createDatabase(kind);
    const signIn = await createTestSignIn();
    const filling = await startService({ databaseUrl, signIn });
    const tenants = [{}, { zone: zoneB }];
    for (const tenant of tenants) {
      const send = await createSender(filling.app, tenant);
      const payload = { questions: questions(count) };
      await send({ method: 'PUT', url: '/v1/question-sets/s', payload });
      const rankings = { q0: [{ documentId: 'P1' }] };
      await send({ method: 'PUT', url: '/v1/runs/r', payload: { rankings } });
    }
    await filling.close();
    const { retrievers, hold } = createHeldSearches();
    hold();
    const { app, close } = await startService({ databaseUrl, signIn, quotas, retrievers });
    onTestFinished(close);
    return { send: await createSender(app), other: await createSender(app, { zone: zoneB }) };
  }
});
