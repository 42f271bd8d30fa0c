/**
 * Does memory stay flat over a large evaluation, is its progress right, and how long after the last search
 * is the scorecard there? The real service, and a stub of AI Core that answers at once.
 *
 * node --conditions=grounding-eval-source bench/large-evaluation.ts [questions, default 100000] [sqlite | postgres]
 */
import { createClient } from '../scripts/demo/client.ts';
import { print, printTable } from '../scripts/demo/print.ts';
import { startTemporaryService } from '../scripts/demo/service.ts';
import { startPostgres } from '../test/helpers/postgres.ts';
import { startEvaluation, startStub, watch, type Evaluation } from './stub-evaluation.ts';

const questions = Number(process.argv[2] ?? 100_000);
const isPostgres = process.argv[3] === 'postgres';
const names = ['first', 'second'];
const allowedMegabytes = 300;

// As `npm start` runs it; the heap is bounded, so that memory which grew with
// the questions would end the service instead of hiding in garbage that nobody collected yet.
process.env['NODE_OPTIONS'] = '--max-semi-space-size=8 --max-old-space-size=192';

const postgres = isPostgres ? await startPostgres() : undefined;
const stub = await startStub(0);
try {
  await using service = await startTemporaryService({
    AICORE_SERVICE_KEY: stub.serviceKey,
    ...(postgres && { DATABASE_URL: `${postgres.url}/postgres` }),
  });
  await measure(service.url);
} finally {
  await stub.close();
  await postgres?.remove();
}

async function measure(url: string): Promise<void> {
  const client = createClient(url);
  const start = performance.now();
  const id = await startEvaluation(client, questions, names);
  const looks: { seconds: number; megabytes: number; progress: Evaluation['progress'] }[] = [];
  let searchedAt = Number.NaN;
  const { status, progress } = await watch(client, id, {
    everyMs: 500,
    async onLook(found) {
      const seconds = (performance.now() - start) / 1000;
      const megabytes = await readResidentMegabytes(url);
      looks.push({ seconds, megabytes, progress: found.progress });
      if (Number.isNaN(searchedAt) && found.progress.done === found.progress.total) {
        searchedAt = seconds;
      }
    },
  });
  const endedAt = (performance.now() - start) / 1000;
  const tenth = Math.max(1, Math.floor(looks.length / 10));
  printTable(
    ['second', 'searched', 'a second', 'remaining s', 'RSS MB'],
    looks
      .filter((_, index) => index % tenth === 0)
      .map((look) => [
        look.seconds.toFixed(0),
        `${look.progress.done} / ${look.progress.total}`,
        look.progress.searchesPerSecond?.toFixed(0) ?? '',
        String(look.progress.remainingSeconds ?? ''),
        look.megabytes.toFixed(0),
      ]),
  );
  const peak = Math.max(...looks.map(({ megabytes }) => megabytes));
  print(`ended ${status}: ${progress.done} searches, ${progress.failed} failed`);
  print(
    `scorecard ${(endedAt - searchedAt).toFixed(1)} s after the last search, peak RSS ${peak.toFixed(0)} MB`,
  );
  const repeats = stub.counters.requests.search - questions * names.length;
  print(`searches that were made twice: ${repeats}`);
  if (peak > allowedMegabytes) throw new Error(`More than ${allowedMegabytes} MB`);
}

async function readResidentMegabytes(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const [, bytes] = /^process_resident_memory_bytes (\S+)$/m.exec(metrics) ?? [];
  return Number(bytes) / 1e6;
}
