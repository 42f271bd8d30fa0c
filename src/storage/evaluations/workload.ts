import type { Database } from '../database/database.ts';
import { evaluationStatuses, type EvaluationStatus } from '../../model/evaluation-status.ts';
import { acrossTenants } from '../database/tenant-scope.ts';

/** How much is there to do, for all tenants and instances together. Counts only. */
export interface Workload {
  readonly evaluations: Readonly<Record<EvaluationStatus, number>>;
  /** Parts of evaluations that nobody has in hand; none on SQLite. */
  readonly batches: number;
  /** Alerts, and updates of job runs, that were not delivered yet. */
  readonly messages: number;
}

export async function countWorkload(db: Database): Promise<Workload> {
  const all = acrossTenants(db);
  const rows = await all
    .selectFrom('evaluation')
    .groupBy('status')
    .select((eb) => ['status', eb.fn.countAll<number | string>().as('count')])
    .execute();
  const counts = new Map(rows.map(({ status, count }) => [status, Number(count)]));
  const batches = await all
    .selectFrom('evaluation_batch')
    .where('owner', 'is', null)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  const messages = await all
    .selectFrom('outbox')
    .where('finished_at', 'is', null)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  const evaluations = evaluationStatuses.map((status) => [status, counts.get(status) ?? 0]);
  return {
    evaluations: Object.fromEntries(evaluations) as Workload['evaluations'],
    batches: Number(batches.count),
    messages: Number(messages.count),
  };
}
