import { setImmediate } from 'node:timers/promises';

import type { Measure } from '../ir/measures/measure.ts';
import type { RetrieverRegistry } from '../retrieval/registry.ts';
import type { SearchConfiguration } from '../retrieval/search-configuration.ts';
import type { Database } from '../storage/database.ts';
import type { EvaluationConfiguration, StoredEvaluation } from '../storage/evaluations.ts';
import { streamAsked } from './asked-questions.ts';
import { findMaxGrade } from './find-max-grade.ts';
import { isInputUnchanged } from './input-hash.ts';
import { resolveMeasures } from './resolve-measures.ts';
import { createRowCollector } from './row-collector.ts';
import type { ScorecardRow } from './scorecard.ts';
import { scoreQuestion } from './score-question.ts';
import { createValueCollector } from './value-collector.ts';

interface ScoringContext {
  readonly db: Database;
  readonly retrievers: RetrieverRegistry;
}

/** Scores the stored outcomes: one streaming pass for each configuration, nothing is searched. */
export async function scoreEvaluation(
  context: ScoringContext,
  evaluation: StoredEvaluation,
  configurations: readonly EvaluationConfiguration[],
): Promise<readonly ScorecardRow[]> {
  const measures = resolveMeasures(evaluation.plan);
  const maxGrade = await findMaxGrade(context.db, evaluation, measures);
  const rows: ScorecardRow[] = [];
  for (const configuration of configurations) {
    rows.push(await scoreConfiguration(context, evaluation, { configuration, measures, maxGrade }));
  }
  return rows;
}

async function scoreConfiguration(
  { db, retrievers }: ScoringContext,
  evaluation: StoredEvaluation,
  {
    configuration,
    measures,
    maxGrade,
  }: {
    readonly configuration: EvaluationConfiguration;
    readonly measures: readonly Measure[];
    readonly maxGrade: number;
  },
): Promise<ScorecardRow> {
  const searched = JSON.parse(configuration.body) as SearchConfiguration;
  const isUnchanged = await isInputUnchanged(db, configuration.input);
  const retriever = isUnchanged ? await retrievers.createRetriever(searched) : undefined;
  const { sliceBy, intervals } = evaluation.plan;
  const collector = createRowCollector({
    name: configuration.name,
    configuration: searched,
    isRescore: evaluation.rescoreOf !== null,
    measures,
    sliceBy,
    hasDocument: retriever?.hasDocument,
  });
  const kept = intervals && createValueCollector(measures, sliceBy, intervals);
  let count = 0;
  for await (const { question, outcome } of streamAsked(db, evaluation, configuration.position)) {
    if (outcome) {
      const values = scoreQuestion(question, outcome, { measures, maxGrade });
      collector.add(question, outcome, values);
      if (values) kept?.add(question, values);
    }
    count += 1;
    if (count % 100 === 0) await setImmediate();
  }
  const row = collector.toRow();
  return kept ? kept.addIntervals(row) : row;
}
