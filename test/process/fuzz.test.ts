import type { AddressInfo } from 'node:net';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { noIntegrations } from '../../src/jobs/delivery/integrations.ts';
import type { Database } from '../../src/storage/database/database.ts';
import { startService, type TestService } from '../helpers/app.ts';
import { ask, evaluate } from '../helpers/client.ts';
import { createDatabase } from '../helpers/databases.ts';
import { bm25, hybrid, pumpDocuments, pumpLexicon, pumpQuestions } from '../helpers/fixtures.ts';
import { learn, type KnownValues } from '../helpers/fuzz/known-values.ts';
import { readApi } from '../helpers/fuzz/operations.ts';
import { schedulerHost } from '../helpers/fuzz/requests.ts';
import { brokenRequests, listRawFaults, tornRequests } from '../helpers/fuzz/raw-http.ts';
import { bindTo } from '../helpers/nightly.ts';
import { waitFor } from '../helpers/poll.ts';
import { runFuzz, type FuzzReport } from '../helpers/fuzz/run-fuzz.ts';

/** `FUZZ_SEED=… FUZZ_REQUESTS=… npx vitest run test/process/fuzz.test.ts` searches elsewhere, or longer. */
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_130);
const most = Number(process.env['FUZZ_REQUESTS'] ?? 3000);

/** What may be kept between the middle and the end of a run of any length: caches that were not full yet. */
const heapGrowthBytes = 24 * 1024 * 1024;

interface LogLine {
  readonly msg: string;
  readonly err?: { readonly stack: string };
}

describe.each([
  ['sqlite', most],
  ['postgres', Math.ceil(most / 3)],
] as const)(`a service on %s that is sent %d requests (FUZZ_SEED=${seed})`, (kind, requests) => {
  const cleanUps: (() => Promise<void>)[] = [];
  let service: TestService;
  let report: FuzzReport;
  const uncaught: unknown[] = [];
  const bugs: string[] = [];
  const noteUncaught = (error: unknown) => void uncaught.push(error);
  /** What the service raises on purpose is none. */
  const noteBug = (message: string, stack = '') => {
    if (!stack.startsWith('AppError')) bugs.push(`${message}: ${stack}`);
  };
  const write = (line: string) => {
    const { msg, err } = JSON.parse(line) as LogLine;
    noteBug(msg, err?.stack);
  };
  const log = {
    info: () => undefined,
    error: (context: { readonly err?: Error }, message: string) =>
      noteBug(message, context.err?.stack),
  };

  beforeAll(
    async () => {
      process.on('uncaughtExceptionMonitor', noteUncaught);
      const logger = { level: 'error', stream: { write } };
      const databaseUrl = await createDatabase(kind, (work) => cleanUps.push(work));
      service = await startService({
        databaseUrl,
        fastify: { logger },
        log,
        integrations: { ...noIntegrations, jobScheduler: bindTo(schedulerHost) },
      });
      const restore = (known: KnownValues) => restoreSeeds(service, known);
      report = await runFuzz(service.app, { seed, requests, restore });
    },
    60_000 + requests * 20,
  );
  afterAll(async () => {
    process.off('uncaughtExceptionMonitor', noteUncaught);
    await service.close();
    for (const cleanUp of cleanUps) await cleanUp();
  });

  it('answers each as the description says', () => {
    const asked = [...report.statuses.keys()].toSorted();
    const operations = readApi().operations.map(({ operationId }) => operationId);

    expect(report.faults.join('\n\n')).toBe('');
    expect(asked).toEqual(operations.toSorted());
  });

  it('keeps no memory of them', () => {
    const { middle, end } = report.heapBytes;

    expect(end - middle).toBeLessThan(heapGrowthBytes);
  });

  it('ends every evaluation that they began', async () => {
    expect(await waitFor(() => isIdle(service.db), { within: 60_000 })).toBe(true);
  });

  it('neither throws outside of a request nor logs a bug', () => {
    expect(uncaught).toEqual([]);
    expect(bugs).toEqual([]);
  });

  it('still scores as before', async () => {
    const { app } = service;
    await restoreSeeds(service);
    const { scorecard } = await evaluate(app, {
      questionSet: 'pumps',
      configurations: ['pumps'],
      measures: ['RR'],
    });

    // Each of the three answerable questions has words that only its relevant document holds.
    expect(scorecard[0]).toMatchObject({
      questions: { scored: 3, failed: 0 },
      measures: { RR: 1 },
    });
  });

  it('answers what is hardly HTTP with problem details, or not at all', async () => {
    const { app } = service;
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const sent = [...brokenRequests, ...fc.sample(tornRequests, { seed, numRuns: 200 })];
    const faults = await listRawFaults(port, sent);

    expect(faults.join('\n')).toBe('');
    expect(uncaught).toEqual([]);
  });
});

/** Resources of every kind that requests can refer to, as they were before any of them was changed. */
async function restoreSeeds({ app, db }: TestService, known?: KnownValues): Promise<void> {
  // What is searched cannot be replaced.
  await waitFor(() => isIdle(db), { within: 60_000 });
  const put = (path: string, body: object) => ask(app, 'PUT', `/v1/${path}`, { body });
  await put('question-sets/pumps', { questions: pumpQuestions });
  await put('corpora/pumps', { documents: pumpDocuments, lexicon: pumpLexicon });
  await put('search-configurations/pumps', bm25);
  await put('search-configurations/hybrid', hybrid);
  await put('runs/pumps', { rankings: { q1: [{ documentId: 'P1' }, { documentId: 'P2' }] } });
  const { id: evaluation } = await evaluate(app, {
    questionSet: 'pumps',
    configurations: ['pumps', 'hybrid'],
  });
  if (known) learn(known.evaluations, evaluation);
  await put('baselines/pumps', { evaluation, configuration: 'pumps' });
}

async function isIdle(db: Database): Promise<boolean> {
  const states = await db.selectFrom('evaluation').select('status').distinct().execute();
  return states.every(({ status }) => status !== 'queued' && status !== 'running');
}
