import { AppError, NotFoundError } from '../../errors.ts';
import type { Database } from '../../storage/database/database.ts';
import {
  listConfigurations,
  type EvaluationConfiguration,
} from '../../storage/evaluations/evaluation-configurations.ts';
import { unfinishedStatuses } from '../../model/evaluation-status.ts';
import { findEvaluation } from '../../storage/evaluations/evaluations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { countOutcomes } from '../../storage/evaluations/outcomes.ts';
import { readPace } from '../../storage/evaluations/search-pace.ts';
import { describeGate, type DescribedGate } from './gate-decision.ts';

export interface EvaluationDescription {
  readonly evaluation: StoredEvaluation;
  readonly configurations: readonly EvaluationConfiguration[];
  readonly progress: Progress;
  readonly gate: DescribedGate | null;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  /** Over the last half minute, all instances together; null when it does not run or nothing arrived. */
  readonly searchesPerSecond: number | null;
  /** At that rate. */
  readonly remainingSeconds: number | null;
}

/** An evaluation with its configurations, how far it is at a time, and what its gate says. */
export async function describeEvaluation(
  db: Database,
  id: string,
  now: string,
): Promise<EvaluationDescription> {
  const evaluation = await getEvaluation(db, id);
  const configurations = await listConfigurations(db, id);
  const progress = await readProgress(db, evaluation, now);
  return { evaluation, configurations, progress, gate: await describeGate(db, evaluation) };
}

export async function readProgress(
  db: Database,
  { id, total, status, startedAt }: StoredEvaluation,
  now: string,
): Promise<Progress> {
  const counts = await countOutcomes(db, id);
  const isRunning = status === 'running' && startedAt !== null;
  const pace = isRunning ? await readPace(db, id, { startedAt, now }) : null;
  const remaining = pace === null ? null : Math.ceil((total - counts.done) / pace);
  return { ...counts, total, searchesPerSecond: pace, remainingSeconds: remaining };
}

export async function getEvaluation(db: Database, id: string): Promise<StoredEvaluation> {
  const evaluation = await findEvaluation(db, id);
  if (!evaluation) throw new NotFoundError('Evaluation', id);
  return evaluation;
}

/** As `getEvaluation`, refused with `conflict` before its end: a part must not pass for the whole. */
export async function getEndedEvaluation(db: Database, id: string): Promise<StoredEvaluation> {
  const evaluation = await getEvaluation(db, id);
  if (isFinished(evaluation)) return evaluation;
  throw new AppError('conflict', `Evaluation '${id}' has not ended yet`);
}

/** The configuration of an evaluation that has this name. */
export async function getConfiguration(
  db: Database,
  evaluationId: string,
  name: string,
): Promise<EvaluationConfiguration> {
  const configurations = await listConfigurations(db, evaluationId);
  const found = configurations.find((configuration) => configuration.name === name);
  if (found) return found;
  throw new AppError('not-found', `Evaluation '${evaluationId}' has no configuration '${name}'`);
}

export function isFinished({ status }: Pick<StoredEvaluation, 'status'>): boolean {
  return !unfinishedStatuses.includes(status);
}
