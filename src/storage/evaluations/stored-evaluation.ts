import { z } from 'zod';

import { EvaluationPlan } from '../../model/evaluation-plan.ts';
import type { EvaluationStatus } from '../../model/evaluation-status.ts';
import { completeRow, StoredScorecard, type Scorecard } from '../../model/scorecard.ts';
import { parseStored } from '../database/parse-stored.ts';
import type { EvaluationTable } from '../tables/evaluation-tables.ts';

const EvaluationFailure = z.object({ code: z.string(), detail: z.string() });
export type EvaluationFailure = Readonly<z.infer<typeof EvaluationFailure>>;

/** An evaluation without its configurations. Its JSON is parsed when it is read: a list needs none of it. */
export interface StoredEvaluation {
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

export function toEvaluation(row: EvaluationTable): StoredEvaluation {
  const parse = <Value>(
    schema: z.ZodType<Value, Value>,
    column: 'plan' | 'scorecard',
    text: string,
  ) => parseStored(schema, text, { table: 'evaluation', column, row: row.id });
  let plan: EvaluationPlan | undefined;
  let scorecard: Scorecard | null | undefined;
  return {
    id: row.id,
    label: row.label,
    status: row.status as EvaluationStatus,
    questionSet: row.question_set,
    version: row.question_set_version,
    contentHash: row.content_hash,
    get plan() {
      return (plan ??= parse(EvaluationPlan, 'plan', row.plan));
    },
    total: row.total,
    rescoreOf: row.rescore_of,
    createdAt: row.created_at,
    createdBy: row.created_by,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    get scorecard() {
      if (row.scorecard === null) return null;
      return (scorecard ??= parse(StoredScorecard, 'scorecard', row.scorecard).map(completeRow));
    },
    get error() {
      return readFailure(row);
    },
  };
}

/** Why an evaluation failed; null: it did not. */
export function readFailure({
  id: row,
  error,
}: Pick<EvaluationTable, 'id' | 'error'>): EvaluationFailure | null {
  if (error === null) return null;
  return parseStored(EvaluationFailure, error, { table: 'evaluation', column: 'error', row });
}
