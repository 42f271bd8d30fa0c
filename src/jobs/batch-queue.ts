import { fromKysely, PgBoss } from 'pg-boss';

import {
  type DatabaseAddress,
  type DatabaseTransaction,
  toConnection,
} from '../storage/database/database.ts';
import { defaultDeadlineMs } from '../storage/database/postgres.ts';
import type { JobLog } from './evaluation-jobs.ts';

/** A batch that was dispatched to an instance. */
export interface QueuedBatch {
  readonly id: string;
  readonly evaluationId: string;
  /** The higher, the earlier. */
  readonly priority: number;
}

export interface BatchQueue {
  /** Hands batches to whichever instance is free; those that are queued already are left alone. */
  readonly send: (batches: readonly QueuedBatch[], trx?: DatabaseTransaction) => Promise<void>;
  readonly cancel: (batchIds: readonly string[]) => Promise<void>;
  /** Does the work. A batch whose handler rejects, or whose instance dies, is handed out again. */
  readonly work: (handle: (batch: Omit<QueuedBatch, 'priority'>) => Promise<void>) => Promise<void>;
  /** Looks for work now instead of at the next poll. */
  readonly wake: () => void;
  /** Takes no more work and waits for running work, up to a limit. */
  readonly close: (timeoutMs: number) => Promise<void>;
}

interface BatchData {
  readonly evaluationId: string;
}

const queueName = 'evaluation-batch';
const hourSeconds = 3600;

/** How many batches an instance works on: when one runs out of questions, its searchers continue with the next. */
const batchesAtOnce = 3;

/** Whoever does not report for ten seconds is taken for dead, which is looked for each second. */
const queueOptions = {
  heartbeatSeconds: 10,
  retryLimit: 1_000_000,
  retryDelay: 1,
  expireInSeconds: 23 * hourSeconds,
  retentionSeconds: 30 * 24 * hourSeconds,
  deleteAfterSeconds: hourSeconds,
} as const;

/** The queue that instances on one PostgreSQL share. Its tables are made at the first start. */
export async function openBatchQueue(database: DatabaseAddress, log: JobLog): Promise<BatchQueue> {
  const boss = new PgBoss({
    ...toConnection(database),
    max: 5,
    options: `-c statement_timeout=${defaultDeadlineMs}`,
    schedule: false,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
  });
  boss.on('error', (error) => log.error({ err: error }, 'batch queue error'));
  await boss.start();
  await boss.createQueue(queueName, queueOptions);
  const workers: string[] = [];

  return {
    async send(batches, trx) {
      const jobs = batches.map(({ id, evaluationId, priority }) => {
        return { id, data: { evaluationId }, priority };
      });
      if (jobs.length > 0) await boss.insert(queueName, jobs, trx ? { db: fromKysely(trx) } : {});
    },
    async cancel(ids) {
      if (ids.length > 0) await boss.cancel(queueName, [...ids]);
    },
    async work(handle) {
      const options = { pollingIntervalSeconds: 0.5, heartbeatRefreshSeconds: 3 };
      for (let count = 0; count < batchesAtOnce; count += 1) {
        const place: { worker?: string } = {};
        place.worker = await boss.work<BatchData>(queueName, options, async ([job]) => {
          if (!job) return;
          try {
            await handle({ id: job.id, ...job.data });
          } finally {
            // The queue most likely holds more.
            boss.notifyWorker(place.worker ?? '');
          }
        });
        workers.push(place.worker);
      }
    },
    wake: () => workers.forEach((worker) => boss.notifyWorker(worker)),
    close: (timeout) => boss.stop({ graceful: true, timeout }),
  };
}
