/**
 * Does the service answer while it evaluates, and does its memory stay flat as questions grow? Starts the
 * real service, runs two evaluations at once over four configurations, and asks for its health meanwhile.
 *
 * node bench/responsiveness.ts [questions, default 5000]
 */
import { createClient, type Client } from '../scripts/demo/client.ts';
import { print, printTable } from '../scripts/demo/print.ts';
import { startTemporaryService } from '../scripts/demo/service.ts';
import { putManyQuestions } from './many-questions.ts';

const questions = Number(process.argv[2] ?? 5000);
const methods = ['bm25', 'vector', 'hybrid', 'rerank'];
const pauseMs = 5;

// A bounded heap, so that memory which grew with the questions would end the service instead of hiding in
// garbage that nobody collected yet.
process.env['NODE_OPTIONS'] = '--max-old-space-size=256';

interface Load {
  readonly questions: number;
  readonly seconds: number;
  readonly latencies: readonly number[];
  readonly peakMegabytes: number;
}

const loads = [await measure(Math.round(questions / 4)), await measure(questions)];
const idle = await measureIdle();
printTable(
  ['questions', 'searches', 'seconds', 'p50 ms', 'p99 ms', 'max ms', 'p99 / idle', 'peak RSS MB'],
  loads.map((load) => [
    String(load.questions),
    String(load.questions * methods.length * 2),
    load.seconds.toFixed(1),
    at(load.latencies, 0.5).toFixed(1),
    at(load.latencies, 0.99).toFixed(1),
    at(load.latencies, 1).toFixed(1),
    (at(load.latencies, 0.99) / at(idle, 0.99)).toFixed(1),
    load.peakMegabytes.toFixed(0),
  ]),
);
print(`idle: p50 ${at(idle, 0.5).toFixed(1)} ms, p99 ${at(idle, 0.99).toFixed(1)} ms`);

async function measure(count: number): Promise<Load> {
  await using service = await startTemporaryService();
  const client = createClient(service.url);
  await putManyQuestions(client, { count, configurations: methods });
  const start = performance.now();
  const evaluations = await Promise.all([startEvaluation(client), startEvaluation(client)]);
  const latencies: number[] = [];
  let peakMegabytes = 0;
  while (await isRunning(client, evaluations)) {
    latencies.push(...(await probe(service.url, 20)));
    peakMegabytes = Math.max(peakMegabytes, await readResidentMegabytes(service.url));
  }
  const seconds = (performance.now() - start) / 1000;
  return { questions: count, seconds, latencies, peakMegabytes };
}

async function measureIdle(): Promise<readonly number[]> {
  await using service = await startTemporaryService();
  // Awaited here: the service must outlive its probes.
  return await probe(service.url, 500);
}

async function startEvaluation({ post }: Client): Promise<string> {
  const request = { questionSet: 'many', configurations: methods, sliceBy: ['kind', 'process'] };
  return (await post<{ id: string }>('/v1/eval', request)).id;
}

async function isRunning({ get }: Client, ids: readonly string[]): Promise<boolean> {
  const found = await Promise.all(ids.map((id) => get<{ status: string }>(`/v1/eval/${id}`)));
  const failed = found.find(({ status }) => status === 'failed');
  if (failed) throw new Error('An evaluation failed');
  return found.some(({ status }) => status !== 'succeeded');
}

async function probe(url: string, times: number): Promise<number[]> {
  const latencies: number[] = [];
  for (let round = 0; round < times; round += 1) {
    const start = performance.now();
    await (await fetch(`${url}/health/live`)).text();
    latencies.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return latencies;
}

async function readResidentMegabytes(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const [, bytes] = /^process_resident_memory_bytes (\S+)$/m.exec(metrics) ?? [];
  return Number(bytes) / 1e6;
}

function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
