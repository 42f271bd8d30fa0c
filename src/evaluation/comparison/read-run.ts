import { toComparableId, toComparableRanking } from '../../ir/comparable-ids.ts';
import type { Measure } from '../../ir/measures/measure.ts';
import type { Question, SliceDimension } from '../../model/question.ts';
import type { Database } from '../../storage/database/database.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { streamOutcomes } from '../outcomes/stream-outcomes.ts';
import { averageOf } from '../../model/average-rule.ts';
import { getConfiguration, getEvaluation } from '../lifecycle/describe-evaluation.ts';
import { findMaxGrade } from '../measures/find-max-grade.ts';
import { hashJson } from '../../model/hash-content.ts';
import { findFacts, type QuestionFacts } from '../scoring/question-facts.ts';
import { listHeads, toHead, type AskedHead, type PositionedAsked } from './asked-heads.ts';
import { readFacts } from './read-facts.ts';
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

export interface RunQuestion extends QuestionFacts, AskedHead {
  /** Of the ranked document ids. Only where asked for, and of those in the means. */
  readonly rankingHash?: string | undefined;
  /** Rank of the first relevant document; null: none was retrieved. Only where asked for, and of those in the means. */
  readonly firstRelevantRank?: number | null | undefined;
}

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
  /** The questions of the evaluation, where the caller has them. */
  readonly listAsked?: (() => Promise<readonly PositionedAsked[]>) | undefined;
}

/**
 * A run's questions with their values. Questions that were not searched yet are excluded. Rankings are read only where
 * their values are not stored, or where they are asked for.
 */
export async function readRun(
  db: Database,
  reference: RunReference,
  { evaluation: given, listAsked, ...options }: RunReadOptions,
): Promise<RunQuestions> {
  const { measures, sliceBy = [], withRankings = false } = options;
  const evaluation = given ?? (await getEvaluation(db, reference.evaluation));
  const { position } = await getConfiguration(db, evaluation.id, reference.configuration);
  const facts = withRankings ? undefined : await readFacts(db, evaluation, { position, measures });
  if (facts) {
    return joinFacts(facts, await (listAsked?.() ?? listHeads(db, evaluation, sliceBy)));
  }
  const run = await createRunCollector(db, evaluation, options);
  for await (const { question, outcome } of streamOutcomes(db, evaluation, position)) {
    if (outcome) run.add(question, outcome);
  }
  return run.questions;
}

function joinFacts(
  facts: ReadonlyMap<number, QuestionFacts>,
  asked: readonly PositionedAsked[],
): RunQuestions {
  return new Map(
    asked.flatMap(({ position, head }) => {
      const found = facts.get(position);
      return found ? [[head.id, { ...head, ...found }]] : [];
    }),
  );
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
  }: Omit<RunReadOptions, 'evaluation' | 'listAsked'>,
): Promise<RunCollector> {
  const maxGrade = await findMaxGrade(db, evaluation, measures);
  const scale = { measures, maxGrade, average: averageOf(evaluation.plan), withUncertainty };
  const questions = new Map<string, RunQuestion>();
  return {
    questions,
    add(question, outcome) {
      const facts = findFacts(question, outcome, scale);
      const hits = facts.isAveraged ? outcome.hits : null;
      questions.set(question.id, {
        ...toHead(question, sliceBy),
        ...facts,
        ...(withRankings &&
          hits && {
            rankingHash: hashRanking(hits),
            firstRelevantRank: findFirstRelevant(question, hits),
          }),
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

/** Whether the means of a run say nothing: none of its questions was answered with a document that is judged for it. */
export function returnsNothingJudged(run: Iterable<RunQuestion>): boolean {
  const averaged = [...run].filter(({ isAveraged }) => isAveraged);
  return averaged.length > 0 && averaged.every(({ hasJudged }) => !hasJudged);
}

function hashRanking(hits: NonNullable<Outcome['hits']>): string {
  return hashJson(toComparableRanking(hits.map(({ documentId }) => documentId)));
}
