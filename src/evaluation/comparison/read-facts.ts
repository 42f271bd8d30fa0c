import type { Measure } from '../../ir/measures/measure.ts';
import { averageOf } from '../../model/average-rule.ts';
import type { ScoreBlock } from '../../model/score-block.ts';
import type { Database } from '../../storage/database/database.ts';
import { lockEvaluation } from '../../storage/evaluations/evaluation-life-cycle.ts';
import { findEvaluation } from '../../storage/evaluations/evaluations.ts';
import { replaceScores, streamScores } from '../../storage/evaluations/scores.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { findMaxGrade } from '../measures/find-max-grade.ts';
import { resolveMeasures } from '../measures/resolve-measures.ts';
import { streamOutcomes } from '../outcomes/stream-outcomes.ts';
import { findFacts, type QuestionFacts } from '../scoring/question-facts.ts';
import { createScoreBlocks, readScoreBlock } from '../scoring/score-blocks.ts';

/**
 * The facts of the searched questions of a configuration, by position, from its stored scores. Where an evaluation of an
 * earlier release has none, they are made and stored. Undefined: nothing is stored for a measure that the evaluation did
 * not ask for, nor for an evaluation that did not succeed, which can still change.
 */
export async function readFacts(
  db: Database,
  evaluation: StoredEvaluation,
  { position, measures }: { readonly position: number; readonly measures: readonly Measure[] },
): Promise<ReadonlyMap<number, QuestionFacts> | undefined> {
  if (evaluation.status !== 'succeeded') return undefined;
  const stored = new Set(resolveMeasures(evaluation.plan).map(({ name }) => name));
  if (!measures.every(({ name }) => stored.has(name))) return undefined;
  const facts = new Map<number, QuestionFacts>();
  const take = (block: ScoreBlock) => {
    for (const [question, found] of readScoreBlock(block, measures)) facts.set(question, found);
  };
  for await (const block of streamScores(db, evaluation.id, position)) take(block);
  if (facts.size > 0) return facts;
  for (const block of await storeScores(db, evaluation, position)) take(block);
  return facts;
}

async function storeScores(
  db: Database,
  evaluation: StoredEvaluation,
  configuration: number,
): Promise<readonly ScoreBlock[]> {
  const { id, plan, finishedAt } = evaluation;
  const measures = resolveMeasures(plan);
  const maxGrade = await findMaxGrade(db, evaluation, measures);
  const scale = { measures, maxGrade, average: averageOf(plan), withUncertainty: true };
  const blocks = createScoreBlocks(measures);
  for await (const { position, question, outcome } of streamOutcomes(
    db,
    evaluation,
    configuration,
  )) {
    if (outcome) blocks.add(position, findFacts(question, outcome, scale));
  }
  await db.transaction().execute(async (trx) => {
    await lockEvaluation(trx, id);
    const now = await findEvaluation(trx, id);
    // Reopened meanwhile, for a search that had failed.
    if (now?.status !== 'succeeded' || now.finishedAt !== finishedAt) return;
    await replaceScores(trx, id, configuration, blocks.toList());
  });
  return blocks.toList();
}
