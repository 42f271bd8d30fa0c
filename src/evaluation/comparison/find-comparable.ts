import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database/database.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { getEvaluation, isFinished } from '../lifecycle/describe-evaluation.ts';
import type { RunReference } from './read-run.ts';

/** By id. */
export type Evaluations = ReadonlyMap<string, StoredEvaluation>;

/** The evaluations of runs that are to be compared. Refuses unfinished ones, and different questions, with `conflict`. */
export async function findComparable(
  db: Database,
  references: readonly RunReference[],
): Promise<Evaluations> {
  const evaluations = new Map<string, StoredEvaluation>();
  for (const { evaluation: id } of references) {
    if (evaluations.has(id)) continue;
    const evaluation = await getEvaluation(db, id);
    if (!isFinished(evaluation)) {
      throw new AppError('conflict', `Evaluation '${id}' has not ended yet`);
    }
    evaluations.set(id, evaluation);
  }
  refuseDifferentQuestions([...evaluations.values()]);
  return evaluations;
}

function refuseDifferentQuestions([first, ...others]: readonly StoredEvaluation[]): void {
  const isOther = (other: StoredEvaluation) =>
    other.questionSet !== first?.questionSet || other.contentHash !== first.contentHash;
  const other = others.find(isOther);
  if (!first || !other) return;
  const message = `Evaluation '${first.id}' uses question set ${nameSet(first)}, '${other.id}' uses ${nameSet(other)}: only runs over the same questions and judgments can be compared. POST /v1/eval/{id}/rescore scores stored rankings against another version`;
  throw new AppError('conflict', message);
}

function nameSet({ questionSet, version }: StoredEvaluation): string {
  return `'${questionSet}' version ${version}`;
}
