import { GateDecision } from '../../model/gate.ts';
import { notYetNotified } from '../monitoring/alert-events.ts';
import type { Database } from '../database/database.ts';
import { parseStored } from '../database/parse-stored.ts';
import { acrossTenants } from '../database/tenant-scope.ts';

/** Stores a decision; one that was taken before the evaluation went on is replaced. */
export async function upsertGateDecision(
  db: Database,
  evaluationId: string,
  decision: GateDecision,
): Promise<void> {
  const body = JSON.stringify(decision);
  await db
    .insertInto('gate_decision')
    .values({ evaluation_id: evaluationId, body })
    .onConflict((conflict) => conflict.column('evaluation_id').doUpdateSet({ body }))
    .execute();
}

export async function findGateDecision(
  db: Database,
  evaluationId: string,
): Promise<GateDecision | undefined> {
  const row = await db
    .selectFrom('gate_decision')
    .where('evaluation_id', '=', evaluationId)
    .select('body')
    .executeTakeFirst();
  const place = { table: 'gate_decision', column: 'body', row: evaluationId } as const;
  return row && parseStored(GateDecision, row.body, place);
}

/** Evaluations of all tenants that ended with a decision since `since` and whose verdict nobody has looked at for alerts. */
export async function listUnreadDecisions(
  db: Database,
  since: string,
): Promise<readonly { readonly tenant: string; readonly id: string }[]> {
  return acrossTenants(db)
    .selectFrom('gate_decision')
    .innerJoin('evaluation', 'evaluation.id', 'evaluation_id')
    .where('finished_at', '>=', since)
    .where((eb) => notYetNotified(eb, 'verdict-read'))
    .orderBy('finished_at')
    .select(['evaluation.tenant', 'evaluation.id'])
    .execute();
}
