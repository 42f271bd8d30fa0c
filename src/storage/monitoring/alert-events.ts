import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';

import type { Database } from '../database/database.ts';
import type { Tables } from '../tables/tables.ts';
import { acrossTenants } from '../database/tenant-scope.ts';

/** Records that an event was sent. Returns false when it was sent before. */
export async function insertAlertEvent(
  trx: Database,
  event: { readonly id: string; readonly body: string; readonly occurredAt: string },
): Promise<boolean> {
  const result = await trx
    .insertInto('alert_event')
    .values({ id: event.id, body: event.body, occurred_at: event.occurredAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Evaluations of all tenants that failed since `since` without an alert. */
export async function listFailuresToNotify(
  db: Database,
  since: string,
): Promise<
  readonly { readonly tenant: string; readonly id: string; readonly error: string | null }[]
> {
  return acrossTenants(db)
    .selectFrom('evaluation')
    .where('status', '=', 'failed')
    .where('finished_at', '>=', since)
    .where((eb) => notYetNotified(eb, 'evaluation-failed'))
    .orderBy('finished_at')
    .select(['evaluation.tenant', 'evaluation.id', 'evaluation.error'])
    .execute();
}

/** Whether nothing of a kind was ever told of an evaluation. */
export function notYetNotified(
  eb: ExpressionBuilder<Tables, 'evaluation'>,
  kind: string,
): Expression<SqlBool> {
  const told = eb
    .selectFrom('alert_event')
    .whereRef('alert_event.tenant', '=', 'evaluation.tenant')
    .where('alert_event.id', '=', sql<string>`${sql.lit(`${kind}/`)} || evaluation.id`)
    .select('alert_event.id');
  return eb.not(eb.exists(told));
}

/** Forgets what any tenant was told before `before`. */
export async function deleteAlertEvents(db: Database, before: string): Promise<void> {
  await acrossTenants(db).deleteFrom('alert_event').where('occurred_at', '<', before).execute();
}
