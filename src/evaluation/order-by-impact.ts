import { AppError, InvalidInputError, NotFoundError } from '../errors.ts';
import type { Measure } from '../ir/measures/measure.ts';
import { isBoundable } from '../ir/unjudged/bounds.ts';
import type { Database } from '../storage/database.ts';
import {
  listConfigurations,
  type EvaluationConfiguration,
  type StoredEvaluation,
} from '../storage/evaluations.ts';
import { findHighestGrade } from './find-max-grade.ts';
import type { Pool } from './pool.ts';
import { pairRankings, readJudgments, readRankings } from './ranked-questions.ts';
import { runTask } from './run-task.ts';

/** The pair whose difference the labels are to decide: baseline, candidate. */
export interface ImpactRequest {
  readonly pair: readonly [string, string];
  readonly measure: Measure;
}

/** Puts what can move the difference most first: questions by their first document, and the documents of each. */
export async function orderByImpact(
  db: Database,
  pool: Pool,
  {
    evaluations,
    pair: [baseline, candidate],
    measure,
  }: ImpactRequest & { readonly evaluations: readonly StoredEvaluation[] },
): Promise<Pool> {
  refuseUnbounded(measure);
  const first = await findRun(db, evaluations, baseline);
  const second = await findRun(db, evaluations, candidate);
  const set = { questionSet: pool.questionSet.name, version: pool.questionSet.version };
  const questions = pairRankings(
    await readRankings(db, first.evaluation, first.position),
    await readRankings(db, second.evaluation, second.position),
    await readJudgments(db, set),
  );
  if (questions.length === 0) {
    throw new AppError('conflict', `No question was answered by '${baseline}' and '${candidate}'`);
  }
  const highestGrade = await findHighestGrade(db, set);
  const task = { measure: measure.name, questions, maxGrade: highestGrade, depth: pool.depth };
  const { labels, missing, bounds, decision, labelsLeft } = await runTask('planLabels', task);
  const places = new Map(
    labels.map(({ questionId, documentId, impact, order }) => [
      toKey(questionId, documentId),
      { impact, order },
    ]),
  );
  const about = { measure: measure.name, baseline, candidate, labels: missing };
  return {
    ...pool,
    impact: { ...about, labelsLeft, bounds, decision, highestGrade },
    questions: sortQuestions(pool.questions, places),
  };
}

type Places = ReadonlyMap<string, { readonly impact: number; readonly order: number }>;

function sortQuestions(questions: Pool['questions'], places: Places): Pool['questions'] {
  const sorted = questions.map(({ documents, ...question }) => ({
    ...question,
    documents: documents
      .map((document) => ({ ...document, ...places.get(toKey(question.id, document.documentId)) }))
      .toSorted((a, b) => toOrder(a) - toOrder(b)),
  }));
  return sorted.toSorted((a, b) => toOrder(a.documents[0]) - toOrder(b.documents[0]));
}

/** What the other configuration failed to answer has no place, and comes last. */
function toOrder(document: { readonly order?: number } | undefined): number {
  return document?.order ?? Number.MAX_SAFE_INTEGER;
}

function toKey(questionId: string, documentId: string): string {
  return JSON.stringify([questionId, documentId]);
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
  const detail = `several of the evaluations have a configuration '${name}'; name one evaluation`;
  throw new InvalidInputError('The pair is not clear', [{ pointer: '/body/pair', detail }]);
}

function refuseUnbounded(measure: Measure): void {
  if (isBoundable(measure)) return;
  const detail = `${measure.name} has no exact bounds; hit, P, R, RR, nDCG, nDCG-exp and DCG have`;
  throw new InvalidInputError('Nothing is known of the impact of labels', [
    { pointer: '/body/measure', detail },
  ]);
}
