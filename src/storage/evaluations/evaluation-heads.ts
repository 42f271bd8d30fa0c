import type { EvaluationStatus } from '../../model/evaluation-status.ts';
import type { Database } from '../database/database.ts';
import { toPage, type Page, type PageRequest } from '../database/paging.ts';
import type { EvaluationTable } from '../tables/evaluation-tables.ts';
import type { StoredEvaluation } from './stored-evaluation.ts';

/** What lists show of an evaluation. */
export type EvaluationHead = Pick<
  StoredEvaluation,
  | 'id'
  | 'label'
  | 'status'
  | 'questionSet'
  | 'version'
  | 'contentHash'
  | 'createdAt'
  | 'createdBy'
  | 'startedAt'
  | 'finishedAt'
>;

const headColumns = [
  'id',
  'label',
  'status',
  'question_set',
  'question_set_version',
  'content_hash',
  'created_at',
  'created_by',
  'started_at',
  'finished_at',
] as const;

/** Newest first. Plans and scorecards, which may be large, are not read. */
export async function listEvaluations(
  db: Database,
  { limit, after }: PageRequest,
): Promise<Page<EvaluationHead>> {
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
    .select(headColumns)
    .limit(limit + 1)
    .execute();
  return toPage(rows, limit, {
    toItem: toHead,
    toCursor: (row) => `${row.created_at}|${row.id}`,
  });
}

function toHead(row: Pick<EvaluationTable, (typeof headColumns)[number]>): EvaluationHead {
  return {
    id: row.id,
    label: row.label,
    status: row.status as EvaluationStatus,
    questionSet: row.question_set,
    version: row.question_set_version,
    contentHash: row.content_hash,
    createdAt: row.created_at,
    createdBy: row.created_by,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}
