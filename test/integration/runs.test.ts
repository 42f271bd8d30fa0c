import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { createTestApp, startService } from '../helpers/app.ts';
import { ask, evaluate, send } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';

const url = '/v1/runs/hana';
const text = 'text/plain';

describe.each(databaseKinds)('imported runs on %s', (kind) => {
  let app: FastifyInstance;
  beforeEach(async () => {
    app = await createTestApp({ databaseUrl: await createDatabase(kind) });
  });

  it('are ordered as trec_eval orders them, whatever the rank column and the order of lines', async () => {
    const lines = ['q1 Q0 a 1 1.5 t', 'q2 Q0 x 1 1 t', 'q1 Q0 c 2 2.5 t', 'q1 Q0 b 3 1.5 t'];
    const saved = await send(app, 'PUT', url, { body: lines.join('\r\n'), type: text });
    const same = await send(app, 'PUT', url, { body: lines.join('\n'), type: text });
    const json = await ask<{ rankings: unknown }>(app, 'GET', url);
    const trec = await app.inject({ url, headers: { accept: text } });

    expect(saved.statusCode).toBe(201);
    expect(same.statusCode).toBe(200);
    expect(saved.json()).toMatchObject({ name: 'hana', questions: 2, hits: 4 });
    expect(json.rankings).toEqual({
      q1: [
        { documentId: 'c', score: 2.5 },
        { documentId: 'b', score: 1.5 },
        { documentId: 'a', score: 1.5 },
      ],
      q2: [{ documentId: 'x', score: 1 }],
    });
    expect(trec.body).toBe(
      'q1 Q0 c 1 2.5 hana\nq1 Q0 b 2 1.5 hana\nq1 Q0 a 3 1.5 hana\nq2 Q0 x 1 1 hana\n',
    );
  });

  it('are taken as given without scores, and ordered with', async () => {
    const rankings = {
      q1: [{ documentId: 'a' }, { documentId: 'b' }],
      q2: [
        { documentId: 'a', score: 1 },
        { documentId: 'b', score: 2 },
      ],
      q3: [],
    };
    await ask(app, 'PUT', url, { body: { rankings } });
    const read = await ask<{ rankings: unknown }>(app, 'GET', url);
    const trec = await app.inject({ url, headers: { accept: text } });

    expect(read.rankings).toEqual({ ...rankings, q2: rankings.q2.toReversed() });
    expect(trec.body.split('\n').slice(0, 2)).toEqual(['q1 Q0 a 1 1 hana', 'q1 Q0 b 2 0.5 hana']);
  });

  it('warn when a measure without cut-off would read below the kept depth', async () => {
    await send(app, 'PUT', '/v1/question-sets/s/qrels?create=true', {
      body: 'q1 0 c 1\n',
      type: text,
    });
    const lines = ['a', 'b', 'c'].map((id, index) => `q1 Q0 ${id} 1 ${9 - index} t`);
    await send(app, 'PUT', url, { body: lines.join('\n'), type: text });
    const { scorecard } = await evaluate(app, {
      questionSet: 's',
      configurations: [{ name: 'r', backend: 'run', run: 'hana', depth: 2 }],
      measures: ['RR', 'P@1'],
    });

    expect(scorecard[0]?.measures['RR']).toBe(0);
    expect(scorecard[0]?.warnings).toContainEqual(
      expect.objectContaining({ code: 'cut-ranking', questions: 1 }),
    );
  });

  it('say why an id cannot be written as TREC, before anything is sent', async () => {
    await ask(app, 'PUT', url, { body: { rankings: { q1: [{ documentId: 'two words' }] } } });
    const trec = await app.inject({ url, headers: { accept: text } });

    expect(trec.statusCode).toBe(406);
    expect(trec.json<{ detail: string }>().detail).toContain('two words');
  });

  it('are copied down to the kept depth, those of an earlier release too', async () => {
    const service = await startService({ databaseUrl: await createDatabase(kind) });
    onTestFinished(service.close);
    const qrels = 'q1 0 a 1\nq2 0 a 1\nq3 0 a 1\nq4 0 a 1\n';
    await send(service.app, 'PUT', '/v1/question-sets/s/qrels?create=true', {
      body: qrels,
      type: text,
    });
    const [a, b, c] = ['a', 'b', 'c'].map((documentId) => ({ documentId }));
    const rankings = { q1: [a], q2: [b, a], q3: [c, b, a] };
    await ask(service.app, 'PUT', url, { body: { rankings } });
    const read = async () => {
      const { id, scorecard } = await evaluate(service.app, {
        questionSet: 's',
        configurations: [{ name: 'r', backend: 'run', run: 'hana', depth: 2 }],
        measures: ['RR'],
      });
      const run = await service.app.inject({
        url: `/v1/eval/${id}/runs/r`,
        headers: { accept: 'application/json' },
      });
      return { measures: scorecard[0]?.measures, run: run.body };
    };
    const first = await read();
    // As a release that did not store lengths left them.
    await service.db.updateTable('run_ranking').set({ documents: null }).execute();
    const second = await read();

    // (1 + 1/2 + 0 + 0) / 4: the third document of q3 is below the depth, and the run lacks q4.
    expect(first.measures).toEqual({ RR: 0.375 });
    expect(first.run).toContain('"b"');
    expect(first.run).not.toContain('"q4":[{');
    expect(second).toEqual(first);
  });

  it('count a question that they lack as 0, and are listed and deleted', async () => {
    await send(app, 'PUT', '/v1/question-sets/s/qrels?create=true', {
      body: 'q1 0 a 1\nq2 0 a 1\n',
      type: text,
    });
    await send(app, 'PUT', url, { body: 'q1 Q0 a 1 1 t\nq9 Q0 a 1 1 t', type: text });
    const { scorecard } = await evaluate(app, {
      questionSet: 's',
      configurations: [{ name: 'r', backend: 'run', run: 'hana' }],
      measures: ['RR'],
    });
    const list = await ask<{ items: object[] }>(app, 'GET', '/v1/runs');
    const deleted = await app.inject({ method: 'DELETE', url });

    expect(scorecard[0]).toMatchObject({
      measures: { RR: 0.5 },
      questions: { scored: 2, empty: 1, failed: 0 },
    });
    expect(list.items).toMatchObject([{ name: 'hana', questions: 2, hits: 2 }]);
    expect(deleted.statusCode).toBe(204);
  });
});
