import { sql } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { addJudgments } from '../../src/evaluation/question-sets/add-judgments.ts';
import { importQrels } from '../../src/evaluation/question-sets/import-qrels.ts';
import { usualRule } from '../../src/evaluation/question-sets/import-questions.ts';
import {
  claimNextVersion,
  writeNextVersion,
} from '../../src/evaluation/question-sets/next-version.ts';
import { noPrecondition } from '../../src/evaluation/catalog/precondition.ts';
import { saveRun } from '../../src/evaluation/catalog/save-run.ts';
import { stagePairs, type PairEntry } from '../../src/evaluation/catalog/stage-pairs.ts';
import { clearDrafts, dropDraft } from '../../src/evaluation/drafts/write-draft.ts';
import { insertDraft, type Draft } from '../../src/storage/catalog/drafts.ts';
import { startService, type TestService } from '../helpers/app.ts';
import { ask, send } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';

const runUrl = '/v1/runs/big';
const qrelsUrl = '/v1/question-sets/s/qrels';
const type = 'text/plain';
/** Makes 20,000 entries more than what is kept in memory. */
const long = 'd'.padEnd(250, '-');
const noon = '2026-01-01T12:00:00.000Z';

describe.each(databaseKinds)('imports on %s', (kind) => {
  let service: TestService;
  beforeEach(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
    onTestFinished(() => service.close());
  });

  const draft = (id: string, at = noon): Draft => ({ db: service.db, id, now: () => at });

  const putText = (url: string, ...lines: readonly string[]) =>
    send(service.app, 'PUT', url, { body: lines.join('\n'), type });

  const readText = async (url: string) =>
    (await service.app.inject({ url, headers: { accept: type } })).body;

  /** Drafts, their parts, rankings and questions, seen or not. */
  const countRows = async (): Promise<readonly number[]> => {
    const { rows } = await sql<Record<'drafts' | 'parts' | 'rankings' | 'questions', unknown>>`
      select (select count(*) from draft) as drafts,
        (select count(*) from draft_part) as parts,
        (select count(*) from run_ranking) as rankings,
        (select count(*) from question) as questions
    `.execute(service.db);
    const [row] = rows;
    return [row?.drafts, row?.parts, row?.rankings, row?.questions].map(Number);
  };

  it('put the lines of a question together when the body is far larger than what is kept in memory', async () => {
    await saveRun(draft('a'), 'big', byRank({ questions: 400, documents: 50 }));
    const run = await ask<{ questions: number; hits: number }>(service.app, 'GET', runUrl);
    const text = await readText(runUrl);
    const lines = text.trimEnd().split('\n');

    expect(run).toMatchObject({ questions: 400, hits: 20_000 });
    expect(lines).toHaveLength(20_000);
    expect(lines.slice(0, 2)).toEqual([`q0 Q0 ${long}0 1 50 big`, `q0 Q0 ${long}1 2 49 big`]);
    expect(lines.at(-1)).toBe(`q399 Q0 ${long}49 50 1 big`);
    expect(await countRows()).toEqual([0, 0, 400, 0]);
  });

  it('give a run one content hash whatever the order of its lines', async () => {
    const size = { questions: 400, documents: 50 };
    const first = await saveRun(draft('a'), 'big', byRank(size));
    const again = await saveRun(draft('b'), 'big', byQuestion(size));

    expect(again).toEqual({ ...first, isNew: false });
    expect(await countRows()).toEqual([0, 0, 400, 0]);
  });

  it('join a question that comes again, far behind, with what was written of it', async () => {
    const size = { questions: 400, documents: 60 };
    const last = [`q7 extra`, `q400 ${long}0`, `q8 extra`, `q400 ${long}1`];
    async function* ordered() {
      yield* byQuestion(size);
      yield* toEntries(last, 24_001);
    }
    async function* mixed() {
      yield* toEntries(last, 1);
      yield* byRank(size);
    }
    const first = await saveRun(draft('a'), 'big', ordered());
    const again = await saveRun(draft('b'), 'big', mixed());
    const lines = (await readText(runUrl)).trimEnd().split('\n');

    expect(first).toMatchObject({ isNew: true, run: { questions: 401, hits: 24_004 } });
    expect(again).toEqual({ ...first, isNew: false });
    expect(lines.filter((line) => line.startsWith('q7 '))).toHaveLength(61);
    expect(lines.filter((line) => line.startsWith('q400 '))).toHaveLength(2);
    expect(await countRows()).toEqual([0, 0, 401, 0]);
  });

  it('name a line that repeats a document of a question that was written', async () => {
    async function* withDouble() {
      yield* byQuestion({ questions: 400, documents: 60 });
      yield* toEntries([`q7 ${long}3`], 24_001);
    }
    await expect(saveRun(draft('a'), 'big', withDouble())).rejects.toMatchObject({
      details: {
        errors: [{ line: 24_001, detail: `duplicate document '${long}3' in question 'q7'` }],
      },
    });
    expect(await countRows()).toEqual([0, 0, 0, 0]);
  });

  it('name the first line at fault, wherever its question is found', async () => {
    async function* withDoubles() {
      yield* byRank({ questions: 400, documents: 50 });
      yield* toEntries([`q7 ${long}3`, `q8 ${long}9`, `q1 ${long}1`], 20_001);
    }
    const saved = saveRun(draft('a'), 'big', withDoubles());

    await expect(saved).rejects.toMatchObject({
      details: {
        errors: [
          { line: 20_001, detail: `duplicate document '${long}3' in question 'q7'` },
          { line: 20_002, detail: `duplicate document '${long}9' in question 'q8'` },
          { line: 20_003, detail: `duplicate document '${long}1' in question 'q1'` },
        ],
      },
    });
    expect(await countRows()).toEqual([0, 0, 0, 0]);
  });

  it('refuse a question with too many documents', async () => {
    const saved = saveRun(draft('a'), 'big', byQuestion({ questions: 1, documents: 10_001 }));

    await expect(saved).rejects.toMatchObject({
      details: { errors: [{ line: 10_001, detail: /more than 10000 documents/ }] },
    });
  });

  it('of qrels refuse a question with too many documents', async () => {
    const entries = byQuestion({ questions: 1, documents: 10_001 });
    const saved = importQrels(draft('a'), 's', { ...usualRule, entries, create: true });

    await expect(saved).rejects.toMatchObject({
      details: { errors: [{ line: 10_001, detail: /more than 10000 documents/ }] },
    });
    expect(await countRows()).toEqual([0, 0, 0, 0]);
  });

  it('keep no row of a run that was replaced, refused, the same, or deleted', async () => {
    await putText(runUrl, 'q1 Q0 a 1 1 t', 'q2 Q0 a 1 1 t');
    await putText(runUrl, 'q1 Q0 b 1 1 t');
    const replaced = await countRows();
    await putText(runUrl, 'q1 Q0 b 1 1 t');
    await putText(runUrl, 'q1 Q0 c 1 1 t', 'q1 Q0 c 1 1 t');
    await putText('/v1/runs/other', 'q1 Q0 c 1 1 t', 'q2');
    const refused = await countRows();
    await service.app.inject({ method: 'DELETE', url: runUrl });

    expect(replaced).toEqual([0, 0, 1, 0]);
    expect(refused).toEqual([0, 0, 1, 0]);
    expect(await countRows()).toEqual([0, 0, 0, 0]);
  });

  it('leave nothing when the body breaks off, and the run as it was', async () => {
    await putText(runUrl, 'q1 Q0 before 1 1 t');
    let during: readonly number[] = [];
    async function* breakOff() {
      yield* byRank({ questions: 400, documents: 50 });
      during = await countRows();
      throw new Error('aborted');
    }

    await expect(saveRun(draft('a'), 'big', breakOff())).rejects.toThrow('aborted');
    expect(during[0]).toBe(1);
    expect(during[1]).toBeGreaterThanOrEqual(256);
    expect(await countRows()).toEqual([0, 0, 1, 0]);
    expect(await readText(runUrl)).toBe('q1 Q0 before 1 1 big\n');
  });

  it('end with one of two runs that are stored under one name at once', async () => {
    const [one, two] = await Promise.all([
      putText(runUrl, 'q1 Q0 one 1 1 t'),
      putText(runUrl, 'q1 Q0 two 1 1 t'),
    ]);

    expect([one.statusCode, two.statusCode]).toEqual([201, 201]);
    expect(await readText(runUrl)).toMatch(/^q1 Q0 (one|two) 1 1 big\n$/);
    expect(await countRows()).toEqual([0, 0, 1, 0]);
  });

  it('are cleared when they were cut off with their process, and block nobody then', async () => {
    await putText(`${qrelsUrl}?create=true`, 'q1 0 a 1', 'q2 0 a 1');
    const before = await countRows();
    await cutOff(draft('cut'));
    const cut = await countRows();

    await clearDrafts(service.db, { now: '2026-01-01T12:02:59.000Z' });
    const early = await countRows();
    await clearDrafts(service.db, { now: '2026-01-01T12:03:01.000Z' });
    const saved = await putText(`${qrelsUrl}?judgments=replace`, 'q1 0 b 1');

    expect(cut).not.toEqual(before);
    expect(early).toEqual(cut);
    expect(saved.json()).toMatchObject({ version: 2, questions: 2, judgments: 2 });
    expect(await readText(qrelsUrl)).toBe('q1 0 b 1\nq2 0 a 1\n');
    expect((await countRows())[0]).toBe(0);
  });

  it('cannot write any more once they were given up', async () => {
    await putText(`${qrelsUrl}?create=true`, 'q1 0 a 1', 'q2 0 a 1');
    const next = await cutOff(draft('cut'));
    await dropDraft(service.db, 'cut');
    const write = writeNextVersion(draft('cut'), next, { ended: ['q1'], started: [] });

    await expect(write).rejects.toMatchObject({ code: 'conflict' });
    expect(await readText(qrelsUrl)).toBe('q1 0 a 1\nq2 0 a 1\n');
  });

  it('leave no set behind when the qrels of a new one are refused', async () => {
    const doubled = await putText(`${qrelsUrl}?create=true`, 'q1 0 a 1', 'q1 0 a 0');
    const unknown = await putText(qrelsUrl, 'q1 0 a 1');
    const sets = await service.db.selectFrom('question_set').select('name').execute();

    expect([doubled.statusCode, unknown.statusCode]).toEqual([400, 404]);
    expect(sets).toEqual([]);
    expect(await countRows()).toEqual([0, 0, 0, 0]);
  });

  it('of qrels let others change the set before and after, and lose nothing', async () => {
    await putText(`${qrelsUrl}?create=true`, 'q1 0 a 1', 'q2 0 a 1');
    const judgments = [{ questionId: 'q2', documentId: 'b', grade: 1 }];
    async function* judgedMeanwhile() {
      yield* toEntries(['q1 c'], 1);
      await addJudgments(service.db, 's', { judge: 'j', judgments, now: noon });
    }
    const file = { entries: judgedMeanwhile(), create: false };
    const saved = await importQrels(draft('a'), 's', { ...usualRule, ...file });

    expect(saved).toMatchObject({ version: 3, questions: 2, judgments: 4 });
    expect(await readText(qrelsUrl)).toBe('q1 0 c 1\nq1 0 a 1\nq2 0 a 1\nq2 0 b 1\n');
  });

  it('of qrels at once under one name both come in', async () => {
    const [one, two] = await Promise.all([
      putText(`${qrelsUrl}?create=true`, 'q1 0 a 1'),
      putText(`${qrelsUrl}?create=true`, 'q2 0 a 1'),
    ]);

    expect([one.statusCode, two.statusCode]).toEqual([201, 201]);
    expect((await readText(qrelsUrl)).split('\n').toSorted()).toEqual(['', 'q1 0 a 1', 'q2 0 a 1']);
  });

  it('of qrels keep others from changing or deleting the set while its next version is written', async () => {
    await putText(`${qrelsUrl}?create=true`, 'q1 0 a 1', 'q2 0 a 1');
    await cutOff(draft('cut'));
    const deleted = await service.app.inject({ method: 'DELETE', url: '/v1/question-sets/s' });
    const read = await readText(qrelsUrl);
    const waiting = putText(`${qrelsUrl}?judgments=replace`, 'q2 0 z 1');
    await dropDraft(service.db, 'cut');

    expect(deleted.statusCode).toBe(409);
    expect(read).toBe('q1 0 a 1\nq2 0 a 1\n');
    expect((await waiting).json()).toMatchObject({ version: 2 });
    expect(await readText(qrelsUrl)).toBe('q1 0 a 1\nq2 0 z 1\n');
  });

  it('of qrels start anew behind a set that was deleted while an evaluation holds it', async () => {
    await putText(`${qrelsUrl}?create=true`, 'q1 0 a 1', 'q2 0 a 1');
    await putText(runUrl, 'q1 Q0 a 1 1 t');
    const configurations = [{ name: 'r', backend: 'run', run: 'big' }];
    const body = { questionSet: 's', configurations, measures: ['P@1'] };
    await send(service.app, 'POST', '/v1/eval', { body, headers: { prefer: 'wait=30' } });
    await service.app.inject({ method: 'DELETE', url: '/v1/question-sets/s' });
    const saved = await putText(`${qrelsUrl}?create=true`, 'q3 0 a 1');

    expect(saved.json()).toMatchObject({ version: 2, questions: 1, judgments: 1 });
    expect(await readText(qrelsUrl)).toBe('q3 0 a 1\n');
  });

  /** What a process leaves that ends in the middle: parts, a claimed set, and a half-written version. */
  async function cutOff(into: Draft) {
    await insertDraft(service.db, { id: into.id, at: into.now() });
    await stagePairs(into, byRank({ questions: 400, documents: 50 }), { maxPairs: 50 });
    const next = await claimNextVersion(into, { name: 's', precondition: noPrecondition });
    const started = [
      { id: 'q1', position: 0, split: null, contentHash: 'x', judgments: 0, body: '{}' },
    ];
    await writeNextVersion(into, next, { ended: ['q1', 'q2'], started });
    return next;
  }
});

interface Size {
  readonly questions: number;
  readonly documents: number;
}

/** The first document of every question, then the second of every question, and so on. */
async function* byRank({ questions, documents }: Size): AsyncGenerator<readonly PairEntry[]> {
  for (let line = 0; line < questions * documents; line += 1) {
    yield [toEntry(line % questions, Math.floor(line / questions), { documents, line })];
  }
}

async function* byQuestion({ questions, documents }: Size): AsyncGenerator<readonly PairEntry[]> {
  for (let line = 0; line < questions * documents; line += 1) {
    yield [toEntry(Math.floor(line / documents), line % documents, { documents, line })];
  }
}

function toEntry(
  question: number,
  rank: number,
  { documents, line }: { readonly documents: number; readonly line: number },
): PairEntry {
  const pair = { questionId: `q${question}`, documentId: `${long}${rank}` };
  return { ...pair, value: documents - rank, line: line + 1 };
}

async function* toEntries(
  lines: readonly string[],
  first: number,
): AsyncGenerator<readonly PairEntry[]> {
  for (const [index, line] of lines.entries()) {
    const [questionId = '', documentId = ''] = line.split(' ');
    yield [{ questionId, documentId, value: 1, line: first + index }];
  }
}
