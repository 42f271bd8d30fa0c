import type { Database } from '../database/database.ts';
import type { EvaluationConfiguration } from './evaluation-configurations.ts';
import type { EvaluationPlan } from '../../model/evaluation-plan.ts';
import { unfinishedStatuses } from '../../model/evaluation-status.ts';
import { refuseTooManyEvaluations } from '../question-sets/quotas.ts';
import { toEvaluation, type StoredEvaluation } from './stored-evaluation.ts';
import { authorOf } from '../database/tenant-scope.ts';

export interface NewEvaluation {
  readonly id: string;
  readonly label: string | null;
  readonly questionSet: string;
  readonly version: number;
  readonly contentHash: string;
  readonly plan: EvaluationPlan;
  readonly total: number;
  readonly rescoreOf: string | null;
  readonly createdAt: string;
  readonly idempotency: { readonly key: string; readonly requestHash: string } | null;
  readonly configurations: readonly EvaluationConfiguration[];
}

/** Refused with `too-many-evaluations` when the tenant has as many unfinished ones as it may. */
export async function insertEvaluation(trx: Database, evaluation: NewEvaluation): Promise<void> {
  await refuseTooManyEvaluations(trx);
  await trx
    .insertInto('evaluation')
    .values({
      id: evaluation.id,
      label: evaluation.label,
      status: 'queued',
      question_set: evaluation.questionSet,
      question_set_version: evaluation.version,
      content_hash: evaluation.contentHash,
      plan: JSON.stringify(evaluation.plan),
      total: evaluation.total,
      rescore_of: evaluation.rescoreOf,
      created_at: evaluation.createdAt,
      created_by: authorOf(trx),
      started_at: null,
      finished_at: null,
      scorecard: null,
      error: null,
      idempotency_key: evaluation.idempotency?.key ?? null,
      request_hash: evaluation.idempotency?.requestHash ?? null,
    })
    .execute();
  const rows = evaluation.configurations.map((configuration) => ({
    evaluation_id: evaluation.id,
    position: configuration.position,
    name: configuration.name,
    backend: configuration.backend,
    body: configuration.body,
    input_kind: configuration.input?.kind ?? null,
    input_name: configuration.input?.name ?? null,
    input_hash: configuration.input?.contentHash ?? null,
  }));
  await trx.insertInto('evaluation_configuration').values(rows).execute();
}

export async function findEvaluation(
  db: Database,
  id: string,
): Promise<StoredEvaluation | undefined> {
  const row = await db.selectFrom('evaluation').where('id', '=', id).selectAll().executeTakeFirst();
  return row && toEvaluation(row);
}

export async function findByIdempotencyKey(
  db: Database,
  key: string,
): Promise<{ readonly id: string; readonly requestHash: string } | undefined> {
  const row = await db
    .selectFrom('evaluation')
    .where('idempotency_key', '=', key)
    .select(['id', 'request_hash'])
    .executeTakeFirst();
  return row && { id: row.id, requestHash: row.request_hash ?? '' };
}

/** The evaluations that searched with a configuration of that name and have ended since, in the order of their ends. */
export async function listTrendRuns(
  db: Database,
  since: {
    readonly questionSet: string;
    readonly configuration: string;
    readonly finishedAt: string;
    readonly label?: string | undefined;
  },
): Promise<readonly StoredEvaluation[]> {
  const rows = await db
    .selectFrom('evaluation')
    .innerJoin('evaluation_configuration', 'evaluation_id', 'evaluation.id')
    .where('name', '=', since.configuration)
    .where('question_set', '=', since.questionSet)
    .where('status', 'in', ['succeeded', 'failed'])
    .where('rescore_of', 'is', null)
    .where('finished_at', '>=', since.finishedAt)
    .$if(since.label !== undefined, (query) => query.where('label', '=', since.label ?? ''))
    .orderBy('finished_at')
    .orderBy('evaluation.id')
    .selectAll('evaluation')
    .execute();
  return rows.map(toEvaluation);
}

/** The unfinished evaluations of a question set. */
export async function countUnfinishedOf(db: Database, questionSet: string): Promise<number> {
  const { count } = await db
    .selectFrom('evaluation')
    .where('question_set', '=', questionSet)
    .where('status', 'in', unfinishedStatuses)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function countEvaluationsOf(db: Database, questionSet: string): Promise<number> {
  const { count } = await db
    .selectFrom('evaluation')
    .where('question_set', '=', questionSet)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
