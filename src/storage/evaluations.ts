import type { Split, SliceDimension } from '../ir/question.ts';
import type { Database } from './database.ts';
import type { EvaluationTable } from './evaluation-tables.ts';
import type { FixedGate } from './gates.ts';
import { toPage, type Page, type PageRequest } from './paging.ts';
import { refuseTooManyEvaluations } from './quotas.ts';
import { acrossTenants, authorOf } from './tenant-scope.ts';

export const evaluationStatuses = [
  'queued',
  'running',
  'succeeded',
  'failed',
  'cancelled',
] as const;
export type EvaluationStatus = (typeof evaluationStatuses)[number];

/** What is measured over which questions: fixed when the evaluation is made. */
export interface EvaluationPlan {
  /** Canonical measure names. */
  readonly measures: readonly string[];
  readonly sliceBy: readonly SliceDimension[];
  readonly split?: Split | undefined;
  readonly sample?: { readonly size: number; readonly seed: number } | undefined;
  /** The sampled questions' positions in the version, rising; absent: every question of the split. */
  readonly positions?: readonly number[] | undefined;
  /** How the interval of each mean is made; absent: without intervals. */
  readonly intervals?: IntervalOptions | undefined;
  /** Whether the scorecard says what the unjudged documents could change. */
  readonly bounds?: boolean | undefined;
  /** Whether the scorecard says where relevant documents are lost; `deep`: with searches of its own. */
  readonly diagnose?: boolean | 'deep' | undefined;
  /** The configurations that are one another's with and without stages. */
  readonly ablations?: readonly PlannedAblation[] | undefined;
  readonly gate?: FixedGate | undefined;
  /** Of the service that made the evaluation; absent in evaluations older than this field. */
  readonly serviceVersion?: string | undefined;
}

export const ablationVariants = ['plain', '+rewrite', '+rerank', '+both'] as const;
export type AblationVariant = (typeof ablationVariants)[number];

/** One configuration with each of its stages on and off. */
export interface PlannedAblation {
  /** The one that was asked for, with all its stages. */
  readonly configuration: string;
  /** It included; the one without stages first. */
  readonly variants: readonly {
    readonly variant: AblationVariant;
    /** The name of a configuration of the evaluation. */
    readonly configuration: string;
  }[];
}

export interface IntervalOptions {
  readonly confidence: number;
  readonly resamples: number;
  readonly seed: number;
}

/** The corpus or run that a configuration reads, with what it held when the evaluation was made. */
export interface SearchInput {
  readonly kind: 'corpus' | 'run';
  readonly name: string;
  readonly contentHash: string;
}

export interface EvaluationConfiguration {
  readonly position: number;
  readonly name: string;
  readonly backend: string;
  /** JSON: the search configuration as it was when the evaluation was made. */
  readonly body: string;
  readonly input: SearchInput | null;
}

export interface EvaluationFailure {
  readonly code: string;
  readonly detail: string;
}

/** An evaluation without its configurations. `Scorecard` is what the evaluation layer makes of it. */
export interface StoredEvaluation<Scorecard = unknown> {
  readonly id: string;
  readonly label: string | null;
  readonly status: EvaluationStatus;
  readonly questionSet: string;
  readonly version: number;
  readonly contentHash: string;
  readonly plan: EvaluationPlan;
  readonly total: number;
  readonly rescoreOf: string | null;
  readonly createdAt: string;
  readonly createdBy: string | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly scorecard: Scorecard | null;
  readonly error: EvaluationFailure | null;
}

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

export async function findEvaluation<Scorecard = unknown>(
  db: Database,
  id: string,
): Promise<StoredEvaluation<Scorecard> | undefined> {
  const row = await db.selectFrom('evaluation').where('id', '=', id).selectAll().executeTakeFirst();
  return row && toEvaluation<Scorecard>(row);
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

/** Newest first. */
export async function listEvaluations(
  db: Database,
  { limit, after }: PageRequest,
): Promise<Page<StoredEvaluation>> {
  const [createdAt = '', id = ''] = (after ?? '').split('|');
  const rows = await db
    .selectFrom('evaluation')
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('created_at', '<', createdAt),
          eb.and([eb('created_at', '=', createdAt), eb('id', '<', id)]),
        ]),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .selectAll()
    .limit(limit + 1)
    .execute();
  return toPage(rows, limit, {
    toItem: (row) => toEvaluation(row),
    toCursor: (row) => `${row.created_at}|${row.id}`,
  });
}

/** Those of all tenants that a process must take up when it starts, oldest first. */
export async function listUnfinishedIds(db: Database): Promise<readonly string[]> {
  const rows = await acrossTenants(db)
    .selectFrom('evaluation')
    .where('status', 'in', ['queued', 'running'])
    .orderBy('created_at')
    .orderBy('id')
    .select('id')
    .execute();
  return rows.map((row) => row.id);
}

export async function listConfigurations(
  db: Database,
  evaluationId: string,
): Promise<readonly EvaluationConfiguration[]> {
  const rows = await db
    .selectFrom('evaluation_configuration')
    .where('evaluation_id', '=', evaluationId)
    .orderBy('position')
    .selectAll()
    .execute();
  return rows.map(({ position, name, backend, body, input_kind, input_name, input_hash }) => ({
    position,
    name,
    backend,
    body,
    input:
      input_kind !== null && input_name !== null && input_hash !== null
        ? { kind: input_kind as SearchInput['kind'], name: input_name, contentHash: input_hash }
        : null,
  }));
}

/** The evaluations that searched with a configuration of that name and have ended since, in the order of their ends. */
export async function listNights<Scorecard>(
  db: Database,
  since: {
    readonly questionSet: string;
    readonly configuration: string;
    readonly finishedAt: string;
    readonly label?: string | undefined;
  },
): Promise<readonly StoredEvaluation<Scorecard>[]> {
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
  return rows.map((row) => toEvaluation<Scorecard>(row));
}

/** Marks it running. False when it is no longer queued or running, because it was cancelled or deleted. */
export async function startEvaluation(db: Database, id: string, at: string): Promise<boolean> {
  const result = await db
    .updateTable('evaluation')
    .set((eb) => ({ status: 'running', started_at: eb.fn.coalesce('started_at', eb.val(at)) }))
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Locks the evaluation for the rest of the transaction and returns its status. */
export async function lockEvaluation(
  trx: Database,
  id: string,
): Promise<EvaluationStatus | undefined> {
  const row = await trx
    .updateTable('evaluation')
    .set((eb) => ({ status: eb.ref('status') }))
    .where('id', '=', id)
    .returning('status')
    .executeTakeFirst();
  return row?.status as EvaluationStatus | undefined;
}

/** Opens an evaluation that has ended again; what it showed at its end is forgotten. */
export async function reopenEvaluation(trx: Database, id: string): Promise<void> {
  await refuseTooManyEvaluations(trx);
  await trx
    .updateTable('evaluation')
    .set({ status: 'running', finished_at: null, scorecard: null, error: null })
    .where('id', '=', id)
    .execute();
}

/** Whose evaluation it is, for work that was handed out by id alone. */
export async function findOwner(db: Database, id: string): Promise<string | undefined> {
  const row = await acrossTenants(db)
    .selectFrom('evaluation')
    .where('id', '=', id)
    .select('tenant')
    .executeTakeFirst();
  return row?.tenant;
}

/** Those of all tenants that ended before a time, oldest first. */
export async function listFinishedBefore(
  db: Database,
  at: string,
): Promise<readonly { readonly tenant: string; readonly id: string }[]> {
  return acrossTenants(db)
    .selectFrom('evaluation')
    .where('status', 'in', ['succeeded', 'failed', 'cancelled'])
    .where('finished_at', '<', at)
    .orderBy('finished_at')
    .select(['tenant', 'id'])
    .execute();
}

/** Ends a running evaluation. False when somebody ended it before. */
export async function finishEvaluation(
  db: Database,
  id: string,
  end: {
    readonly status: 'succeeded' | 'failed';
    readonly scorecard: unknown;
    readonly error: EvaluationFailure | null;
    readonly at: string;
  },
): Promise<boolean> {
  const result = await db
    .updateTable('evaluation')
    .set({
      status: end.status,
      scorecard: end.scorecard === null ? null : JSON.stringify(end.scorecard),
      error: end.error && JSON.stringify(end.error),
      finished_at: end.at,
    })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Cancels what has not ended. False when it had. */
export async function cancelEvaluation(db: Database, id: string, at: string): Promise<boolean> {
  const result = await db
    .updateTable('evaluation')
    .set({ status: 'cancelled', finished_at: at })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function deleteEvaluation(trx: Database, id: string): Promise<void> {
  await trx.deleteFrom('evaluation').where('id', '=', id).execute();
}

/** The unfinished evaluations of a question set. */
export async function countUnfinishedOf(db: Database, questionSet: string): Promise<number> {
  const { count } = await db
    .selectFrom('evaluation')
    .where('question_set', '=', questionSet)
    .where('status', 'in', ['queued', 'running'])
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

/** An unfinished evaluation that searches this corpus or run, if there is one. */
export async function findUnfinishedReader(
  db: Database,
  input: Pick<SearchInput, 'kind' | 'name'>,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('evaluation')
    .innerJoin('evaluation_configuration', 'evaluation_id', 'evaluation.id')
    .where('status', 'in', ['queued', 'running'])
    .where('input_kind', '=', input.kind)
    .where('input_name', '=', input.name)
    .select('evaluation.id')
    .executeTakeFirst();
  return row?.id;
}

function toEvaluation<Scorecard>(row: EvaluationTable): StoredEvaluation<Scorecard> {
  return {
    id: row.id,
    label: row.label,
    status: row.status as EvaluationStatus,
    questionSet: row.question_set,
    version: row.question_set_version,
    contentHash: row.content_hash,
    plan: JSON.parse(row.plan) as EvaluationPlan,
    total: row.total,
    rescoreOf: row.rescore_of,
    createdAt: row.created_at,
    createdBy: row.created_by,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    scorecard: row.scorecard === null ? null : (JSON.parse(row.scorecard) as Scorecard),
    error: row.error === null ? null : (JSON.parse(row.error) as EvaluationFailure),
  };
}
