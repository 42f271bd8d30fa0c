import type { RetrieverRegistry } from '../../retrieval/registry.ts';
import type { Retriever } from '../../retrieval/retriever.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Question } from '../../model/question.ts';
import type { Database } from '../../storage/database/database.ts';
import type { EvaluationConfiguration } from '../../storage/evaluations/evaluation-configurations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { tenantOf } from '../../storage/database/tenant-scope.ts';
import { createDiagnosisStarter, type RowDiagnosis } from './add-diagnosis.ts';
import { streamOutcomes } from '../outcomes/stream-outcomes.ts';
import { averageOf } from '../../model/average-rule.ts';
import { boundQuestion, createMeanBounds, type BoundScale } from './bound-question.ts';
import { findHighestGrade, findMaxGrade } from '../measures/find-max-grade.ts';
import { isInputUnchanged } from '../outcomes/input-hash.ts';
import { resolveMeasures } from '../measures/resolve-measures.ts';
import { createDataCheck } from './data-check.ts';
import { createRowCollector } from './row-collector.ts';
import type { ScoreBlock } from '../../model/score-block.ts';
import type { ScorecardRow } from '../../model/scorecard.ts';
import { findFacts } from './question-facts.ts';
import { createScoreBlocks, type ScoreBlocks } from './score-blocks.ts';
import type { ScoreScale } from './score-question.ts';
import { createValueCollector } from './value-collector.ts';

interface ScoringContext {
  readonly db: Database;
  readonly retrievers: RetrieverRegistry;
}

/** Takes each searched question of a configuration in the pass that scores it. */
export interface PassListener {
  readonly add: (question: Question, outcome: Outcome) => void;
  /** Called when all questions were added. */
  readonly end: () => Promise<void>;
}

/** Undefined: nothing listens to this configuration. */
export type StartListener = (
  configuration: EvaluationConfiguration,
) => Promise<PassListener | undefined>;

export interface ScoredEvaluation {
  readonly scorecard: readonly ScorecardRow[];
  /** What the scorecard was made of, by position of the configuration; without those that would need too much memory. */
  readonly scores: ReadonlyMap<number, readonly ScoreBlock[]>;
}

/** Kept until the end of the evaluation: some 200 bytes each. The others are made when they are first read. */
const maxKeptScores = 200_000;

/**
 * Scores the stored outcomes. The outcomes of each configuration are read and parsed once: its row, intervals,
 * bounds, diagnosis, stored scores and listener share one streaming pass. Nothing is searched.
 */
export async function scoreEvaluation(
  context: ScoringContext,
  evaluation: StoredEvaluation,
  configurations: readonly EvaluationConfiguration[],
  startListener: StartListener = async () => undefined,
): Promise<ScoredEvaluation> {
  const measures = resolveMeasures(evaluation.plan);
  const maxGrade = await findMaxGrade(context.db, evaluation, measures);
  const highestGrade = evaluation.plan.bounds
    ? await findHighestGrade(context.db, evaluation)
    : maxGrade;
  const startDiagnosis = createDiagnosisStarter(context.db, evaluation);
  const rows: ScorecardRow[] = [];
  const scores = new Map<number, readonly ScoreBlock[]>();
  let kept = 0;
  for (const configuration of configurations) {
    const scale = { measures, maxGrade, highestGrade, average: averageOf(evaluation.plan) };
    const blocks = createScoreBlocks(measures);
    const pass: ConfigurationPass = {
      ...scale,
      configuration,
      diagnosis: await startDiagnosis(configuration),
      listener: await startListener(configuration),
      blocks,
    };
    rows.push(await scoreConfiguration(context, evaluation, pass));
    kept += blocks.count();
    if (kept <= maxKeptScores) scores.set(configuration.position, blocks.toList());
  }
  return { scorecard: rows, scores };
}

interface ConfigurationPass extends ScoreScale, BoundScale {
  readonly configuration: EvaluationConfiguration;
  readonly diagnosis: RowDiagnosis | undefined;
  readonly listener: PassListener | undefined;
  readonly blocks: ScoreBlocks;
}

async function scoreConfiguration(
  context: ScoringContext,
  evaluation: StoredEvaluation,
  { configuration, diagnosis, listener, blocks, ...scale }: ConfigurationPass,
): Promise<ScorecardRow> {
  const { db } = context;
  const { sliceBy, intervals, bounds: isBounded } = evaluation.plan;
  const retriever = await openRetriever(context, configuration);
  const data = createDataCheck(db, { retriever, input: configuration.input, evaluation });
  const collector = createRowCollector({
    ...scale,
    name: configuration.name,
    configuration: configuration.configuration,
    isRescore: evaluation.rescoreOf !== null,
    sliceBy,
    passages: retriever?.passages,
    documents: retriever?.documents,
    hasDocument: retriever?.hasDocument,
  });
  const kept = intervals && createValueCollector(scale.measures, sliceBy, intervals);
  const meanBounds = isBounded && createMeanBounds();
  for await (const asked of streamOutcomes(db, evaluation, configuration.position)) {
    const { question, outcome } = asked;
    if (!outcome) continue;
    const facts = findFacts(question, outcome, { ...scale, withUncertainty: true });
    blocks.add(asked.position, facts);
    collector.add(question, outcome, facts);
    data.add(question, outcome);
    if (facts.isAveraged) kept?.add(question, facts.values);
    if (meanBounds) meanBounds.add(boundQuestion(question, outcome, scale) ?? {});
    diagnosis?.add(asked);
    listener?.add(question, outcome);
  }
  await listener?.end();
  const row = {
    ...collector.toRow(await data.toList()),
    ...(meanBounds && { bounds: meanBounds.toBounds() }),
  };
  const whole = kept ? await kept.addIntervals(row) : row;
  return diagnosis ? diagnosis.addTo(whole) : whole;
}

/** Undefined when what was searched is not there any more, or is another. */
async function openRetriever(
  { db, retrievers }: ScoringContext,
  { configuration, input }: EvaluationConfiguration,
): Promise<Retriever | undefined> {
  if (!(await isInputUnchanged(db, input))) return undefined;
  return retrievers.createRetriever(configuration, tenantOf(db));
}
