import { toComparableId, toComparableRanking } from '../../ir/comparable-ids.ts';
import type { Measure } from '../../ir/measures/measure.ts';
import { sliceValues, type Question, type SliceDimension } from '../../model/question.ts';
import type { Database } from '../../storage/database/database.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { streamOutcomes, toStatus, type QuestionStatus } from '../outcomes/stream-outcomes.ts';
import { averageOf } from '../../model/average-rule.ts';
import { getConfiguration, getEvaluation } from '../lifecycle/describe-evaluation.ts';
import { findMaxGrade } from '../measures/find-max-grade.ts';
import { hashJson } from '../../model/hash-content.ts';
import { findUncertainty, type RankingUncertainty } from '../warnings/ranking-uncertainty.ts';
import { scoreQuestion } from '../scoring/score-question.ts';
import type { Outcome } from '../../model/outcome.ts';

/** One run: what a configuration of an evaluation brought back. */
export interface RunReference {
  readonly evaluation: string;
  readonly configuration: string;
}

/** Two runs to compare. */
export interface RunPair {
  readonly baseline: RunReference;
  readonly candidate: RunReference;
}

export const comparisonSides = ['baseline', 'candidate'] as const satisfies (keyof RunPair)[];

export interface RunQuestion {
  readonly id: string;
  readonly text: string;
  readonly status: Exclude<QuestionStatus, 'empty'>;
  /** Whether it is in the means of its evaluation. */
  readonly isAveraged: boolean;
  /** Whether a stage of the pipeline was left out for it. */
  readonly hasFallback: boolean;
  /** By the order of the measures; empty outside the means. */
  readonly values: readonly number[];
  /** The dimensions that the question has. */
  readonly attributes: QuestionAttributes;
  /** Whether a returned document is judged for it. */
  readonly hasJudged: boolean;
  /** By the order of the dimensions asked for. */
  readonly slices: readonly (readonly string[])[];
  /** Of the ranked document ids. Only where asked for, and of those in the means. */
  readonly rankingHash?: string | undefined;
  /** Rank of the first relevant document; null: none was retrieved. Only where asked for, and of those in the means. */
  readonly firstRelevantRank?: number | null | undefined;
  /** Only where asked for, and of those in the means. */
  readonly uncertainty?: RankingUncertainty | undefined;
}

/** The attributes of a question, for the row of a comparison. */
export type QuestionAttributes = Partial<Pick<Question, SliceDimension>>;

/** By question id, in the set's order. */
export type RunQuestions = ReadonlyMap<string, RunQuestion>;

export interface RunReadOptions {
  /** The evaluation of the reference, where the caller has it. */
  readonly evaluation?: StoredEvaluation | undefined;
  readonly measures: readonly Measure[];
  readonly sliceBy?: readonly SliceDimension[];
  readonly withUncertainty?: boolean;
  /** Whether the hash of each ranking and the rank of its first relevant document are kept. */
  readonly withRankings?: boolean;
}

/** A run's questions with their values. Questions that were not searched yet are excluded. */
export async function readRun(
  db: Database,
  reference: RunReference,
  { evaluation: given, ...options }: RunReadOptions,
): Promise<RunQuestions> {
  const evaluation = given ?? (await getEvaluation(db, reference.evaluation));
  const { position } = await getConfiguration(db, evaluation.id, reference.configuration);
  const run = await createRunCollector(db, evaluation, options);
  for await (const { question, outcome } of streamOutcomes(db, evaluation, position)) {
    if (outcome) run.add(question, outcome);
  }
  return run.questions;
}

export interface RunCollector {
  readonly add: (question: Question, outcome: Outcome) => void;
  /** Those added so far. */
  readonly questions: RunQuestions;
}

/** Makes a run of outcomes that the caller reads. */
export async function createRunCollector(
  db: Database,
  evaluation: StoredEvaluation,
  {
    measures,
    sliceBy = [],
    withUncertainty = false,
    withRankings = false,
  }: Omit<RunReadOptions, 'evaluation'>,
): Promise<RunCollector> {
  const maxGrade = await findMaxGrade(db, evaluation, measures);
  const scale = { measures, maxGrade, average: averageOf(evaluation.plan) };
  const questions = new Map<string, RunQuestion>();
  return {
    questions,
    add(question, outcome) {
      const { id, text } = question;
      const status = toStatus(question, outcome);
      const values = scoreQuestion(question, outcome, scale);
      const hits = values && outcome.hits;
      questions.set(id, {
        id,
        text,
        status: status === 'empty' ? 'scored' : status,
        isAveraged: values !== undefined,
        hasFallback: (outcome.trace?.fallbacks.length ?? 0) > 0,
        values: values ?? [],
        attributes: toAttributes(question),
        hasJudged: returnsJudged(question, outcome),
        slices: sliceBy.map((dimension) => sliceValues(question, dimension)),
        ...(withRankings &&
          hits && {
            rankingHash: hashRanking(hits),
            firstRelevantRank: findFirstRelevant(question, hits),
          }),
        ...(withUncertainty &&
          hits && { uncertainty: findUncertainty(question, hits, { measures, maxGrade }) }),
      });
    },
  };
}

function findFirstRelevant(
  { judgments }: Question,
  hits: NonNullable<Outcome['hits']>,
): number | null {
  const relevant = new Set(
    judgments.flatMap(({ documentId, grade }) => (grade > 0 ? [toComparableId(documentId)] : [])),
  );
  const place = hits.findIndex(
    ({ documentId }) => documentId !== null && relevant.has(toComparableId(documentId)),
  );
  return place === -1 ? null : place + 1;
}

function toAttributes({
  kind,
  process,
  language,
  user,
  split,
  tags,
}: Question): QuestionAttributes {
  return {
    ...(kind !== undefined && { kind }),
    ...(process !== undefined && { process }),
    ...(language !== undefined && { language }),
    ...(user !== undefined && { user }),
    ...(split !== undefined && { split }),
    ...(tags.length > 0 && { tags }),
  };
}

function returnsJudged({ judgments }: Question, { hits }: Outcome): boolean {
  const judged = new Set(judgments.map(({ documentId }) => toComparableId(documentId)));
  return (hits ?? []).some(
    ({ documentId }) => documentId && judged.has(toComparableId(documentId)),
  );
}

/** Whether the means of a run say nothing: none of its questions was answered with a document that is judged for it. */
export function returnsNothingJudged(run: Iterable<RunQuestion>): boolean {
  const averaged = [...run].filter(({ isAveraged }) => isAveraged);
  return averaged.length > 0 && averaged.every(({ hasJudged }) => !hasJudged);
}

function hashRanking(hits: NonNullable<Outcome['hits']>): string {
  return hashJson(toComparableRanking(hits.map(({ documentId }) => documentId)));
}
