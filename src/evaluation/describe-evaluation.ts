import { NotFoundError } from '../errors.ts';
import type { Database } from '../storage/database.ts';
import {
  findEvaluation,
  listConfigurations,
  type EvaluationConfiguration,
  type StoredEvaluation,
} from '../storage/evaluations.ts';
import { countOutcomes } from '../storage/outcomes.ts';
import { describeGate, type DescribedGate } from './gate-decision.ts';
import type { ScorecardRow } from './scorecard.ts';

export interface EvaluationDescription {
  readonly evaluation: StoredEvaluation<readonly ScorecardRow[]>;
  readonly configurations: readonly EvaluationConfiguration[];
  readonly progress: { readonly done: number; readonly total: number; readonly failed: number };
  readonly gate: DescribedGate | null;
}

/** An evaluation with its configurations, how far it is and what its gate says. */
export async function describeEvaluation(db: Database, id: string): Promise<EvaluationDescription> {
  const evaluation = await getEvaluation(db, id);
  const configurations = await listConfigurations(db, id);
  const counts = await countOutcomes(db, id);
  const progress = { ...counts, total: evaluation.total };
  return { evaluation, configurations, progress, gate: await describeGate(db, evaluation) };
}

export async function getEvaluation(
  db: Database,
  id: string,
): Promise<StoredEvaluation<readonly ScorecardRow[]>> {
  const evaluation = await findEvaluation<readonly ScorecardRow[]>(db, id);
  if (!evaluation) throw new NotFoundError('Evaluation', id);
  return evaluation;
}

/** The configuration of an evaluation that has this name. */
export async function getConfiguration(
  db: Database,
  evaluationId: string,
  name: string,
): Promise<EvaluationConfiguration> {
  const configurations = await listConfigurations(db, evaluationId);
  const found = configurations.find((configuration) => configuration.name === name);
  if (!found) throw new NotFoundError(`Configuration of evaluation '${evaluationId}'`, name);
  return found;
}

export function isFinished({ status }: Pick<StoredEvaluation, 'status'>): boolean {
  return status !== 'queued' && status !== 'running';
}
