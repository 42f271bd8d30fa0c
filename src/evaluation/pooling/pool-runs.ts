import { AppError, NotFoundError } from '../../errors.ts';
import type { RetrieverRegistry } from '../../retrieval/registry.ts';
import type { Retriever } from '../../retrieval/retriever.ts';
import type { Database } from '../../storage/database/database.ts';
import {
  listConfigurations,
  type EvaluationConfiguration,
} from '../../storage/evaluations/evaluation-configurations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { findQuestionSet } from '../../storage/question-sets/question-sets.ts';
import { tenantOf } from '../../storage/database/tenant-scope.ts';
import { isInputUnchanged } from '../outcomes/input-hash.ts';
import type { JudgedSet } from '../../model/pool.ts';

export interface PoolContext {
  readonly db: Database;
  readonly retrievers: RetrieverRegistry;
}

export interface PooledRun {
  readonly evaluation: StoredEvaluation;
  readonly configuration: EvaluationConfiguration;
  /** Unique among the runs: the configuration's name, with the evaluation's id where names repeat. */
  readonly label: string;
  readonly namesEvaluation: boolean;
  readonly findPassage: Retriever['findPassage'];
}

/** The latest version of the one question set that all the evaluations are over; else refused with `conflict`. */
export async function findJudgedSet(
  db: Database,
  [first, ...others]: readonly StoredEvaluation[],
): Promise<JudgedSet> {
  if (!first) throw new NotFoundError('Evaluation', '');
  const other = others.find(({ questionSet }) => questionSet !== first.questionSet);
  if (other) {
    const message = `Evaluation '${first.id}' uses question set '${first.questionSet}', '${other.id}' uses '${other.questionSet}': a pool requires one question set`;
    throw new AppError('conflict', message);
  }
  const latest = await findQuestionSet(db, first.questionSet);
  return { name: first.questionSet, version: latest?.version ?? first.version };
}

/** The runs of the evaluations that have one of the names, in the order of these; all without names. */
export async function findPooledRuns(
  { db, retrievers }: PoolContext,
  evaluations: readonly StoredEvaluation[],
  names: readonly string[] | undefined,
): Promise<readonly PooledRun[]> {
  const wanted = await findNamed(db, evaluations, names);
  const runs: PooledRun[] = [];
  for (const { evaluation, configuration } of wanted) {
    const { name, input, configuration: searched } = configuration;
    const repeats = wanted.filter((other) => other.configuration.name === name).length > 1;
    const label = repeats ? `${name} (${evaluation.id})` : name;
    const isUnchanged = await isInputUnchanged(db, input);
    const retriever = isUnchanged
      ? await retrievers.createRetriever(searched, tenantOf(db))
      : undefined;
    const namesEvaluation = evaluations.length > 1;
    const findPassage = retriever?.findPassage;
    runs.push({ evaluation, configuration, label, namesEvaluation, findPassage });
  }
  return runs;
}

async function findNamed(
  db: Database,
  evaluations: readonly StoredEvaluation[],
  names: readonly string[] | undefined,
): Promise<readonly Pick<PooledRun, 'evaluation' | 'configuration'>[]> {
  const all: Pick<PooledRun, 'evaluation' | 'configuration'>[] = [];
  for (const evaluation of evaluations) {
    const configurations = await listConfigurations(db, evaluation.id);
    all.push(...configurations.map((configuration) => ({ evaluation, configuration })));
  }
  if (!names) return all;
  const findByName = (name: string) =>
    all.filter(({ configuration }) => configuration.name === name);
  const missing = names.find((name) => findByName(name).length === 0);
  if (missing !== undefined) throw new NotFoundError('Configuration of the evaluation', missing);
  return [...new Set(names)].flatMap(findByName);
}
