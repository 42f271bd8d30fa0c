/**
 * How long does the end of an evaluation take: scores, intervals, bounds, diagnosis and gate over what is stored?
 *
 * node bench/conclude.ts [questions, default 5000]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { concludeEvaluation } from '../src/evaluation/running/run-evaluation.ts';
import { nothingAllowed } from '../src/retrieval/allowances.ts';
import { createRetrieverRegistry } from '../src/retrieval/registry.ts';
import { openDatabase } from '../src/storage/database/database.ts';
import { localTenant, scopeToTenant } from '../src/storage/database/tenant-scope.ts';
import { fillStore } from './filled-store.ts';
import { bestOf } from './measuring.ts';
import { print } from '../scripts/demo/print.ts';
const questions = Number(process.argv[2] ?? 5000);
const repeats = 3;
const name = 'concluded';
const scores = {
  measures: ['nDCG@10', 'AP', 'RR', 'R@100'],
  sliceBy: ['kind', 'tags'],
  bounds: true,
};
const gate = {
  baseline: { name, evaluation: name, configuration: 'first' },
  measures: ['nDCG@10'],
  maxDrop: 0.05,
  allowedFailedShare: 0,
  allowedFallbackShare: 0,
  minJudged: null,
  slices: [],
  sliceMaxDrop: 0.05,
  minSliceQuestions: 30,
  confidence: 0.95,
  strength: 'usual',
  hash: '',
};
const plans = {
  scores,
  'scores and diagnosis': { ...scores, diagnose: true },
  'scores, diagnosis and gate': { ...scores, diagnose: true, gate },
};
const folder = mkdtempSync(join(tmpdir(), 'conclude-'));
try {
  const url = `sqlite:${join(folder, 'store.db')}`;
  const configurations = ['first', 'second'];
  const measures = ['nDCG@10', 'AP', 'RR', 'R@100'];
  await fillStore(url, [{ name, questions, configurations, measures }]);
  await measure(url);
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(url: string): Promise<void> {
  const db = scopeToTenant(openDatabase(url), localTenant);
  const never = new AbortController().signal;
  const retrievers = createRetrieverRegistry({
    loadCorpus: async () => undefined,
    findImportedHits: async () => undefined,
    findAllowances: async () => nothingAllowed,
  });
  const context = { db, retrievers, now: readTime, searchConcurrency: 1 };
  for (const [part, plan] of Object.entries(plans)) {
    const { milliseconds, processorMilliseconds } = await bestOf(repeats, async () => {
      const changed = { status: 'running', finished_at: null, plan: JSON.stringify(plan) };
      await db.updateTable('evaluation').set(changed).where('id', '=', name).execute();
      await concludeEvaluation(context, name, { abort: never, drain: never });
    });
    const times = [milliseconds, processorMilliseconds].map((each) => each.toFixed(0));
    print(`${part}: ${times[0]} ms, processor ${times[1]} ms`);
  }
  await db.destroy();
}

function readTime(): string {
  return new Date().toISOString();
}
