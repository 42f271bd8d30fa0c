import { setImmediate } from 'node:timers/promises';

import { AppError, InvalidInputError, NotFoundError } from '../../errors.ts';
import type { Measure } from '../../ir/measures/measure.ts';
import { findLabelState } from '../../model/question.ts';
import { isBoundable } from '../../ir/unjudged/bounds.ts';
import type { Database } from '../../storage/database/database.ts';
import {
  listConfigurations,
  type EvaluationConfiguration,
} from '../../storage/evaluations/evaluation-configurations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { streamQuestions, type QuestionSelection } from '../../storage/question-sets/questions.ts';
import { findHighestGrade } from '../measures/find-max-grade.ts';
import { createImpactOrder, type ImpactOrder } from './impact-order.ts';
import type { PairImpact } from '../../model/pool.ts';
import { pairRankings, readJudgments, readRankings } from '../comparison/ranked-questions.ts';
import { runTask } from '../statistics/run-task.ts';
import type { PoolSubject } from './pool-subject.ts';

/** The pair whose difference the labels are to decide: baseline, candidate. */
export interface ImpactRequest {
  readonly pair: readonly [string, string];
  readonly measure: Measure;
}

/** Plans which labels of a pair to ask for first. */
export async function orderByImpact(
  db: Database,
  { set, depth, evaluations, pair: [baseline, candidate], measure }: ImpactRequest & PoolSubject,
): Promise<ImpactOrder & { readonly impact: PairImpact }> {
  refuseUnbounded(measure);
  const first = await findRun(db, evaluations, baseline);
  const second = await findRun(db, evaluations, candidate);
  const version = { questionSet: set.name, version: set.version };
  const judgments = await readJudgments(db, version);
  const [ranked, other] = [
    await readRankings(db, first.evaluation, first.position),
    await readRankings(db, second.evaluation, second.position),
  ];
  const compared = [...judgments.keys()].filter((id) => ranked.has(id) && other.has(id));
  if (compared.length === 0) {
    throw new AppError(
      'conflict',
      `'${baseline}' and '${candidate}' have no scored question with a judgment in common`,
    );
  }
  const questions = pairRankings(ranked, other, judgments);
  const highestGrade = await findHighestGrade(db, version);
  const task = { measure: measure.name, questions, maxGrade: highestGrade, depth };
  const plan = await runTask('planLabels', task);
  const { missing, bounds, decision, labelsLeft } = plan;
  const about = { measure: measure.name, baseline, candidate, labels: missing };
  const impact = { ...about, labelsLeft, bounds, decision, highestGrade };
  // Taking a million places from the thread takes a while, and so does what follows.
  await setImmediate();
  const order = createImpactOrder(plan, { compared, all: [...judgments.keys()], candidate });
  await setImmediate();
  const unlabelled = await listUnlabelled(db, version);
  return { impact, ...order, order: [...unlabelled, ...order.order] };
}

/** They come first: until one has a judgment, no label of it can move the difference. */
async function listUnlabelled(db: Database, version: QuestionSelection): Promise<string[]> {
  const ids: string[] = [];
  for await (const { question } of streamQuestions(db, version)) {
    if (findLabelState(question) === 'unlabelled') ids.push(question.id);
  }
  return ids;
}

async function findRun(
  db: Database,
  evaluations: readonly StoredEvaluation[],
  name: string,
): Promise<Pick<EvaluationConfiguration, 'position'> & { readonly evaluation: StoredEvaluation }> {
  const found = [];
  for (const evaluation of evaluations) {
    const configurations = await listConfigurations(db, evaluation.id);
    const own = configurations.find((configuration) => configuration.name === name);
    if (own) found.push({ evaluation, position: own.position });
  }
  const [run, another] = found;
  if (!run) throw new NotFoundError('Configuration of the evaluation', name);
  if (!another) return run;
  const detail = `several evaluations have a configuration '${name}'; specify one evaluation`;
  throw new InvalidInputError('Ambiguous pair', [{ pointer: '/body/pair', detail }]);
}

function refuseUnbounded(measure: Measure): void {
  if (isBoundable(measure)) return;
  const detail = `${measure.name} has no exact bounds; hit, P, R, RR, nDCG, nDCG-exp and DCG have, without (judged)`;
  throw new InvalidInputError('The impact of labels cannot be computed', [
    { pointer: '/body/measure', detail },
  ]);
}
