import type { RetrieverRegistry } from '../../retrieval/registry.ts';
import type { SearchConfiguration } from '../../model/search-configuration.ts';
import type { Database } from '../../storage/database/database.ts';
import type { EvaluationConfiguration } from '../../storage/evaluations/evaluation-configurations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/evaluations.ts';
import { tenantOf } from '../../storage/database/tenant-scope.ts';
import { createDiagnosisAdder } from './add-diagnosis.ts';
import { streamOutcomes } from '../outcomes/stream-outcomes.ts';
import { averageOf } from '../../model/average-rule.ts';
import { boundQuestion, createMeanBounds, type BoundScale } from './bound-question.ts';
import { findHighestGrade, findMaxGrade } from '../measures/find-max-grade.ts';
import { isInputUnchanged } from '../outcomes/input-hash.ts';
import { resolveMeasures } from '../measures/resolve-measures.ts';
import { createRowCollector } from './row-collector.ts';
import type { ScorecardRow } from '../../model/scorecard.ts';
import { scoreQuestion, type ScoreScale } from './score-question.ts';
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
  const highestGrade = evaluation.plan.bounds
    ? await findHighestGrade(context.db, evaluation)
    : maxGrade;
  const addDiagnosis = createDiagnosisAdder(context.db, evaluation);
  const rows: ScorecardRow[] = [];
  for (const configuration of configurations) {
    const scale = { measures, maxGrade, highestGrade, average: averageOf(evaluation.plan) };
    const row = await scoreConfiguration(context, evaluation, { configuration, ...scale });
    rows.push(await addDiagnosis(configuration, row));
  }
  return rows;
}

interface ConfigurationScale extends ScoreScale, BoundScale {
  readonly configuration: EvaluationConfiguration;
}

async function scoreConfiguration(
  { db, retrievers }: ScoringContext,
  evaluation: StoredEvaluation,
  { configuration, ...scale }: ConfigurationScale,
): Promise<ScorecardRow> {
  const { measures, average } = scale;
  const searched = JSON.parse(configuration.body) as SearchConfiguration;
  const isUnchanged = await isInputUnchanged(db, configuration.input);
  const retriever = isUnchanged
    ? await retrievers.createRetriever(searched, tenantOf(db))
    : undefined;
  const { sliceBy, intervals, bounds: isBounded } = evaluation.plan;
  const collector = createRowCollector({
    name: configuration.name,
    configuration: searched,
    isRescore: evaluation.rescoreOf !== null,
    measures,
    average,
    sliceBy,
    passages: retriever?.passages,
    hasDocument: retriever?.hasDocument,
  });
  const kept = intervals && createValueCollector(measures, sliceBy, intervals);
  const meanBounds = isBounded && createMeanBounds();
  for await (const { question, outcome } of streamOutcomes(
    db,
    evaluation,
    configuration.position,
  )) {
    if (!outcome) continue;
    const values = scoreQuestion(question, outcome, scale);
    collector.add(question, outcome, values);
    if (values) kept?.add(question, values);
    if (meanBounds) meanBounds.add(boundQuestion(question, outcome, scale) ?? {});
  }
  const row = { ...collector.toRow(), ...(meanBounds && { bounds: meanBounds.toBounds() }) };
  return kept ? kept.addIntervals(row) : row;
}
