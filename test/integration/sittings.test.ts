import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';

import { closeQuietSittings } from '../../src/evaluation/question-sets/sittings.ts';
import { createTestApp, startService } from '../helpers/app.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { pumpQuestions } from '../helpers/fixtures.ts';

const id = '0b6b4d0e-6f3e-4d5c-9a35-0e8b3a5f7c11';
const path = `/v1/question-sets/pumps/sittings/${id}`;

describe.each(databaseKinds)('a sitting on %s', (kind) => {
  it('becomes one version, however often its verdicts and its end are sent', async () => {
    const app = await createTestApp({ databaseUrl: await createDatabase(kind) });
    await open(app);
    for (const documentId of ['P3', 'P3', 'P4']) {
      await judge(app, { questionId: 'q1', documentId, grade: 1 });
    }
    await judge(app, { questionId: 'q1', documentId: 'P3', grade: 2, note: 'after all' });
    await judge(app, { questionId: 'q2', documentId: 'P4', grade: 0 });
    await judge(app, { questionId: 'q2', documentId: 'P4', grade: null });
    const before = await app.inject({ url: path });

    const closed = await app.inject({ method: 'POST', url: `${path}/close` });
    const again = await app.inject({ method: 'POST', url: `${path}/close` });
    const judgments = await app.inject({ url: '/v1/question-sets/pumps/judgments' });

    expect(before.json()).toMatchObject({
      status: 'open',
      saved: null,
      verdicts: [
        { questionId: 'q1', documentId: expect.any(String) },
        { questionId: 'q1', documentId: expect.any(String) },
      ],
    });
    expect(closed.json()).toEqual({
      name: 'pumps',
      version: 2,
      added: 2,
      changed: 0,
      unchanged: 0,
      warnings: [],
    });
    expect(again.json()).toEqual(closed.json());
    expect(judgments.json()).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({ documentId: 'P3', grade: 2, judge: 'jo', note: 'after all' }),
        expect.objectContaining({ documentId: 'P4', grade: 1, judge: 'jo' }),
      ]),
    });
  });

  it('is closed by the service after half an hour without a verdict, and not before', async () => {
    let time = Date.parse('2026-12-01T08:00:00Z');
    const now = () => new Date(time).toISOString();
    const { app, db, close } = await startService({ databaseUrl: await createDatabase(kind), now });
    await open(app);
    await judge(app, { questionId: 'q1', documentId: 'P3', grade: 1 });
    const failures: unknown[] = [];

    time += 29 * 60_000;
    await closeQuietSittings(db, now(), (error) => failures.push(error));
    const early = await app.inject({ url: path });
    time += 2 * 60_000;
    await closeQuietSittings(db, now(), (error) => failures.push(error));
    const late = await app.inject({ url: path });
    await close();

    expect(early.json()).toMatchObject({ status: 'open' });
    expect(late.json()).toMatchObject({ status: 'closed', saved: { version: 2, added: 1 } });
    expect(failures).toEqual([]);
  });
});

describe('a sitting', () => {
  it('takes no verdict after its end', async () => {
    const app = await createTestApp();
    await open(app);
    await app.inject({ method: 'POST', url: `${path}/close` });
    const late = await judge(app, { questionId: 'q1', documentId: 'P3', grade: 1 });

    expect(late.statusCode).toBe(409);
  });

  it('refuses a verdict that the set cannot hold, and keeps the others', async () => {
    const app = await createTestApp();
    await open(app);
    await judge(app, { questionId: 'q1', documentId: 'P3', grade: 1 });
    const refused = await judge(app, { questionId: 'q9', documentId: 'P3', grade: 1 });
    const shown = await app.inject({ url: path });

    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({ errors: [{ pointer: '/body/verdicts/0/questionId' }] });
    expect(shown.json()).toMatchObject({ verdicts: [{ documentId: 'P3' }] });
  });

  it('of nothing makes no version', async () => {
    const app = await createTestApp();
    await open(app);
    const closed = await app.inject({ method: 'POST', url: `${path}/close` });

    expect(closed.json()).toEqual({
      name: 'pumps',
      version: 1,
      added: 0,
      changed: 0,
      unchanged: 0,
      warnings: [],
    });
  });

  it('is opened once under its id, and by one judge', async () => {
    const app = await createTestApp();
    const first = await open(app);
    const second = await app.inject({ method: 'PUT', url: path, payload: { judge: 'jo' } });
    const other = await app.inject({ method: 'PUT', url: path, payload: { judge: 'kim' } });

    expect([first.statusCode, second.statusCode, other.statusCode]).toEqual([201, 200, 404]);
  });
});

async function open(app: FastifyInstance) {
  const questions = { questions: pumpQuestions };
  await app.inject({ method: 'PUT', url: '/v1/question-sets/pumps', payload: questions });
  return app.inject({ method: 'PUT', url: path, payload: { judge: 'jo' } });
}

function judge(app: FastifyInstance, verdict: object) {
  return app.inject({ method: 'POST', url: `${path}/verdicts`, payload: { verdicts: [verdict] } });
}
