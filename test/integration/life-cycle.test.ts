import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';

import { deleteExpired } from '../../src/evaluation/lifecycle/delete-expired.ts';
import { createTestApp, startService } from '../helpers/app.ts';
import { ask, evaluate, send, type EvaluationAnswer } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { waitFor } from '../helpers/poll.ts';
import { steerSearches } from '../helpers/steered-searches.ts';

const questionCount = 40;
const questions = Array.from({ length: questionCount }, (_, index) => ({
  id: `q${index}`,
  text: `question ${index}`,
  relevant: { P1: 1 },
}));
const filters = [{ dataRepositoryType: 'vector', dataRepositories: ['*'] }];
const documentId = { from: 'chunkMetadata', key: 'docId' };
const grounded = { backend: 'aicore', resourceGroup: 'default', filters, documentId };
const request = {
  questionSet: 'set',
  configurations: [{ name: 'grounded', ...grounded }],
  measures: ['RR'],
};

interface ProgressAnswer {
  readonly done: number;
  readonly searchesPerSecond: number | null;
  readonly remainingSeconds: number | null;
}

describe.each(databaseKinds)('the progress of an evaluation on %s', (kind) => {
  it('has a rate and the time that remains while it runs', async () => {
    const searches = steerSearches((id) => (Number(id.slice(1)) < 20 ? 'answer' : 'hold'));
    const app = await startApp(kind, searches);
    const { id } = await ask<{ id: string }>(app, 'POST', '/v1/eval', { body: request });
    const running = await waitFor(async () => {
      const found = await readProgress(app, id);
      return found.done >= 10 && found.searchesPerSecond !== null && found;
    });
    searches.steer('answer');
    await waitForEnd(app, id);
    const ended = await readProgress(app, id);

    expect(running.searchesPerSecond).toBeGreaterThan(0);
    expect(running.remainingSeconds).toBeGreaterThan(0);
    expect(ended).toEqual({
      done: questionCount,
      total: questionCount,
      failed: 0,
      searchesPerSecond: null,
      remainingSeconds: null,
    });
  });
});

describe.each(databaseKinds)('GET /v1/eval/{id}/events on %s', (kind) => {
  it('tells every change and ends with the final status', async () => {
    const searches = steerSearches('hold');
    const app = await startApp(kind, searches);
    const { id } = await ask<{ id: string }>(app, 'POST', '/v1/eval', { body: request });
    await waitFor(() => searches.searched.length > 0);
    const watched = app.inject(`/v1/eval/${id}/events`);
    await waitFor(async () => (await readProgress(app, id)).done === 0);
    searches.steer('answer');
    const answer = await watched;
    const events = parseEvents(answer.body);

    expect(answer.headers['content-type']).toBe('text/event-stream');
    expect(events.length).toBeGreaterThanOrEqual(2);
    expect(events[0]).toMatchObject({ event: 'progress', data: { id, status: 'running' } });
    expect(events.at(-1)).toMatchObject({
      event: 'end',
      data: { id, status: 'succeeded', progress: { done: questionCount }, error: null },
    });
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
  });

  it('goes on behind the event that the client had, on any instance', async () => {
    const databaseUrl = await createDatabase(kind);
    const app = await startApp(kind, steerSearches('answer'), databaseUrl);
    const { id } = await evaluate(app, request);
    const url = `/v1/eval/${id}/events`;
    const [end] = parseEvents((await app.inject(url)).body);
    const headers = { 'last-event-id': end?.id ?? '' };
    const again = await app.inject({ url, headers });
    const stale = await app.inject({ url, headers: { 'last-event-id': 'running_3_0_-' } });

    expect(end).toMatchObject({ event: 'end' });
    expect(again.statusCode).toBe(204);
    expect(parseEvents(stale.body)).toEqual([end]);
  });

  it('lets go of clients that leave, and of all when the service stops', async () => {
    const searches = steerSearches('hold');
    const app = await startApp(kind, searches);
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const { id } = await ask<{ id: string }>(app, 'POST', '/v1/eval', { body: request });
    const leaving = new AbortController();
    const left = await fetch(`${address}/v1/eval/${id}/events`, { signal: leaving.signal });
    const staying = await fetch(`${address}/v1/eval/${id}/events`);
    leaving.abort();
    const text = staying.text();
    const closed = app.close();

    expect(left.status).toBe(200);
    expect(await text).toContain('event: progress');
    await expect(closed).resolves.toBeUndefined();
  });

  it('answers 404 for an evaluation that does not exist', async () => {
    const app = await startApp(kind, steerSearches('answer'));

    expect((await app.inject('/v1/eval/none/events')).statusCode).toBe(404);
  });
});

describe.each(databaseKinds)('POST /v1/eval/{id}/retry-failed on %s', (kind) => {
  it('searches the failed questions alone again, and scores anew', async () => {
    const searches = steerSearches((id) => (id.endsWith('7') ? 'fail' : 'answer'));
    const app = await startApp(kind, searches);
    const first = await evaluate(app, request);
    const before = searches.searched.length;
    searches.steer('answer');
    const answer = await send(app, 'POST', `/v1/eval/${first.id}/retry-failed`, {
      headers: { prefer: 'wait=30' },
    });
    const second = answer.json<EvaluationAnswer>();

    expect(first.scorecard[0]?.questions).toMatchObject({ scored: 36, failed: 4 });
    expect(answer.statusCode).toBe(200);
    expect(second).toMatchObject({ id: first.id, status: 'succeeded', progress: { failed: 0 } });
    expect(second.scorecard[0]?.questions).toMatchObject({ scored: 40, failed: 0 });
    expect(searches.searched.slice(before).toSorted()).toEqual(['q17', 'q27', 'q37', 'q7']);
  });

  it('runs again, and refuses another retry meanwhile', async () => {
    const searches = steerSearches('fail');
    const app = await startApp(kind, searches);
    const { id, status } = await evaluate(app, request);
    searches.steer('hold');
    const retried = await send(app, 'POST', `/v1/eval/${id}/retry-failed`);
    const running = await ask<EvaluationAnswer>(app, 'GET', `/v1/eval/${id}`);
    const twice = await send(app, 'POST', `/v1/eval/${id}/retry-failed`);
    searches.steer('answer');
    const ended = await waitForEnd(app, id);

    expect(status).toBe('failed');
    expect([retried.statusCode, twice.statusCode]).toEqual([202, 409]);
    expect(running).toMatchObject({ status: 'running', scorecard: null, error: null });
    expect(ended).toMatchObject({ status: 'succeeded', progress: { failed: 0 } });
  });

  it('is refused where nothing failed, nothing was searched, or it was cancelled', async () => {
    const searches = steerSearches('answer');
    const app = await startApp(kind, searches);
    const { id } = await evaluate(app, request);
    const headers = { prefer: 'wait=30' };
    const rescored = await send(app, 'POST', `/v1/eval/${id}/rescore`, { body: {}, headers });
    searches.steer('hold');
    const begun = await ask<{ id: string }>(app, 'POST', '/v1/eval', { body: request });
    await app.inject({ method: 'POST', url: `/v1/eval/${begun.id}/cancel` });
    const ids = [id, rescored.json<EvaluationAnswer>().id, begun.id];
    const answers = await Promise.all(
      ids.map((one) => send(app, 'POST', `/v1/eval/${one}/retry-failed`)),
    );

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([409, 409, 409]);
    expect((await send(app, 'POST', '/v1/eval/none/retry-failed')).statusCode).toBe(404);
  });
});

describe.each(databaseKinds)('retention on %s', (kind) => {
  it('deletes what ended long ago and is not kept, and never question sets', async () => {
    const searches = steerSearches('answer');
    const databaseUrl = await createDatabase(kind);
    const { app, db, close } = await startService({ databaseUrl, retrievers: searches.retrievers });
    await putQuestions(app);
    const old = await evaluate(app, request);
    const kept = await evaluate(app, request);
    searches.steer('hold');
    const { id } = await ask<{ id: string }>(app, 'POST', '/v1/eval', { body: request });
    const inTenDays = new Date(Date.now() + 10 * 86_400_000).toISOString();
    const isKept = async (_db: unknown, evaluation: string) => evaluation === kept.id;
    const early = await deleteExpired(db, { days: 11, now: inTenDays, isKept });
    const late = await deleteExpired(db, { days: 9, now: inTenDays, isKept });
    const left = await ask<{ items: { id: string }[] }>(app, 'GET', '/v1/eval');
    const set = await app.inject('/v1/question-sets/set');
    await close();

    expect(early).toEqual([]);
    expect(late).toEqual([old.id]);
    expect(left.items.map((item) => item.id)).toEqual([id, kept.id]);
    expect(set.statusCode).toBe(200);
  });
});

async function startApp(
  kind: (typeof databaseKinds)[number],
  { retrievers }: Pick<ReturnType<typeof steerSearches>, 'retrievers'>,
  databaseUrl?: string,
): Promise<FastifyInstance> {
  const url = databaseUrl ?? (await createDatabase(kind));
  const app = await createTestApp({ databaseUrl: url, retrievers });
  await putQuestions(app);
  return app;
}

async function putQuestions(app: FastifyInstance): Promise<void> {
  await ask(app, 'PUT', '/v1/question-sets/set', { body: { questions } });
}

async function readProgress(app: FastifyInstance, id: string): Promise<ProgressAnswer> {
  const { progress } = await ask<{ progress: ProgressAnswer }>(app, 'GET', `/v1/eval/${id}`);
  return progress;
}

function waitForEnd(app: FastifyInstance, id: string): Promise<EvaluationAnswer> {
  return waitFor(async () => {
    const found = await ask<EvaluationAnswer>(app, 'GET', `/v1/eval/${id}`);
    return !['queued', 'running'].includes(found.status) && found;
  });
}

function parseEvents(body: string) {
  const blocks = body.split('\n\n').filter((block) => block.startsWith('id: '));
  return blocks.map((block) => {
    const [, id = '', event = '', data = ''] =
      /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? [];
    return { id, event, data: JSON.parse(data) as object };
  });
}
