/**
 * Do readers wait while the service evaluates, and is anything lost? Starts the real service, lets clients
 * send mixed reads at a fixed rate, first to the idle service and then beside evaluations that never pause,
 * and counts every outcome in the end. Both servers and clients run on this machine.
 *
 * The mix is that of a page that shows evaluations: every route that such a page reads has an equal share, over several
 * evaluations and all their configurations in turn, and no client keeps an answer that it had. Two reads of twelve are
 * of rankings, some 200 kB each.
 *
 * node bench/load.ts [seconds, default 60] [requests a second, default 200] [questions, default 2000]
 */
import { loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';

import autocannon from 'autocannon';

import { createClient, type Client } from '../scripts/demo/client.ts';
import { print, printTable } from '../scripts/demo/print.ts';
import { startTemporaryService } from '../scripts/demo/service.ts';
import { putManyQuestions } from './many-questions.ts';
import { printRow } from './measuring.ts';

const [seconds = 60, rate = 200, questions = 2000] = process.argv.slice(2).map(Number);
const methods = ['bm25', 'vector', 'hybrid', 'rerank'];
const readEvaluations = 8;
const clients = 40;

/** The package's types lack it. */
const { aggregateResult } = autocannon as unknown as {
  readonly aggregateResult: (
    results: readonly autocannon.Result[],
    options: autocannon.Options,
  ) => autocannon.Result;
};
const targetMs = 250;

interface Progress {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
}

interface Evaluation {
  readonly id: string;
  readonly status: string;
  readonly progress: Progress;
  readonly scorecard: readonly { readonly questions: Readonly<Record<string, number>> }[] | null;
}

await using service = await startTemporaryService();
const client = createClient(service.url);
await putManyQuestions(client, { count: questions, configurations: methods });
const finished: string[] = [];
while (finished.length < readEvaluations) finished.push((await evaluate(client, 'sample')).id);
await client.put('/v1/baselines/main', { evaluation: finished[0], configuration: 'bm25' });

print(`${rate} reads a second for ${seconds} s, load of the machine before: ${writeLoad()}`);
const usedBefore = await readProcessorSeconds(service.url);
const idle = await read(service.url, finished);
const used = (await readProcessorSeconds(service.url)) - usedBefore;
const idleLoad = writeLoad();
const stop = new AbortController();
const evaluating = evaluateUntil(client, stop.signal);
const beside = await read(service.url, finished);
const besideLoad = writeLoad();
stop.abort();
const evaluations = await evaluating;

printTable(
  ['reads', 'answered', 'p50 ms', 'p99 ms', 'max ms', 'errors', 'not 2xx', 'load 1/5/15 min'],
  [toRow('idle', idle, idleLoad), toRow('beside evaluations', beside, besideLoad)],
);
print(
  `the idle service used ${((used / idle['2xx']) * 1000).toFixed(1)} ms of processor for a read`,
);
const outcomes = evaluations.map(countOutcomes);
const expected = questions * methods.length;
const lost = outcomes.reduce((sum, count) => sum + expected - count, 0);
print(
  `evaluations: ${evaluations.length} of ${expected} searches each, all read back: ${outcomes.join(', ')}`,
);
printRow('p99 beside evaluations', beside.latency.p99, { target: targetMs, unit: 'ms' });
printRow('answers that were errors', beside.errors + beside.non2xx, { target: 0, unit: '' });
printRow('outcomes lost', lost, { target: 0, unit: '' });

/**
 * Clients begin spread evenly over a second, since each sends its share of a second one read behind the other, as pages
 * do, and rests until the next; each is at another place of the mix. autocannon's correction for reads that had to wait
 * takes every client to send one each millisecond, and would make most of its latencies up; a client whose share takes
 * longer than its second is seen in the number of answers.
 */
async function read(url: string, ids: readonly string[]): Promise<autocannon.Result> {
  const paths = ids.flatMap((id, index) => listPaths(id, methods[index % methods.length] ?? ''));
  const setupClient = startAt(paths.map((path) => ({ method: 'GET', path })));
  const options = { url, connections: 1, duration: seconds, connectionRate: rate / clients };
  const runs = Array.from({ length: clients }, async (_, index) => {
    await setTimeout((index * 1000) / clients);
    const once = { ignoreCoordinatedOmission: true, skipAggregateResult: true };
    return autocannon({ ...options, ...once, setupClient });
  });
  return aggregateResult(await Promise.all(runs), options);
}

/** Has each client send the requests from another one on. */
function startAt(requests: readonly autocannon.Request[]): (client: autocannon.Client) => void {
  const apart = 7;
  let start = 0;
  return (each) => {
    each.setRequests([...requests.slice(start), ...requests.slice(0, start)]);
    start = (start + apart) % requests.length;
  };
}

function listPaths(id: string, method: string): readonly string[] {
  return [
    '/v1/eval?limit=20',
    `/v1/eval/${id}`,
    `/v1/eval/${id}/questions?configuration=${method}&limit=50`,
    `/v1/eval/${id}/report?format=markdown`,
    `/v1/eval/${id}/runs/${method}`,
    '/v1/question-sets?limit=20',
    '/v1/question-sets/sample',
    '/v1/question-sets/sample/qrels',
    '/v1/question-sets/sample/judgments?limit=100',
    '/v1/search-configurations',
    '/v1/trends?baseline=main&measure=nDCG@10',
    '/v1/measures',
  ];
}

/** Evaluations one behind the other. The last one is waited for. */
async function evaluateUntil(api: Client, signal: AbortSignal): Promise<readonly Evaluation[]> {
  const ended: Evaluation[] = [];
  while (!signal.aborted) ended.push(await evaluate(api, 'many'));
  return ended;
}

async function evaluate({ post, get }: Client, questionSet: string): Promise<Evaluation> {
  const request = { questionSet, configurations: methods, measures: ['RR', 'nDCG@10'] };
  const { id } = await post<{ id: string }>('/v1/eval', request);
  for (;;) {
    const found = await get<Evaluation>(`/v1/eval/${id}`);
    if (found.status === 'failed') throw new Error('An evaluation failed');
    if (found.status === 'succeeded') return found;
    await setTimeout(250);
  }
}

/** Questions that the scorecard accounts for, each with every configuration. */
function countOutcomes({ scorecard }: Evaluation): number {
  const counts = (scorecard ?? []).map(
    ({ questions: { scored = 0, unanswerable = 0, unlabelled = 0 } }) =>
      scored + unanswerable + unlabelled,
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

function toRow(name: string, result: autocannon.Result, load: string): string[] {
  const { latency, errors, non2xx } = result;
  const numbers = [result['2xx'], latency.p50, latency.p99, latency.max, errors, non2xx];
  return [name, ...numbers.map((value) => String(Math.round(value))), load];
}

async function readProcessorSeconds(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const [, total] = /^process_cpu_seconds_total (\S+)$/m.exec(metrics) ?? [];
  return Number(total);
}

function writeLoad(): string {
  return loadavg()
    .map((value) => value.toFixed(1))
    .join(' / ');
}
