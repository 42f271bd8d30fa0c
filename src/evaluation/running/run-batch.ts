import type { EvaluationBatch } from '../../storage/evaluations/evaluation-batches.ts';
import { listConfigurations } from '../../storage/evaluations/evaluation-configurations.ts';
import { findEvaluation } from '../../storage/evaluations/evaluations.ts';
import { concludeEvaluation, type EvaluationContext } from './run-evaluation.ts';
import { groupConfigurations } from '../searching/search-groups.ts';
import { searchQuestions } from '../searching/search-questions.ts';
import type { WorkControl } from '../searching/work-control.ts';

/** Does one batch of an evaluation: searches what is missing of it, or scores all. Nothing when the evaluation has ended. */
export async function runBatch(
  context: EvaluationContext,
  { evaluationId, configuration: position, from, to }: EvaluationBatch,
  control: WorkControl,
): Promise<void> {
  const { db } = context;
  const evaluation = await findEvaluation(db, evaluationId);
  if (evaluation?.status !== 'running') return;
  if (position === null) {
    await concludeEvaluation(context, evaluationId, control);
    return;
  }
  const all = await listConfigurations(db, evaluationId);
  const groups = groupConfigurations(evaluation.plan, all);
  const configurations = groups.find(([first]) => first?.position === position);
  if (!configurations) return;
  const range = { from, to };
  await searchQuestions(context, evaluation, { ...control, configurations, range });
}
