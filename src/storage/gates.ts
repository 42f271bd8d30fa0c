import type { SliceDimension } from '../ir/question.ts';
import type { Strength } from '../ir/statistics/strength.ts';
import { isUntold } from './alert-events.ts';
import type { Database } from './database.ts';
import { acrossTenants } from './tenant-scope.ts';

/** A gate as it was fixed with its evaluation, before the first search. */
export interface FixedGate {
  /** The run that the name meant then. */
  readonly baseline: {
    readonly name: string;
    readonly evaluation: string;
    readonly configuration: string;
  };
  /** Canonical names. */
  readonly measures: readonly string[];
  readonly maxDrop: number;
  readonly allowedFailedShare: number;
  /** Absent in gates that are older than pipelines. */
  readonly allowedFallbackShare?: number | undefined;
  readonly minJudged: { readonly measure: string; readonly value: number } | null;
  readonly slices: readonly SliceDimension[];
  readonly sliceMaxDrop: number;
  readonly minSliceQuestions: number;
  readonly confidence: number;
  /** Absent in gates that are older than it, which are `usual`. */
  readonly strength?: Strength | undefined;
  /** Over the rules above, what they are held against, and everything that will be measured. */
  readonly hash: string;
}

/** Stores a decision; one that was taken before the evaluation went on is replaced. */
export async function upsertGateDecision(
  db: Database,
  evaluationId: string,
  decision: unknown,
): Promise<void> {
  const body = JSON.stringify(decision);
  await db
    .insertInto('gate_decision')
    .values({ evaluation_id: evaluationId, body })
    .onConflict((conflict) => conflict.column('evaluation_id').doUpdateSet({ body }))
    .execute();
}

/** `Decision` is what the evaluation layer stored. */
export async function findGateDecision<Decision>(
  db: Database,
  evaluationId: string,
): Promise<Decision | undefined> {
  const row = await db
    .selectFrom('gate_decision')
    .where('evaluation_id', '=', evaluationId)
    .select('body')
    .executeTakeFirst();
  return row && (JSON.parse(row.body) as Decision);
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
    .where((eb) => isUntold(eb, 'verdict-read'))
    .orderBy('finished_at')
    .select(['evaluation.tenant', 'evaluation.id'])
    .execute();
}
