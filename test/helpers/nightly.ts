import { randomUUID } from 'node:crypto';

import { onTestFinished } from 'vitest';

import { reportEnds } from '../../src/evaluation/monitoring/report-ends.ts';
import { startBackgroundWork } from '../../src/jobs/background-work.ts';
import { createDeliveries } from '../../src/jobs/delivery/create-deliveries.ts';
import type { AlertDeliveryOptions } from '../../src/jobs/delivery/deliver-alert.ts';
import { noIntegrations, type Integrations } from '../../src/jobs/delivery/integrations.ts';
import { sendDueMessages } from '../../src/jobs/outbox-sender.ts';
import type { PollLoop } from '../../src/jobs/poll-loop.ts';
import { runDueTicks } from '../../src/jobs/run-due-ticks.ts';
import { readScheduledRequest } from '../../src/schemas/schedule.ts';
import type { RetrieverRegistry } from '../../src/retrieval/registry.ts';
import { waitForEvaluation } from '../../src/evaluation/lifecycle/wait-for-evaluation.ts';
import { startService, type TestService } from './app.ts';
import { ask } from './client.ts';
import { pumpDocuments, pumpLexicon, pumpQuestions } from './fixtures.ts';
import type { ServiceBinding } from '../../src/jobs/delivery/service-binding.ts';

/** Time that stands still until a test moves it. */
export interface TestClock {
  readonly now: () => string;
  readonly set: (time: string) => void;
  readonly advance: (ms: number) => void;
}

export function createClock(time: string): TestClock {
  let current = Date.parse(time);
  return {
    now: () => new Date(current).toISOString(),
    set(next) {
      current = Date.parse(next);
    },
    advance(ms) {
      current += ms;
    },
  };
}

/** A service whose background work is done when a test says so. */
export interface NightlyService extends TestService {
  readonly runDueTicks: () => Promise<void>;
  readonly reportEnds: () => Promise<void>;
  readonly sendDueMessages: () => Promise<void>;
  /** The background work as the real service starts it. */
  readonly startBackgroundWork: () => PollLoop;
  /** Everything that was logged, as JSON lines. */
  readonly logged: readonly string[];
}

export interface NightlyOptions {
  readonly databaseUrl: string;
  readonly clock: TestClock;
  readonly integrations?: Partial<Integrations>;
  readonly retrievers?: RetrieverRegistry;
  readonly lookup?: NonNullable<AlertDeliveryOptions['lookup']>;
  readonly resume?: boolean;
}

/** Closed when the test ends, unless the test did before. */
export async function startNightly(options: NightlyOptions): Promise<NightlyService> {
  const { databaseUrl, clock, retrievers, lookup, resume = false } = options;
  const integrations = { ...noIntegrations, ...options.integrations };
  const { now } = clock;
  const service = await startService({
    databaseUrl,
    now,
    integrations,
    resume,
    ...(retrievers && { retrievers }),
  });
  const logged: string[] = [];
  const write = (about: object, message: string) =>
    void logged.push(JSON.stringify({ ...about, message }));
  const context = {
    ...service,
    readRequest: readScheduledRequest,
    now,
    createId: randomUUID,
    log: { info: write, error: write },
    random: () => 0.5,
    maxAgeMs: 3 * 24 * 60 * 60 * 1000,
    deliver: createDeliveries({ db: service.db, integrations, now, lookup }),
  };
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await service.close();
  };
  onTestFinished(close);
  return {
    ...service,
    logged,
    close,
    runDueTicks: () => runDueTicks(context),
    reportEnds: () => reportEnds(service.db, { now: now(), log: context.log }),
    startBackgroundWork: () => startBackgroundWork(context),
    sendDueMessages: () => sendDueMessages(context, new AbortController().signal),
  };
}

/** A binding of a receiver of this machine. */
export function bindTo(url: string): ServiceBinding {
  const tokenUrl = `${url}/oauth/token`;
  return { url, credentials: { tokenUrl, clientId: 'made-up', clientSecret: 'made-up-secret' } };
}

export async function putPumps({ app }: Pick<TestService, 'app'>): Promise<void> {
  const corpus = { documents: pumpDocuments, lexicon: pumpLexicon };
  await ask(app, 'PUT', '/v1/corpora/pumps', { body: corpus });
  await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: pumpQuestions } });
}

/** Waits for the end of the evaluation that an answer names. */
export async function finish(
  { db }: Pick<TestService, 'db'>,
  accepted: { json: <Body>() => Body },
): Promise<void> {
  const { id } = accepted.json<{ id: string }>();
  const { signal } = new AbortController();
  const isOver = await waitForEvaluation(db, id, { timeoutMs: 10_000, signal });
  if (!isOver) throw new Error(`Evaluation ${id} did not end`);
}
