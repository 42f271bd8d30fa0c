import type { DatabaseTransaction } from '../../storage/database/database.ts';
import {
  insertBatches,
  listBatches,
  type EvaluationBatch,
} from '../../storage/evaluations/evaluation-batches.ts';
import {
  listConfigurations,
  type EvaluationConfiguration,
} from '../../storage/evaluations/evaluation-configurations.ts';
import {
  lockEvaluation,
  startEvaluation,
} from '../../storage/evaluations/evaluation-life-cycle.ts';
import { findEvaluation } from '../../storage/evaluations/evaluations.ts';
import { listOutcomePositions } from '../../storage/evaluations/outcomes.ts';
import { listSelected } from '../outcomes/stream-outcomes.ts';
import { isCopied } from './copy-run.ts';
import { groupConfigurations } from './search-groups.ts';

/** Small enough that a lost batch is found again soon, large enough that handing it out costs little. */
const maxBatch = 100;
const smallestBatch = 10;

/** Questions whose rankings are copied: some hundred milliseconds. */
const maxCopied = 2000;

/** A small evaluation is cut finer, so that several instances get something of it. */
const wantedBatches = 50;

/**
 * Marks an evaluation as running and cuts what it lacks into batches, the one that scores last. Returns
 * them, or nothing when it was cut before or has ended. Two that plan at once wait for each other.
 */
export async function planBatches(
  trx: DatabaseTransaction,
  evaluationId: string,
  { now, createId }: { readonly now: () => string; readonly createId: () => string },
): Promise<readonly EvaluationBatch[]> {
  await lockEvaluation(trx, evaluationId);
  if (!(await startEvaluation(trx, evaluationId, now()))) return [];
  const evaluation = await findEvaluation(trx, evaluationId);
  const earlier = await listBatches(trx, evaluationId);
  if (!evaluation || earlier.length > 0) return [];

  const ranges: Omit<EvaluationBatch, 'id'>[] = [];
  const asked = await listSelected(trx, evaluation);
  const all = await listConfigurations(trx, evaluationId);
  for (const group of groupConfigurations(evaluation.plan, all)) {
    const configuration = group[0]?.position ?? 0;
    const missing = await listMissing(trx, evaluationId, { group, asked });
    const isCheap = group.every((each) => isCopied(evaluation, each));
    ranges.push(
      ...cut(missing, isCheap ? maxCopied : maxBatch).map((range) => ({
        evaluationId,
        configuration,
        ...range,
      })),
    );
  }
  ranges.push({ evaluationId, configuration: null, from: 0, to: 0 });
  const batches = ranges.map((range) => ({ ...range, id: createId() }));
  await insertBatches(trx, batches);
  return batches;
}

/** The questions that any configuration of the group lacks. */
async function listMissing(
  trx: DatabaseTransaction,
  evaluationId: string,
  {
    group,
    asked,
  }: { readonly group: readonly EvaluationConfiguration[]; readonly asked: readonly number[] },
): Promise<readonly number[]> {
  const missing = new Set<number>();
  for (const { position } of group) {
    const done = await listOutcomePositions(trx, evaluationId, position);
    for (const question of asked) if (!done.has(question)) missing.add(question);
  }
  return asked.filter((question) => missing.has(question));
}

function cut(
  positions: readonly number[],
  most: number,
): { readonly from: number; readonly to: number }[] {
  const even = Math.ceil(positions.length / wantedBatches);
  const size = Math.min(most, Math.max(smallestBatch, even));
  const ranges = [];
  for (let start = 0; start < positions.length; start += size) {
    const from = positions[start] ?? 0;
    const to = positions.at(Math.min(start + size, positions.length) - 1) ?? from;
    ranges.push({ from, to });
  }
  return ranges;
}
