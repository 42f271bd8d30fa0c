/**
 * What pg-boss guarantees on its own, with its smallest heartbeat, when an instance dies, pauses or loses the database:
 * how long until a job is handed out again, and how much a paused holder still does beside the new one.
 *
 * node bench/queue-takeover.ts
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { PgBoss } from 'pg-boss';

import { print, printTable } from '../scripts/demo/print.ts';
import { startPostgres, type PostgresServer } from '../test/helpers/postgres.ts';

/** A worker reports each step of its job: a step stands for one search that is paid. */
interface Step {
  readonly worker: string;
  readonly job: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const queueName = 'takeover';
const stepMs = 20;
const pauseMs = 15_000;
/** The smallest heartbeat that pg-boss takes; it is looked for each second, the smallest too. */
const queue = { heartbeatSeconds: 10, retryLimit: 1000, retryDelay: 0, expireInSeconds: 3600 };
const refreshSeconds = [0.5, 3];

async function work(database: string, name: string, refresh: number): Promise<void> {
  const boss = openBoss(database);
  await boss.start();
  const options = { pollingIntervalSeconds: 0.5, heartbeatRefreshSeconds: refresh };
  await boss.work(queueName, options, async ([job]) => {
    if (!job) return;
    const { id, signal } = job;
    while (!signal.aborted) {
      process.send?.({ worker: name, job: id, at: Date.now() } satisfies Step);
      await sleep(stepMs);
    }
  });
}

function openBoss(database: string): PgBoss {
  const boss = new PgBoss({
    connectionString: database,
    schedule: false,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
  });
  // While the database is down there is one each second.
  boss.on('error', () => undefined);
  return boss;
}

async function measure(): Promise<void> {
  const postgres = await startPostgres();
  try {
    const rows: string[][] = [];
    for (const refresh of refreshSeconds) {
      for (const [name, disturb] of Object.entries(disturbances)) {
        rows.push([name, String(refresh), ...(await observe(postgres, refresh, disturb))]);
      }
    }
    const header = ['the holder', 'refresh s', 'handed out after s', 'steps beside the new holder'];
    printTable([...header, 'for ms'], rows);
    print(`a step takes ${stepMs} ms; heartbeat ${queue.heartbeatSeconds} s; pause ${pauseMs} ms`);
  } finally {
    await postgres.remove();
  }
}

type Disturbance = (holder: ChildProcess, postgres: PostgresServer) => Promise<void>;

const disturbances: Readonly<Record<string, Disturbance>> = {
  'dies (SIGKILL)': async (holder) => {
    holder.kill('SIGKILL');
    await sleep(pauseMs);
  },
  'pauses (SIGSTOP)': async (holder) => {
    holder.kill('SIGSTOP');
    await sleep(pauseMs);
    holder.kill('SIGCONT');
  },
  'loses the database': async (_holder, postgres) => {
    await postgres.stop();
    await sleep(pauseMs);
    await postgres.start();
  },
};

const url = process.argv[2];
if (url === undefined) await measure();
else await work(url, process.argv[3] ?? '', Number(process.argv[4]));

async function observe(
  postgres: PostgresServer,
  refresh: number,
  disturb: Disturbance,
): Promise<readonly string[]> {
  const database = `${postgres.url}/postgres`;
  const boss = openBoss(database);
  await boss.start();
  await boss.deleteQueue(queueName);
  await boss.createQueue(queueName, queue);
  const steps: Step[] = [];
  const workers = ['a', 'b'].map((name) => startWorker([database, name, String(refresh)], steps));
  try {
    await boss.send(queueName, {});
    while (steps.length === 0) await sleep(50);
    await sleep(2000);
    const first = steps[0]?.worker;
    const holder = workers[first === 'a' ? 0 : 1];
    if (!holder) throw new Error('No worker took the job');
    const disturbedAt = Date.now();
    await disturb(holder, postgres);
    await sleep(pauseMs);
    return summarize(steps, first, disturbedAt);
  } finally {
    for (const worker of workers) {
      worker.kill('SIGKILL');
      if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
    }
    await boss.stop({ graceful: false });
  }
}

function startWorker(options: readonly string[], steps: Step[]): ChildProcess {
  const worker = fork(import.meta.filename, options);
  worker.on('message', (step: Step) => steps.push(step));
  return worker;
}

function summarize(steps: readonly Step[], first: string | undefined, since: number): string[] {
  const takenAt = steps.find(({ worker, at }) => worker !== first && at > since)?.at;
  if (takenAt === undefined) return ['never', '0', '0'];
  const beside = steps.filter(({ worker, at }) => worker === first && at >= takenAt);
  const last = beside.at(-1)?.at ?? takenAt;
  const start = beside[0]?.at ?? takenAt;
  return [((takenAt - since) / 1000).toFixed(1), String(beside.length), String(last - start)];
}
