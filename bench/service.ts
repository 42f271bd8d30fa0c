/**
 * How long does work take that goes through the service, next to the scorer on the same files? Starts the real service
 * and brings it the files over HTTP. Prints wall time and processor time of the service, each as a ratio to the scorer's,
 * which is measured in the same run. Ends with 1 where a target is missed.
 *
 * node bench/service.ts [questions] [repeats]
 *
 * SQLite, or the database of BENCH_DATABASE_URL.
 */
import { mkdtempSync, openAsBlob, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve as resolvePath } from 'node:path';
import process from 'node:process';
import { spawnSync } from 'node:child_process';

import { createClient, type Client } from '../scripts/demo/client.ts';
import { startTemporaryService, type TemporaryService } from '../scripts/demo/service.ts';
import { askForPause } from './ask-for-pause.ts';
import { printRow } from './measuring.ts';
import { writeTrecFiles, type TrecFiles } from './trec-files.ts';

const questions = Number(process.argv[2] ?? 50_000);
const repeats = Number(process.argv[3] ?? 5);
const measures = ['nDCG@10', 'AP', 'RR', 'R@100', 'P@10'];
const memoryTarget = 450;
const pauseTarget = 50;

interface Spent {
  /** Seconds. */
  readonly wall: number;
  readonly processor: number;
}

const none: Spent = { wall: 0, processor: 0 };

const folder = mkdtempSync(join(tmpdir(), 'service-'));
try {
  await measureOneRun('sorted', questions, { wall: 10, ratio: 7 });
  await measureOneRun('shuffled', questions, { wall: 20, ratio: Infinity });
  await measureComparison(Math.min(10_000, questions));
  await measureOneRun('sorted', Math.min(1000, questions), { wall: 0.3, ratio: Infinity });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Qrels, a run and an evaluation, to the scorecard. */
async function measureOneRun(
  order: 'sorted' | 'shuffled',
  count: number,
  target: { readonly wall: number; readonly ratio: number },
): Promise<void> {
  const files = writeTrecFiles(join(folder, `${order}-${count}`), { questions: count, order });
  const all: { readonly scorer: Spent; readonly steps: Readonly<Record<string, Spent>> }[] = [];
  process.stdout.write(`\n${count} questions × 100, lines ${order}\n`);
  let peak = 0;
  let pause = 0;
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const scorer = runScorer(files);
    await using service = await startService();
    const client = createClient(service.url);
    const steps = {
      qrels: await spend(service, () =>
        send(service, '/v1/question-sets/q/qrels?create=true', files.qrels),
      ),
      run: await spend(service, () => send(service, '/v1/runs/a', files.runs[0])),
      evaluation: await spend(service, () => evaluate(client, ['a'])),
    };
    all.push({ scorer, steps });
    peak = Math.max(peak, readPeak(service));
    pause = Math.max(pause, await readPause(service));
  }
  const scorer = medianOf(all.map((each) => each.scorer));
  printSpent('the scorer on these files', scorer);
  for (const name of ['qrels', 'run', 'evaluation']) {
    printSpent(name, medianOf(all.map(({ steps }) => steps[name] ?? none)));
  }
  const total = medianOf(all.map(({ steps }) => sum(Object.values(steps))));
  demand('in all', total.wall, { target: target.wall, unit: 's' });
  demand('processor time in all', total.processor, { target: target.wall, unit: 's' });
  if (Number.isFinite(target.ratio)) {
    demand('wall, scorers', total.wall / scorer.wall, { target: target.ratio, unit: 'x' });
    demand('processor, scorers', total.processor / scorer.processor, {
      target: target.ratio,
      unit: 'x',
    });
  }
  demand('peak memory', peak, { target: memoryTarget, unit: 'MiB' });
  demand('longest pause of the event loop', pause, { target: pauseTarget, unit: 'ms' });
}

/** Two runs, stored, evaluated and compared with all tests, and once more on another measure. */
async function measureComparison(count: number): Promise<void> {
  const files = writeTrecFiles(join(folder, `pair-${count}`), {
    questions: count,
    order: 'sorted',
  });
  const all: Readonly<Record<string, Spent>>[] = [];
  process.stdout.write(`\nTwo runs of ${count} questions × 100\n`);
  let peak = 0;
  let pause = 0;
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    await using service = await startService();
    const client = createClient(service.url);
    const [first, second] = files.runs;
    const qrels = await spend(service, () =>
      send(service, '/v1/question-sets/q/qrels?create=true', files.qrels),
    );
    const runs = await spend(service, async () => {
      await send(service, '/v1/runs/a', first);
      await send(service, '/v1/runs/b', second);
    });
    let id = '';
    const evaluation = await spend(service, async () => {
      id = await evaluate(client, ['a', 'b']);
    });
    const compare = (measure: string) =>
      spend(service, () =>
        client.post('/v1/compare', {
          baseline: { evaluation: id, configuration: 'a' },
          candidate: { evaluation: id, configuration: 'b' },
          measure,
          resamples: 10_000,
          permutations: 100_000,
        }),
      );
    const comparison = await compare('nDCG@10');
    const another = await compare('RR');
    all.push({ qrels, runs, evaluation, comparison, another });
    peak = Math.max(peak, readPeak(service));
    pause = Math.max(pause, await readPause(service));
  }
  const median = (name: string) => medianOf(all.map((each) => each[name] ?? none));
  for (const name of ['qrels', 'runs', 'evaluation', 'comparison', 'another']) {
    printSpent(name === 'another' ? 'comparison on another measure' : name, median(name));
  }
  const together = sum(['runs', 'evaluation', 'comparison'].map(median));
  demand('two runs stored, evaluated, compared', together.wall, { target: 4.5, unit: 's' });
  demand('comparison', median('comparison').wall, { target: 1, unit: 's' });
  demand('comparison on another measure', median('another').wall, { target: 0.7, unit: 's' });
  demand('peak memory', peak, { target: memoryTarget, unit: 'MiB' });
  demand('longest pause of the event loop', pause, { target: pauseTarget, unit: 'ms' });
}

async function startService(): Promise<TemporaryService> {
  const databaseUrl = process.env['BENCH_DATABASE_URL'];
  const service = await startTemporaryService({
    BODY_LIMIT_MB: '1024',
    RATE_LIMIT_PER_MINUTE: '0',
    LOOP_WATCH_FILE: join(folder, 'pause.json'),
    NODE_OPTIONS: `--max-semi-space-size=8 --import ${resolvePath('bench/loop-watch.ts')} ${process.env['BENCH_NODE_OPTIONS'] ?? ''}`,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  });
  // What the start took is not asked here.
  await readPause(service);
  return service;
}

async function send(
  service: TemporaryService,
  path: string,
  file: string | undefined,
): Promise<void> {
  const answer = await fetch(`${service.url}${path}`, {
    method: 'PUT',
    headers: { 'content-type': 'text/plain' },
    body: (await openAsBlob(file ?? '')).stream(),
    duplex: 'half',
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status}: ${text}`);
}

async function evaluate({ get, post }: Client, runs: readonly string[]): Promise<string> {
  const { id } = await post<{ id: string }>('/v1/eval', {
    questionSet: 'q',
    configurations: runs.map((run) => ({ name: run, backend: 'run', run, depth: 100 })),
    measures,
  });
  for (;;) {
    const { status } = await get<{ status: string }>(`/v1/eval/${id}`);
    if (status === 'succeeded') return id;
    if (status === 'failed') throw new Error('The evaluation failed');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function runScorer({ qrels, runs: [run = ''] }: TrecFiles): Spent {
  const begin = performance.now();
  const { stdout, status } = spawnSync(
    process.execPath,
    ['bench/score-trec-files.ts', qrels, run],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error('The scorer failed');
  const { processorMilliseconds } = JSON.parse(stdout) as { processorMilliseconds: number };
  return { wall: (performance.now() - begin) / 1000, processor: processorMilliseconds / 1000 };
}

async function spend(service: TemporaryService, work: () => Promise<unknown>): Promise<Spent> {
  const before = readProcessor(service);
  const begin = performance.now();
  await work();
  return { wall: (performance.now() - begin) / 1000, processor: readProcessor(service) - before };
}

/** Of all threads of the process, in seconds: clock ticks of a hundredth. */
function readProcessor({ processId }: TemporaryService): number {
  const stat = readFileSync(`/proc/${processId}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return ((user ?? 0) + (system ?? 0)) / 100;
}

function readPeak({ processId }: TemporaryService): number {
  const status = readFileSync(`/proc/${processId}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

async function readPause({ processId }: TemporaryService): Promise<number> {
  const { wall, own } = await askForPause(processId, join(folder, 'pause.json'));
  return Math.min(wall, own);
}

function sum(all: readonly Spent[]): Spent {
  return all.reduce(
    (a, b) => ({ wall: a.wall + b.wall, processor: a.processor + b.processor }),
    none,
  );
}

function medianOf(all: readonly Spent[]): Spent {
  return {
    wall: middleOf(all.map(({ wall }) => wall)),
    processor: middleOf(all.map(({ processor }) => processor)),
  };
}

function middleOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** Prints what was measured; a miss makes the bench fail at its end. */
function demand(name: string, value: number, limit: Parameters<typeof printRow>[2]): void {
  printRow(name, value, limit);
  if (value > limit.target) process.exitCode = 1;
}

function printSpent(name: string, { wall, processor }: Spent): void {
  process.stdout.write(
    `      ${name}: ${wall.toFixed(2)} s, processor ${processor.toFixed(2)} s\n`,
  );
}
