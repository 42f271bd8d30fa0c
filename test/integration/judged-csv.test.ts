import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { ask, evaluate, send } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { pumpQuestions } from '../helpers/fixtures.ts';

const url = '/v1/question-sets/pumps/judgments';

async function prepare(databaseUrl?: string) {
  const app = await createTestApp(databaseUrl === undefined ? {} : { databaseUrl });
  const rankings = { q1: [{ documentId: 'P1' }, { documentId: 'P3' }], q2: [{ documentId: 'P3' }] };
  await ask(app, 'PUT', '/v1/runs/r', { body: { rankings } });
  await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: pumpQuestions } });
  const configurations = [{ name: 'r', backend: 'run', run: 'r' }];
  const { id } = await evaluate(app, { questionSet: 'pumps', configurations, measures: ['RR'] });
  return { app, id };
}

const getPool = async (app: FastifyInstance, evaluation: string, query = '') =>
  send(app, 'POST', `/v1/pool${query}`, {
    body: { evaluation, depth: 3 },
    headers: { accept: 'text/csv' },
  });

const judge = (app: FastifyInstance, body: string | Buffer, query = '?judge=jo') =>
  app.inject({
    method: 'POST',
    url: url + query,
    headers: { 'content-type': 'text/csv' },
    payload: body,
  });

const listGrades = async (app: FastifyInstance) => {
  const { items } = await ask<{
    readonly items: readonly {
      readonly questionId: string;
      readonly documentId: string;
      readonly grade: number;
      readonly judge: string | null;
      readonly note: string | null;
    }[];
  }>(app, 'GET', url);
  return items.map((one) => [one.questionId, one.documentId, one.grade, one.judge, one.note]);
};

const header = 'questionId,question,documentId,title,snippet,grade';

describe.each(databaseKinds)('the CSV of a pool on %s', (kind) => {
  it.each([
    ['?separator=comma', ','],
    ['?separator=semicolon&bom=true', ';'],
  ])('comes back with grades and adds judgments: %s', async (query, delimiter) => {
    const { app, id } = await prepare(await createDatabase(kind));
    const before = await listGrades(app);
    const { body } = await getPool(app, id, query);
    const hasMark = body.startsWith('\uFEFF');
    const lines = body.trimEnd().split('\n');
    // The first row gets a grade, the others stay empty.
    const graded = lines.map((line, index) => (index === 1 ? `${line}2` : line));
    const answer = await judge(app, graded.join('\r\n'));
    const [questionId, , documentId] = lines[1]?.split(delimiter) ?? [];

    expect(hasMark).toBe(query.includes('bom'));
    expect(lines).toHaveLength(4);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      201,
      { version: 2, added: 1, changed: 0, unchanged: 0 },
    ]);
    expect(new Set(await listGrades(app))).toEqual(
      new Set([...before, [questionId, documentId, 2, 'jo', null]]),
    );
  });

  it('is merged: judgments that it does not name stay, and none is stored twice', async () => {
    const { app } = await prepare(await createDatabase(kind));
    const before = await listGrades(app);
    const csv = `questionId;documentId;grade;note\nq1;P1;1;"says; so"\nq2;P1;0;\nq3;P1;;\n`;
    const first = (await judge(app, csv)).json();
    const again = await judge(app, csv);

    // q2 had P1 with grade 2.
    expect(first).toMatchObject({ version: 2, added: 1, changed: 1, unchanged: 0 });
    expect([again.statusCode, again.json()]).toMatchObject([200, { version: 2, unchanged: 2 }]);
    expect(await listGrades(app)).toHaveLength(before.length + 1);
    expect(await listGrades(app)).toContainEqual(['q1', 'P1', 1, 'jo', 'says; so']);
  });
});

describe('POST …/judgments as CSV', () => {
  it.each([
    ['a grade that is no number', `${header}\nq1,,P1,,,good\n`, 2],
    ['a grade out of range', `${header}\nq1,,P1,,,101\n`, 2],
    [
      'an unknown question, behind a text of two lines',
      `${header}\nq1,"a\nb",P1,,,1\nq9,,P1,,,1\n`,
      4,
    ],
    ['the same pair twice', `${header}\nq1,,P1,,,1\nq1,,P1,,,1\n`, 3],
    ['a document id that is missing', `${header}\nq1,,,,,1\n`, 2],
    ['a note without a grade', `questionId,documentId,grade,note\nq1,P1,,why\n`, 2],
    ['no column grade', 'questionId,documentId\nq1,P1\n', 1],
    ['an unknown column', 'questionId,documentId,grade,remark\nq1,P1,1,x\n', 1],
    ['a column twice', 'questionId,documentId,grade,grade\nq1,P1,1,1\n', 1],
    ['a quotation mark that stays open', `${header}\nq1,"a,P1,,,1\n`, 2],
    ['a field too many', `${header}\nq1,a,b,P1,,,1\n`, 2],
  ])('names the line of %s, and stores nothing', async (_what, csv, line) => {
    const { app } = await prepare();
    const before = await listGrades(app);
    const answer = await judge(app, csv);

    expect([answer.statusCode, answer.json()]).toMatchObject([400, { errors: [{ line }] }]);
    expect(await listGrades(app)).toEqual(before);
  });

  it.each([
    ['no grade at all', `${header}\nq1,,P1,,,\n`, '?judge=jo', '/body'],
    ['no judge', `${header}\nq1,,P1,,,1\n`, '', '/query/judge'],
    ['an unknown encoding', `${header}\nq1,,P1,,,1\n`, '?judge=jo&encoding=none', '/body'],
  ])('refuses %s', async (_what, csv, query, pointer) => {
    const { app } = await prepare();
    const answer = await judge(app, csv, query);

    expect([answer.statusCode, answer.json()]).toMatchObject([400, { errors: [{ pointer }] }]);
  });

  it('reads the encoding that it is told', async () => {
    const { app } = await prepare();
    const csv = Buffer.from('questionId;documentId;grade;note\nq1;P1;1;für Öl\n', 'latin1');

    expect((await judge(app, csv)).statusCode).toBe(400);
    expect((await judge(app, csv, '?judge=jo&encoding=windows-1252')).statusCode).toBe(201);
    expect(await listGrades(app)).toContainEqual(['q1', 'P1', 1, 'jo', 'für Öl']);
  });

  it('refuses its parameters beside JSON', async () => {
    const { app, id } = await prepare();
    const body = { judge: 'jo', judgments: [{ questionId: 'q1', documentId: 'P1', grade: 1 }] };
    const judged = await send(app, 'POST', `${url}?judge=jo`, { body });
    const pooled = await send(app, 'POST', '/v1/pool?bom=true', { body: { evaluation: id } });

    expect([judged.statusCode, judged.json()]).toMatchObject([
      400,
      { errors: [{ pointer: '/query/judge' }] },
    ]);
    expect([pooled.statusCode, pooled.json()]).toMatchObject([
      400,
      { errors: [{ pointer: '/query/bom' }] },
    ]);
  });
});
