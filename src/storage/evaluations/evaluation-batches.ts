import { sql } from 'kysely';

import type { Database } from '../database/database.ts';
import { unfinishedStatuses } from '../../model/evaluation-status.ts';
import type { EvaluationBatchTable } from '../tables/evaluation-tables.ts';
import { inBatches } from '../database/in-batches.ts';
import { acrossTenants } from '../database/tenant-scope.ts';

/** A part of an evaluation that one instance at a time works on. There is a row for as long as there is work. */
export interface EvaluationBatch {
  readonly id: string;
  readonly evaluationId: string;
  /** Position of the search configuration; null: the batch that scores all, when no other is left. */
  readonly configuration: number | null;
  /** Positions of the first and the last question. */
  readonly from: number;
  readonly to: number;
}

/**
 * A claim holds this long without renewal. After a restart of PostgreSQL nobody takes a claim over for as
 * long: its holders could not renew it, and are given the time to.
 */
export const claimMs = 8000;

export async function insertBatches(
  trx: Database,
  batches: readonly EvaluationBatch[],
): Promise<void> {
  await inBatches(batches, (some) =>
    trx
      .insertInto('evaluation_batch')
      .values(
        some.map(({ id, evaluationId, configuration, from, to }) => ({
          id,
          evaluation_id: evaluationId,
          configuration,
          first_question: from,
          last_question: to,
          owner: null,
          claimed_until: null,
        })),
      )
      .execute(),
  );
}

/** PostgreSQL only. Undefined: another holds it. `gone`: its work is done, or nobody wants it any more. */
export async function claimBatch(
  db: Database,
  id: string,
  owner: string,
): Promise<EvaluationBatch | 'gone' | undefined> {
  const claimed = await db
    .updateTable('evaluation_batch')
    .set({ owner, claimed_until: claimEnd })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('owner', 'is', null),
        eb('owner', '=', owner),
        sql<boolean>`claimed_until < clock_timestamp() and pg_postmaster_start_time() < clock_timestamp() - ${claimMs} * interval '1 ms'`,
      ]),
    )
    .returningAll()
    .executeTakeFirst();
  if (claimed) return toBatch(claimed);
  const found = await db
    .selectFrom('evaluation_batch')
    .where('id', '=', id)
    .select('id')
    .executeTakeFirst();
  return found ? undefined : 'gone';
}

/** PostgreSQL only. Renews all claims of an instance and returns the ids of those it still has. */
export async function renewClaims(db: Database, owner: string): Promise<ReadonlySet<string>> {
  const rows = await acrossTenants(db)
    .updateTable('evaluation_batch')
    .set({ claimed_until: claimEnd })
    .where('owner', '=', owner)
    .where('evaluation_id', 'in', (eb) =>
      eb.selectFrom('evaluation').where('status', '=', 'running').select('id'),
    )
    .returning('id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Gives a batch back, so that anybody may claim it at once. */
export async function releaseBatch(db: Database, id: string, owner: string): Promise<void> {
  await db
    .updateTable('evaluation_batch')
    .set({ owner: null, claimed_until: null })
    .where('id', '=', id)
    .where('owner', '=', owner)
    .execute();
}

/** Marks its work as done. */
export async function deleteBatch(db: Database, id: string): Promise<void> {
  await db.deleteFrom('evaluation_batch').where('id', '=', id).execute();
}

/** Takes the work off all instances; the ids are returned. */
export async function deleteBatchesOf(
  db: Database,
  evaluationId: string,
): Promise<readonly string[]> {
  const rows = await db
    .deleteFrom('evaluation_batch')
    .where('evaluation_id', '=', evaluationId)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** What is left of an evaluation, in the order in which it was cut. */
export async function listBatches(
  db: Database,
  evaluationId: string,
): Promise<readonly EvaluationBatch[]> {
  const rows = await db
    .selectFrom('evaluation_batch')
    .where('evaluation_id', '=', evaluationId)
    .orderBy('configuration')
    .orderBy('first_question')
    .selectAll()
    .execute();
  return rows.map(toBatch);
}

/** Unfinished evaluations of all tenants that are not cut into batches: new ones, and those that were opened again. */
export async function listUnbatched(db: Database): Promise<readonly string[]> {
  const rows = await acrossTenants(db)
    .selectFrom('evaluation')
    .where('status', 'in', unfinishedStatuses)
    .where('id', 'not in', (eb) => eb.selectFrom('evaluation_batch').select('evaluation_id'))
    .orderBy('created_at')
    .select('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The scoring batch, once it is all that is left. */
export async function findLastBatch(
  db: Database,
  evaluationId: string,
): Promise<string | undefined> {
  const rows = await db
    .selectFrom('evaluation_batch')
    .where('evaluation_id', '=', evaluationId)
    .select(['id', 'configuration'])
    .limit(2)
    .execute();
  const [first] = rows;
  return rows.length === 1 && first?.configuration === null ? first.id : undefined;
}

const claimEnd = sql<string>`clock_timestamp() + ${sql.lit(claimMs)} * interval '1 ms'`;

function toBatch(row: EvaluationBatchTable): EvaluationBatch {
  return {
    id: row.id,
    evaluationId: row.evaluation_id,
    configuration: row.configuration,
    from: row.first_question,
    to: row.last_question,
  };
}
