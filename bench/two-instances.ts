/**
 * How much sooner do two instances on one PostgreSQL finish an evaluation that waits for its searches?
 *
 * node --conditions=grounding-eval-source bench/two-instances.ts [questions, default 2000] [latency in ms, default 100]
 */
import { createClient } from '../scripts/demo/client.ts';
import { print, printTable } from '../scripts/demo/print.ts';
import { startTemporaryService } from '../scripts/demo/service.ts';
import { startPostgres } from '../test/helpers/postgres.ts';
import { startEvaluation, startStub, watch } from './stub-evaluation.ts';

const questions = Number(process.argv[2] ?? 2000);
const latencyMs = Number(process.argv[3] ?? 100);
const allowedShare = 0.55;

const postgres = await startPostgres();
try {
  const one = await measure(1);
  const two = await measure(2);
  printTable(
    ['instances', 'seconds', 'of one'],
    [one, two].map((seconds, index) => [
      String(index + 1),
      seconds.toFixed(1),
      (seconds / one).toFixed(2),
    ]),
  );
  print(`${questions} questions, ${latencyMs} ms a search, 8 searches at once on each instance`);
  if (two / one > allowedShare) throw new Error(`Two take more than ${allowedShare} of one's time`);
} finally {
  await postgres.remove();
}

async function measure(instances: number): Promise<number> {
  const stub = await startStub(latencyMs);
  const environment = {
    DATABASE_URL: `${postgres.url}/postgres`,
    AICORE_SERVICE_KEY: stub.serviceKey,
  };
  await using first = await startTemporaryService(environment);
  await using stack = new AsyncDisposableStack();
  for (let count = 1; count < instances; count += 1) {
    stack.use(await startTemporaryService(environment));
  }
  const client = createClient(first.url);
  const start = performance.now();
  const id = await startEvaluation(client, questions, ['grounded']);
  const { status, progress } = await watch(client, id, { everyMs: 100 });
  const seconds = (performance.now() - start) / 1000;
  await stub.close();
  if (status !== 'succeeded' || progress.failed > 0) throw new Error(`It ended ${status}`);
  return seconds;
}
