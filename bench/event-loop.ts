/**
 * How long does one request hold up all others? Starts the real service on a store with large evaluations,
 * sends what is heavy, and asks the service for the longest pause of its event loop meanwhile.
 *
 * node bench/event-loop.ts [words of the names of what is to be measured]
 *
 * Of each pause two times are shown: by the clock, and that of the processor in this thread. Where others
 * share the machine the first tells of them too.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { print } from '../scripts/demo/print.ts';
import { startTemporaryService } from '../scripts/demo/service.ts';
import { askForPause } from './ask-for-pause.ts';
import { fillStore } from './filled-store.ts';

const allowedMs = 50;
const measures = ['nDCG@10', 'AP', 'RR', 'R@100', 'P@10', 'judged@10', 'judged@100'];

const large = { name: 'large', questions: 50_000, configurations: ['a'], measures };
const paired = { name: 'paired', questions: 5000, configurations: ['a', 'b', 'c', 'd'], measures };

interface Work {
  readonly name: string;
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const compare = { path: '/v1/compare', body: { evaluation: 'paired', resamples: 10_000 } };
const pool = { path: '/v1/pool', body: { evaluation: 'paired' } };
const works: readonly Work[] = [
  {
    name: 'scorecard of 50,000 × 100 with intervals, bounds and slices',
    path: '/v1/eval/large/rescore',
    headers: { prefer: 'wait=120' },
  },
  {
    name: 'compare all pairs of 4 on 5,000, 2 measures, 10,000 resamples',
    ...compare,
    body: { ...compare.body, pairs: 'all', measures: ['nDCG@10', 'AP'], bounds: true },
  },
  {
    name: 'compare one pair on 5,000 with equivalence',
    ...compare,
    body: {
      ...compare.body,
      baseline: 'a',
      candidate: 'b',
      measure: 'nDCG@10',
      equivalence: { margin: 0.02 },
    },
  },
  {
    name: 'pool by impact of 5,000, depth 10',
    ...pool,
    body: { ...pool.body, depth: 10, order: 'impact', pair: ['a', 'b'], measure: 'nDCG@10' },
  },
  {
    name: 'pool by impact of 5,000, depth 100',
    ...pool,
    body: { ...pool.body, depth: 100, order: 'impact', pair: ['a', 'b'], measure: 'nDCG@10' },
  },
  {
    name: 'pool bias of 4 on 5,000',
    ...pool,
    body: { ...pool.body, depth: 10, bias: true, measure: 'nDCG@10' },
  },
  { name: 'pool of 4 on 5,000, depth 100', ...pool, body: { ...pool.body, depth: 100 } },
  {
    name: 'power from a comparison on 5,000',
    path: '/v1/power',
    body: {
      evaluation: 'paired',
      baseline: 'a',
      candidate: 'b',
      measure: 'nDCG@10',
      difference: 0.01,
    },
  },
  {
    name: 'page of 1,000 questions with bounds',
    method: 'GET',
    path: '/v1/eval/paired/questions?configuration=a&limit=1000',
  },
  {
    name: 'run of 50,000 × 100 as TREC',
    method: 'GET',
    path: '/v1/eval/large/runs/a',
    headers: { accept: 'text/plain' },
  },
  { name: 'report as JUnit, 50,000', method: 'GET', path: '/v1/eval/large/report?format=junit' },
];

const wanted = process.argv.slice(2);
const chosen = works.filter(({ name }) => wanted.every((word) => name.includes(word)));
const folder = mkdtempSync(join(tmpdir(), 'event-loop-'));
try {
  await run(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function run(directory: string): Promise<void> {
  const url = `sqlite:${join(directory, 'large.db')}`;
  const needed = [large, paired].filter(({ name }) =>
    chosen.some(({ path, body }) => `${path} ${JSON.stringify(body)}`.includes(name)),
  );
  await fillStore(url, needed);
  const file = join(directory, 'pause.json');
  await using service = await startTemporaryService({
    DATABASE_URL: url,
    LOOP_WATCH_FILE: file,
    NODE_OPTIONS: `--max-semi-space-size=8 --import ${resolve('bench/loop-watch.ts')}`,
  });
  const readPause = () => askForPause(service.processId, file);
  print('      pause ms   own ms       s      MB');
  for (const work of chosen) {
    await readPause();
    const { seconds, megabytes, status } = await send(service.url, work);
    const { wall, own } = await readPause();
    const verdict = Math.min(wall, own) <= allowedMs ? 'ok' : 'MISS';
    const numbers = [wall, own, seconds, megabytes].map((each) => each.toFixed(1).padStart(8));
    print(
      `${verdict.padEnd(5)} ${numbers.join('')}  ${work.name}${status === 200 ? '' : ` (${status})`}`,
    );
  }
  print(`at most ${allowedMs} ms`);
}

/** Reads the answer to its end without keeping it. */
async function send(
  url: string,
  { method = 'POST', path, body, headers = {} }: Work,
): Promise<{ readonly seconds: number; readonly megabytes: number; readonly status: number }> {
  const start = performance.now();
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  let bytes = 0;
  for await (const part of answer.body ?? []) bytes += part.length;
  return {
    seconds: (performance.now() - start) / 1000,
    megabytes: bytes / 1e6,
    status: answer.status,
  };
}
