import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { clearDrafts } from '../../src/evaluation/drafts/write-draft.ts';
import { clearStep } from '../../src/storage/catalog/clear-step.ts';
import { claimQuestionSet, deleteDraft, insertDraft } from '../../src/storage/catalog/drafts.ts';
import type { Database, DatabaseTransaction } from '../../src/storage/database/database.ts';
import { unwriteVersion } from '../../src/storage/question-sets/question-writes.ts';
import { countTurns } from '../helpers/count-turns.ts';
import { startService } from '../helpers/app.ts';
import { ask } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';

const at = '2026-12-01T00:00:00.000Z';
const type = 'application/x-ndjson';
const set = '/v1/question-sets/large';

describe.each(databaseKinds)('deleting a question set on %s', (kind) => {
  let app: FastifyInstance;
  let db: Database;
  beforeEach(async () => {
    const service = await startService({ databaseUrl: await createDatabase(kind) });
    onTestFinished(service.close);
    ({ app, db } = service);
  });

  it('lets others in between its steps, and leaves nothing', async () => {
    await ask(app, 'PUT', set, { body: makeLines(6000), type });
    const turns = countTurns();
    const deleted = await app.inject({ method: 'DELETE', url: set });
    const count = turns.end();

    expect(deleted.statusCode).toBe(204);
    // 500 rows a step, and each step is a turn on either database.
    expect(count).toBeGreaterThanOrEqual(12);
    expect(await countRows(db)).toEqual({ questions: 0, sets: 0, drafts: 0 });
    expect(await ask(app, 'PUT', set, { body: makeLines(1), type })).toMatchObject({ version: 1 });
  });

  it('goes on with what a process left in between', async () => {
    await ask(app, 'PUT', set, { body: makeLines(600), type });
    await insertDraft(db, { id: 'cut', at, isDropped: true });
    await db.updateTable('question_set').set({ deleted_through: 1 }).execute();
    await db.transaction().execute((trx) => claimQuestionSet(trx, 'cut', 'large'));
    await clearDrafts(db, { now: at, all: true });

    expect(await countRows(db)).toEqual({ questions: 0, sets: 0, drafts: 0 });
  });

  it('takes nothing from a set that an import writes anew while its last evaluation is deleted', async () => {
    await ask(app, 'POST', '/v1/sample');
    const { id } = await ask<{ id: string }>(app, 'POST', '/v1/eval', {
      body: { questionSet: 'sample', configurations: [local], cutoffs: [3] },
      headers: { prefer: 'wait=30' },
    });
    await app.inject({ method: 'DELETE', url: '/v1/question-sets/sample' });
    const { questions } = await countRows(db);
    await insertDraft(db, { id: 'import', at });
    await db.transaction().execute((trx) => claimQuestionSet(trx, 'import', 'sample'));
    const deleted = await app.inject({ method: 'DELETE', url: `/v1/eval/${id}` });

    expect(questions).toBeGreaterThan(0);
    expect(deleted.statusCode).toBe(204);
    expect(await countRows(db)).toEqual({ questions, sets: 1, drafts: 1 });
  });

  it('takes nothing back of a version once the draft that wrote another is gone', async () => {
    await ask(app, 'PUT', set, { body: makeLines(600), type });
    const next = { questionSet: 'large', version: 1 };
    await insertDraft(db, { id: 'cut', at });
    const inStep = (clear: (trx: DatabaseTransaction) => Promise<boolean>) =>
      clearStep(db, 'cut', async (trx) => {
        const goesOn = await clear(trx);
        await deleteDraft(trx, 'cut');
        return goesOn;
      });
    await unwriteVersion(db, next, inStep);

    // The first 250 went while the draft was there.
    expect(await countRows(db)).toEqual({ questions: 350, sets: 1, drafts: 0 });
  });
});

const local = { name: 'bm25', backend: 'local', corpus: 'sample', method: 'bm25' };

function makeLines(count: number, text = 'what'): string {
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ id: `q${index}`, text, relevant: { D1: 1 } }),
  );
  return `${lines.join('\n')}\n`;
}

async function countRows(db: Database) {
  const count = async (table: 'question' | 'question_set' | 'draft') => {
    const rows = await db
      .selectFrom(table)
      .select((eb) => eb.lit(1).as('one'))
      .execute();
    return rows.length;
  };
  const [questions, sets] = [await count('question'), await count('question_set')];
  return { questions, sets, drafts: await count('draft') };
}
