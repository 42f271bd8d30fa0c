/**
 * Do large files come in without much memory, and can others read and write meanwhile? Starts the real
 * service on SQLite, or on the database of BENCH_DATABASE_URL, and imports files that it makes.
 *
 * The heap is bounded, since how much garbage V8 leaves in it otherwise depends on the machine's memory.
 *
 * node bench/import.ts [lines of qrels] [lines of the run] [questions]
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve as resolvePath } from 'node:path';
import process from 'node:process';
import { Readable } from 'node:stream';

import { startTemporaryService, type TemporaryService } from '../scripts/demo/service.ts';
import { askForPause } from './ask-for-pause.ts';
import { printRow } from './measuring.ts';
import { createRandom } from './trec-files.ts';

const qrelsLines = Number(process.argv[2] ?? 1_000_000);
const runLines = Number(process.argv[3] ?? 5_000_000);
const questionLines = Number(process.argv[4] ?? 200_000);
const documentsAQuestion = 100;
const judgedAQuestion = 20;
const memoryTarget = 450;
const pauseTarget = 50;

const databaseUrl = process.env['BENCH_DATABASE_URL'];
const watchFile = join(mkdtempSync(join(tmpdir(), 'import-')), 'pause.json');
await using service = await startTemporaryService({
  BODY_LIMIT_MB: '1024',
  RATE_LIMIT_PER_MINUTE: '0',
  LOOP_WATCH_FILE: watchFile,
  NODE_OPTIONS: `--max-old-space-size=512 --max-semi-space-size=8 --import ${resolvePath('bench/loop-watch.ts')}`,
  ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
});
const ndjson = 'application/x-ndjson';
await measure('question set, new', '/v1/question-sets/asked', makeQuestions(questionLines), ndjson);
await measure('the same again', '/v1/question-sets/asked', makeQuestions(questionLines), ndjson);
await measure(
  'with other grades',
  '/v1/question-sets/asked',
  makeQuestions(questionLines, 1),
  ndjson,
);
await measureAtOnce(4);
const qrelsPath = '/v1/question-sets/big/qrels';
await measure('qrels of a new set', `${qrelsPath}?create=true`, makeQrels(qrelsLines));
await measure('qrels of a set that exists', qrelsPath, makeQrels(qrelsLines, 1));
await measure('the same qrels again', qrelsPath, makeQrels(qrelsLines, 1));
await measure('run sorted by question', '/v1/runs/big', makeRun(runLines));
await measure('run sorted by rank, in its place', '/v1/runs/big', makeMixedRun(runLines));

/** Several question sets of 12 MiB as ndjson at the same time. */
async function measureAtOnce(count: number): Promise<void> {
  resetPeak(service);
  const start = performance.now();
  const sets = Array.from({ length: count }, (_, index) =>
    put(`${service.url}/v1/question-sets/at-once-${index}`, makeQuestions(130_000), ndjson),
  );
  await Promise.all(sets);
  const seconds = (performance.now() - start) / 1000;
  process.stdout.write(`\n${count} question sets at once: ${seconds.toFixed(1)} s\n`);
  printRow('peak memory', readPeak(service), { target: memoryTarget, unit: 'MiB' });
}

async function measure(
  name: string,
  path: string,
  lines: Generator<string>,
  type = 'text/plain',
): Promise<void> {
  resetPeak(service);
  await askForPause(service.processId, watchFile);
  const stop = new AbortController();
  const writes = probeWrites(service.url, stop.signal);
  const start = performance.now();
  const answer = await put(`${service.url}${path}`, lines, type);
  const seconds = (performance.now() - start) / 1000;
  stop.abort();
  const { wall, own } = await askForPause(service.processId, watchFile);
  process.stdout.write(`\n${name}: ${seconds.toFixed(1)} s, ${answer.slice(0, 160)}\n`);
  const peak = readPeak(service);
  const share = `peak memory (${(peak / memoryTarget).toFixed(2)} of what is allowed)`;
  printRow(share, peak, { target: memoryTarget, unit: 'MiB' });
  const pause = `longest pause of the event loop (${wall.toFixed(0)} ms by the clock)`;
  printRow(pause, Math.min(wall, own), { target: pauseTarget, unit: 'ms' });
  const waits = (await writes).toSorted((a, b) => a - b);
  const [middle, longest] = [waits[waits.length >> 1], waits.at(-1)];
  process.stdout.write(
    `${waits.length} small writes meanwhile: median ${middle?.toFixed(0)} ms, longest ${longest?.toFixed(0)} ms\n`,
  );
}

async function put(url: string, lines: Generator<string>, type: string): Promise<string> {
  const answer = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': type },
    body: Readable.toWeb(Readable.from(inChunks(lines), { objectMode: false })),
    duplex: 'half',
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status}: ${text}`);
  return text;
}

/** How long others wait who write a little, again and again. */
async function probeWrites(url: string, signal: AbortSignal): Promise<readonly number[]> {
  const waits: number[] = [];
  for (let depth = 1; !signal.aborted; depth = (depth % 1000) + 1) {
    const start = performance.now();
    const answer = await fetch(`${url}/v1/search-configurations/probe`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ backend: 'run', run: 'big', depth }),
    });
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    await answer.text();
    waits.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return waits;
}

/** Lets Linux forget the most memory that the process ever had. */
function resetPeak({ processId }: TemporaryService): void {
  writeFileSync(`/proc/${processId}/clear_refs`, '5');
}

function readPeak({ processId }: TemporaryService): number {
  const status = readFileSync(`/proc/${processId}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** About 95 bytes each. */
function* makeQuestions(count: number, shift = 0): Generator<string> {
  const random = createRandom(4);
  for (let index = 0; index < count; index += 1) {
    const relevant = { [`document-${random(1_000_000)}`]: 1 + ((random(3) + shift) % 3) };
    const text = `what question number ${index} asks`;
    yield `${JSON.stringify({ id: `question-${index}`, text, relevant })}\n`;
  }
}

function* makeQrels(count: number, shift = 0): Generator<string> {
  const random = createRandom(1);
  for (let line = 0; line < count; line += 1) {
    const question = Math.floor(line / judgedAQuestion);
    const document = `document-${question}-${line % judgedAQuestion}-${random(1000)}`;
    yield `question-${question} 0 ${document} ${(random(4) + shift) % 4}\n`;
  }
}

function* makeRun(count: number): Generator<string> {
  const random = createRandom(2);
  for (let line = 0; line < count; line += 1) {
    const rank = line % documentsAQuestion;
    yield toRunLine(Math.floor(line / documentsAQuestion), rank, random);
  }
}

/** The first of every question, then the second of every question, and so on. */
function* makeMixedRun(count: number): Generator<string> {
  const random = createRandom(3);
  const questions = Math.ceil(count / documentsAQuestion);
  for (let line = 0; line < count; line += 1) {
    yield toRunLine(line % questions, Math.floor(line / questions), random);
  }
}

function toRunLine(question: number, rank: number, random: (below: number) => number): string {
  const score = (documentsAQuestion - rank + random(1000) / 1000).toFixed(4);
  return `question-${question} Q0 document-${rank}-${random(1_000_000)} ${rank + 1} ${score} made\n`;
}

function* inChunks(lines: Iterable<string>): Generator<Buffer> {
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (chunk.length < 65_536) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  yield Buffer.from(chunk);
}
