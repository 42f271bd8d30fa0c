import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { upsertAlertTarget } from '../../src/storage/monitoring/alert-targets.ts';
import type { Tables } from '../../src/storage/tables/tables.ts';
import { startService, type TestService } from '../helpers/app.ts';
import { ask, send, type Answer, type EvaluationAnswer } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { evaluateRanks, rankedQuestions } from '../helpers/runs.ts';

/** JSON of another shape, with the rest of the value in it; and no JSON. */
const otherShape = { before: '{"planted-content":', after: '}' };
const noJson = { before: '{"planted-content', after: '' };

describe.each(databaseKinds)('a broken row on %s', (kind) => {
  let service: TestService;
  let evaluation: EvaluationAnswer;
  const lines: string[] = [];
  beforeAll(async () => {
    const stream = { write: (line: string) => void lines.push(line) };
    const fastify = { logger: { level: 'error', stream } };
    service = await startService({ databaseUrl: await createDatabase(kind, afterAll), fastify });
    const { app, db } = service;
    await ask(app, 'PUT', '/v1/question-sets/s', { body: { questions: rankedQuestions(2) } });
    const { id } = await evaluateRanks(app, { one: [1, 1] });
    await ask(app, 'PUT', '/v1/baselines/main', { body: { evaluation: id, configuration: 'one' } });
    const gate = { baseline: 'main', measure: 'RR', maxDrop: 0.1 };
    evaluation = await evaluateRanks(app, { one: [1, 2] }, { gate });
    await ask(app, 'PUT', '/v1/search-configurations/c', { body: { backend: 'run', run: 'one' } });
    await ask(app, 'PUT', '/v1/prices', { body: { currency: 'EUR' } });
    const target = { type: 'alert-notification' } as const;
    await upsertAlertTarget(db, { name: 't', target, updatedAt: '2026-01-01T00:00:00.000Z' });
    const request = { questionSet: 's', configurations: ['c'] };
    const schedule = { cron: '0 3 * * *', timeZone: 'UTC', evaluation: request, notify: ['t'] };
    await ask(app, 'PUT', '/v1/schedules/n', { body: schedule });
  });
  afterAll(() => service.close());
  beforeEach(() => void (lines.length = 0));

  /** Damages a column of every row of a table until the test ends, and returns how to mend it earlier. */
  async function damage(
    table: keyof Tables,
    column: string,
    { before, after }: typeof otherShape,
  ): Promise<() => Promise<void>> {
    const value = sql.ref(column);
    const set = (changed: ReturnType<typeof sql>) =>
      sql`update ${sql.table(table)} set ${value} = ${changed}`.execute(service.db);
    const length = before.length + after.length;
    let isMended = false;
    const mend = async () => {
      if (isMended) return;
      isMended = true;
      const whole = sql`substr(${value}, ${sql.lit(before.length + 1)}, length(${value}) - ${sql.lit(length)})`;
      await set(whole);
    };
    onTestFinished(mend);
    await set(sql`${sql.lit(before)} || ${value} || ${sql.lit(after)}`);
    return mend;
  }

  const get = (url: string): Promise<Answer> =>
    service.app.inject({ url: url.replace(':id', evaluation.id) });

  it.each<[keyof Tables, string, string]>([
    ['evaluation', 'plan', '/v1/eval/:id'],
    ['evaluation', 'scorecard', '/v1/eval/:id'],
    ['evaluation_configuration', 'body', '/v1/eval/:id'],
    ['gate_decision', 'body', '/v1/eval/:id'],
    ['outcome', 'hits', '/v1/eval/:id/questions?configuration=one'],
    ['question', 'body', '/v1/eval/:id/questions?configuration=one'],
    ['search_configuration', 'body', '/v1/search-configurations/c'],
    ['price_table', 'body', '/v1/prices'],
    ['alert_target', 'body', '/v1/alert-targets/t'],
    ['schedule', 'evaluation', '/v1/schedules/n'],
    ['schedule', 'notify', '/v1/schedules/n'],
  ])('of %s.%s is named and logged once, and never quoted', async (table, column, url) => {
    const whole = await get(url);
    const mend = await damage(table, column, otherShape);
    const first = await get(url);
    await mend();
    await damage(table, column, noJson);
    const second = await get(url);

    const answers = [first, second];
    expect([whole, ...answers].map(({ statusCode }) => statusCode)).toEqual([200, 500, 500]);
    const problem = {
      type: 'urn:problem:grounding-eval:broken-row',
      detail: expect.stringContaining(`column '${column}' of table '${table}', row '`) as string,
    };
    expect(answers.map((answer) => answer.json<object>())).toEqual([
      expect.objectContaining(problem),
      expect.objectContaining(problem),
    ]);
    expect(lines).toHaveLength(2);
    expect(lines.join() + first.body + second.body).not.toContain('planted-content');
  });

  it('of a configuration refuses its evaluation, and can be replaced and deleted', async () => {
    const mend = await damage('search_configuration', 'body', noJson);
    const request = { questionSet: 's', configurations: ['c'] };
    const refused = await send(service.app, 'POST', '/v1/eval', { body: request });
    const url = '/v1/search-configurations/c';
    const body = { backend: 'run', run: 'one' };
    const replaced = await send(service.app, 'PUT', url, { body });
    const read = await get(url);
    await mend();
    await damage('search_configuration', 'body', noJson);
    const removed = await service.app.inject({ method: 'DELETE', url });

    expect(refused.json()).toMatchObject({ type: 'urn:problem:grounding-eval:broken-row' });
    const codes = [replaced, read, removed].map(({ statusCode }) => statusCode);
    expect(codes).toEqual([200, 200, 204]);
  });

  it('of an evaluation leaves the list as it is, and can be deleted', async () => {
    await damage('evaluation', 'plan', noJson);
    await damage('evaluation', 'scorecard', noJson);
    await damage('evaluation_configuration', 'body', noJson);
    const list = await service.app.inject('/v1/eval');
    const url = `/v1/eval/${evaluation.id}`;
    const removed = await service.app.inject({ method: 'DELETE', url });

    expect(list.json<{ items: unknown[] }>().items).toHaveLength(2);
    expect(removed.statusCode).toBe(204);
  });
});
