import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { fillStore } from '../../bench/filled-store.ts';
import { concludeEvaluation } from '../../src/evaluation/running/run-evaluation.ts';
import { nothingAllowed } from '../../src/retrieval/allowances.ts';
import { createRetrieverRegistry } from '../../src/retrieval/registry.ts';
import { openDatabase } from '../../src/storage/database/database.ts';
import { localTenant, scopeToTenant } from '../../src/storage/database/tenant-scope.ts';
import { findEvaluation } from '../../src/storage/evaluations/evaluations.ts';

const name = 'concluded';
const questions = 150;
const gate = {
  baseline: { name, evaluation: name, configuration: 'first' },
  measures: ['RR'],
  maxDrop: 0.05,
  allowedFailedShare: 0,
  minJudged: null,
  slices: [],
  sliceMaxDrop: 0.05,
  minSliceQuestions: 30,
  confidence: 0.95,
  hash: '',
};
const plan = { measures: ['RR'], sliceBy: [], bounds: true, diagnose: true, gate };

test('reads the outcomes of each configuration once for scores, bounds, diagnosis and gate', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'concluding-pass-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const url = `sqlite:${join(folder, 'store.db')}`;
  await fillStore(url, [
    { name, questions, configurations: ['first', 'second'], measures: ['RR'] },
  ]);
  const db = scopeToTenant(openDatabase(url), localTenant);
  onTestFinished(() => db.destroy());
  const reopened = { status: 'running', finished_at: null, plan: JSON.stringify(plan) };
  await db.updateTable('evaluation').set(reopened).where('id', '=', name).execute();
  let rows = 0;
  const counting = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      rows += result.rows.filter((row) => 'pairs_reranked' in row).length;
      return result;
    },
  });

  const never = new AbortController().signal;
  const retrievers = createRetrieverRegistry({
    loadCorpus: async () => undefined,
    findImportedHits: async () => undefined,
    findAllowances: async () => nothingAllowed,
  });
  const context = { db: counting, retrievers, now: readTime, searchConcurrency: 1 };
  await concludeEvaluation(context, name, { abort: never, drain: never });

  const ended = await findEvaluation(db, name);
  expect(ended?.status).toBe('succeeded');
  expect(ended?.scorecard).toHaveLength(2);
  // Two configurations, and the baseline's run, which is another evaluation's as a rule.
  expect(rows).toBe(3 * questions);
});

function readTime(): string {
  return '2026-12-01T00:00:00.000Z';
}
