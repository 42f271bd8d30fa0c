import { sql } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { startService, type TestService } from '../helpers/app.ts';
import { ask, send } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';

const url = '/v1/question-sets/s';
const qrelsUrl = `${url}/qrels`;
const [trec, csv, tsv, ndjson] = [
  'text/plain',
  'text/csv',
  'text/tab-separated-values',
  'application/x-ndjson',
];

interface Listed {
  readonly questionId: string;
  readonly documentId: string;
  readonly grade: number;
  readonly judge: string | null;
  readonly source: string;
  readonly note: string | null;
}

/** q1: a 2 and b 1 from the file, b then judged 0, c added with 1. q2: d 1 from the file. */
const first = [
  { id: 'q1', text: 'one', relevant: { a: 2, b: 1 } },
  { id: 'q2', text: 'two', relevant: { d: 1 } },
];
const verdicts = [
  { questionId: 'q1', documentId: 'b', grade: 0, note: 'outdated' },
  { questionId: 'q1', documentId: 'c', grade: 1 },
];

describe.each(databaseKinds)('imports on %s', (kind) => {
  let service: TestService;
  beforeEach(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
    onTestFinished(() => service.close());
  });

  const put = (query: string, questions: unknown) =>
    send(service.app, 'PUT', `${url}${query}`, { body: { questions } });
  const putLines = (query: string, questions: readonly object[]) =>
    send(service.app, 'PUT', `${url}${query}`, {
      body: questions.map((question) => JSON.stringify(question)).join('\n'),
      type: ndjson,
    });
  const putTexts = (query: string, ...ids: readonly string[]) => {
    const body = ids.map((id) => `{"_id":"${id}","text":"new"}\n`).join('');
    return send(service.app, 'PUT', `${url}?format=beir${query}`, { body, type: ndjson });
  };
  const putQrels = (body: string, type: string | undefined = trec, query = '') =>
    send(service.app, 'PUT', `${qrelsUrl}${query}`, { body, type });
  const judge = (judgments: readonly object[] = verdicts) =>
    ask(service.app, 'POST', `${url}/judgments`, { body: { judge: 'jo', judgments } });
  const list = async () => {
    const { items } = await ask<{ items: Listed[] }>(service.app, 'GET', `${url}/judgments`);
    return items
      .map((item) => [item.questionId, item.documentId, item.grade, item.source].join(' '))
      .toSorted();
  };
  const readVersion = async () => (await ask<{ version: number }>(service.app, 'GET', url)).version;
  const prepare = async () => {
    await put('', first);
    await judge();
  };

  it('merge two files of qrels for one set, whatever their forms', async () => {
    await putQrels('q1 0 a 2\nq1 0 b 1\nq1 0 c 0\nq2 0 z 1\n', trec, '?create=true');
    const second = await putQrels('question,document,grade\nq1,d,1\n', csv);

    expect(second.json()).toMatchObject({
      added: 1,
      changed: 0,
      kept: 3,
      dropped: 0,
      judgments: 5,
    });
    expect(await list()).toEqual([
      'q1 a 2 file',
      'q1 b 1 file',
      'q1 c 0 file',
      'q1 d 1 file',
      'q2 z 1 file',
    ]);
  });

  it.each([
    ['TREC', trec, 'q1 0 a 1\nq1 0 e 1\n'],
    ['CSV', csv, 'question,document,grade\nq1,a,1\nq1,e,1\n'],
    ['BEIR', tsv, 'query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\te\t1\n'],
    ['ranx', 'application/json', { q1: { a: 1, e: 1 } }],
  ])('of qrels as %s keep verdicts and count what they do', async (_name, type, body) => {
    await prepare();
    const saved = await send(service.app, 'PUT', qrelsUrl, { body, type });

    expect(saved.json()).toMatchObject({ added: 1, changed: 1, kept: 2, dropped: 0, judgments: 5 });
    expect(await list()).toEqual([
      'q1 a 1 file',
      'q1 b 0 judge',
      'q1 c 1 judge',
      'q1 e 1 file',
      'q2 d 1 file',
    ]);
  });

  it('of qrels that contradict verdicts are refused with their lines, and store nothing', async () => {
    await prepare();
    const before = await list();
    const refused = await putQrels('q1 0 x 1\nq1 0 b 1\nq2 0 d 2\nq1 0 c 0\n');

    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({
      type: 'urn:problem:grounding-eval:conflict',
      total: 2,
      errors: [
        { pointer: '/body', line: 2, detail: expect.stringContaining("'b'") },
        { pointer: '/body', line: 4, detail: expect.stringContaining("'c'") },
      ],
    });
    expect(await list()).toEqual(before);
    expect(await readVersion()).toBe(2);
  });

  it('of qrels as JSON are refused with the path of each contradicted verdict', async () => {
    await prepare();
    const refused = await send(service.app, 'PUT', qrelsUrl, { body: { q1: { b: 1 } } });

    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ total: 1, errors: [{ pointer: '/body/q1/b' }] });
  });

  it('with ?judgments=merge let the file win where grades differ', async () => {
    await prepare();
    const saved = await putQrels('q1 0 b 1\n', trec, '?judgments=merge');

    expect(saved.json()).toMatchObject({ added: 0, changed: 1, kept: 2, dropped: 0 });
    expect(await list()).toEqual(['q1 a 2 file', 'q1 b 1 file', 'q1 c 1 judge', 'q2 d 1 file']);
  });

  it('with ?judgments=replace leave a question what the qrels say, and no other question anything else', async () => {
    await putQrels('q1 0 a 2\nq1 0 b 1\nq1 0 c 0\nq2 0 z 1\n', trec, '?create=true');
    const saved = await putQrels('question,document,grade\nq1,d,1\n', csv, '?judgments=replace');

    expect(saved.json()).toMatchObject({ added: 1, changed: 0, kept: 0, dropped: 3, judgments: 2 });
    expect(await list()).toEqual(['q1 d 1 file', 'q2 z 1 file']);
  });

  it.each([
    ['JSON', put],
    ['ndjson', putLines],
  ] as const)(
    'of a question set as %s keep verdicts, and drop labels of the file before',
    async (_name, send_) => {
      await prepare();
      const next = [
        { id: 'q1', text: 'one, better', relevant: { e: 1, b: 0 } },
        { id: 'q3', text: 'three', relevant: { d: 1 } },
      ];
      const saved = await send_('', next);
      const { items } = await ask<{ items: Listed[] }>(service.app, 'GET', `${url}/judgments`);

      expect(saved.statusCode).toBe(201);
      expect(saved.json()).toMatchObject({
        added: 2,
        changed: 0,
        kept: 2,
        dropped: 2,
        judgments: 4,
      });
      expect(await list()).toEqual(['q1 b 0 judge', 'q1 c 1 judge', 'q1 e 1 file', 'q3 d 1 file']);
      expect(items.find(({ documentId }) => documentId === 'b')).toMatchObject({
        judge: 'jo',
        note: 'outdated',
      });
    },
  );

  it('of a question set are refused where they contradict verdicts or lack their questions', async () => {
    await prepare();
    await judge([{ questionId: 'q2', documentId: 'f', grade: 1 }]);
    const before = await list();
    const refused = await putLines('', [{ id: 'q1', text: 'one', relevant: { a: 2, b: 2, c: 1 } }]);
    const missing = await put('?judgments=merge', first.slice(0, 1));

    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({
      total: 2,
      errors: [
        { pointer: '/body/questions/0/relevant/b', line: 1 },
        { pointer: '/body/questions', detail: expect.stringContaining("'q2'") },
      ],
    });
    expect(missing.json()).toMatchObject({ status: 409, total: 1 });
    expect(await list()).toEqual(before);
  });

  it('of a question set are refused where it rules out what a judge found relevant', async () => {
    await prepare();
    const none = await put('', [{ id: 'q1', text: 'one', answerable: false }, first[1]]);
    const forbidden = await put('', [
      { ...first[0], relevant: { a: 1 }, forbidden: ['c'] },
      first[1],
    ]);
    const merged = await put('?judgments=merge', [
      { id: 'q1', text: 'one', answerable: false },
      first[1],
    ]);

    expect(none.json()).toMatchObject({
      status: 409,
      errors: [{ pointer: '/body/questions/0/answerable' }],
    });
    expect(forbidden.json()).toMatchObject({
      status: 409,
      errors: [{ pointer: '/body/questions/0/forbidden' }],
    });
    expect(merged.json()).toMatchObject({ dropped: 2, kept: 2 });
    expect(await list()).toEqual(['q1 b 0 judge', 'q2 d 1 file']);
  });

  it('of a question set with ?judgments=replace leave what the file says', async () => {
    await prepare();
    const saved = await put('?judgments=replace', [{ id: 'q1', text: 'one', relevant: { a: 1 } }]);

    expect(saved.json()).toMatchObject({ added: 0, changed: 1, kept: 0, dropped: 3, judgments: 1 });
    expect(await list()).toEqual(['q1 a 1 file']);
  });

  it('of texts of BEIR keep all judgments, and are refused when they lack a question with verdicts', async () => {
    await prepare();
    const kept = await putTexts('', 'q3', 'q1');
    const refused = await putTexts('', 'q3');
    const replaced = await putTexts('&judgments=replace', 'q3');

    expect(kept.json()).toMatchObject({ version: 3, kept: 3, dropped: 1 });
    expect(refused.json()).toMatchObject({ status: 409, total: 1 });
    expect(replaced.json()).toMatchObject({ version: 4, dropped: 3, questions: 1 });
  });

  it('list the first hundred conflicts and say how many there are', async () => {
    await put('', [{ id: 'q1', text: 'one', relevant: { a: 1 } }]);
    await judge(
      Object.entries(makeGrades('d', 130, 1)).map(([documentId, grade]) => ({
        questionId: 'q1',
        documentId,
        grade,
      })),
    );
    const refused = await put('', [
      { id: 'q1', text: 'one', relevant: { a: 1, ...makeGrades('d', 130, 2) } },
    ]);

    expect(refused.json()).toMatchObject({ status: 409, total: 130 });
    expect(refused.json<{ errors: unknown[] }>().errors).toHaveLength(100);
  });

  it('with ?preview=true store nothing and say what would change', async () => {
    const early = await put('?preview=true', first);
    const sets = await ask<{ items: unknown[] }>(service.app, 'GET', '/v1/question-sets');
    await prepare();
    const before = await list();
    const questions = await put('?preview=true', [{ ...first[0], relevant: { a: 1, b: 1 } }]);
    const qrels = await putQrels('q1 0 e 1\nq1 0 b 2\n', trec, '?preview=true');
    const replaced = await putQrels('q1 0 e 1\n', trec, '?preview=true&judgments=replace');
    const { rows } = await sql<{ n: unknown }>`select count(*) as n from draft`.execute(service.db);

    expect(early.json()).toMatchObject({ preview: true, questions: 2, judgments: 3, added: 3 });
    expect(sets.items).toEqual([]);
    expect(questions.statusCode).toBe(200);
    expect(questions.json()).toMatchObject({
      preview: true,
      added: 0,
      changed: 2,
      kept: 1,
      dropped: 1,
      conflicts: { total: 1, errors: [{ pointer: '/body/questions/0/relevant/b' }] },
    });
    expect(qrels.json()).toMatchObject({
      added: 1,
      changed: 1,
      kept: 2,
      dropped: 0,
      judgments: 5,
      conflicts: { total: 1, errors: [{ pointer: '/body', line: 2 }] },
    });
    expect(replaced.json()).toMatchObject({ added: 1, dropped: 3, conflicts: { total: 0 } });
    expect(await list()).toEqual(before);
    expect(await readVersion()).toBe(2);
    expect(Number(rows[0]?.n)).toBe(0);
  });

  it('take a grade of a file as a verdict once its importer posts it', async () => {
    await put('', first);
    await judge([{ questionId: 'q1', documentId: 'a', grade: 2 }]);

    expect(await list()).toContain('q1 a 2 judge');
  });

  it('keep judgments whose origin an older store did not note, when they name a judge', async () => {
    await put('', first);
    const old = { judgedAt: '2026-01-01T00:00:00.000Z', documentVersion: null, note: null };
    const question = {
      id: 'q1',
      text: 'one',
      tags: [],
      answerable: true,
      forbidden: [],
      judgments: [
        { documentId: 'a', grade: 2, judge: 'someone', ...old },
        { documentId: 'b', grade: 1, judge: null, ...old },
      ],
    };
    await sql`update question set body = ${JSON.stringify(question)} where question_id = 'q1'`.execute(
      service.db,
    );
    const saved = await put('', [{ id: 'q1', text: 'one', relevant: { e: 1 } }, first[1]]);

    expect(saved.json()).toMatchObject({ added: 1, kept: 2, dropped: 1 });
    expect(await list()).toEqual(['q1 a 2 judge', 'q1 e 1 file', 'q2 d 1 file']);
  });

  it('refuse verdicts and labels of a file that are together more than a question may have', async () => {
    await put('', [{ id: 'q1', text: 'one', relevant: { a: 1 } }]);
    await judge([{ questionId: 'q1', documentId: 'c', grade: 1 }]);
    const questions = await put('', [
      { id: 'q1', text: 'one', relevant: makeGrades('d', 10_000, 1) },
    ]);
    const qrels = await send(service.app, 'PUT', qrelsUrl, {
      body: { q1: makeGrades('d', 9999, 1) },
    });

    expect(questions.json()).toMatchObject({
      status: 400,
      errors: [{ pointer: '/body/questions/0/relevant' }],
    });
    expect(qrels.json()).toMatchObject({ status: 400, errors: [{ pointer: '/body/q1' }] });
  });
});

function makeGrades(name: string, count: number, grade: number): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${name}${index}`, grade]),
  );
}
