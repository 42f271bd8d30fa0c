import { toComparableId } from '../../ir/comparable-ids.ts';
import type { PipelineTrace } from '../../model/pipeline-trace.ts';
import { type Judgments, toJudgments } from '../../ir/qrels.ts';
import type { Question } from '../../model/question.ts';
import type { Database } from '../../storage/database/database.ts';
import { inTurn } from '../computations/current-request.ts';
import { toPage, type Page } from '../../storage/database/paging.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import {
  findLeaks,
  streamOutcomes,
  toStatus,
  type QuestionStatus,
} from '../outcomes/stream-outcomes.ts';
import { averageOf } from '../../model/average-rule.ts';
import { boundQuestion } from './bound-question.ts';
import { getConfiguration, getEvaluation } from '../lifecycle/describe-evaluation.ts';
import { findHighestGrade, findMaxGrade } from '../measures/find-max-grade.ts';
import { resolveMeasures } from '../measures/resolve-measures.ts';
import { scoreQuestion } from './score-question.ts';
import type { BoundsByMeasure } from '../../model/scorecard.ts';
import type { OutcomeChunk, Outcome, OutcomeError } from '../../model/outcome.ts';

export interface QuestionResult {
  readonly id: string;
  readonly text: string;
  readonly status: QuestionStatus;
  readonly error?: OutcomeError;
  /** By name; empty when the question is outside the means. */
  readonly measures: Readonly<Record<string, number>>;
  /** Where the evaluation has bounds; absent when the question is outside the means. */
  readonly bounds?: BoundsByMeasure | undefined;
  readonly leaks: readonly string[];
  readonly ranking: readonly RankedResult[];
  /** Absent where a backend alone was asked. */
  readonly pipeline?: PipelineTrace | undefined;
}

export interface RankedResult {
  readonly documentId: string | null;
  readonly rank: number;
  readonly score: number | null;
  readonly chunkId: string | null;
  /** `null`: unjudged. */
  readonly grade: number | null;
  /** The chunks behind it, where the search showed them and they are stored. */
  readonly chunks?: readonly OutcomeChunk[] | undefined;
}

/** One configuration's questions in the set's order, each scored, with its ranking. Those not searched yet are left out. */
export async function listQuestionResults(
  db: Database,
  evaluationId: string,
  request: ResultsRequest,
): Promise<Page<QuestionResult>> {
  const evaluation = await getEvaluation(db, evaluationId);
  const { bounds = false, measures } = evaluation.plan;
  const rankings = bounds ? request.limit * measures.length : request.limit;
  return inTurn(() => readResults(db, evaluation, request), rankings);
}

interface ResultsRequest {
  readonly configuration: string;
  readonly limit: number;
  readonly after: number;
}

async function readResults(
  db: Database,
  evaluation: StoredEvaluation,
  request: ResultsRequest,
): Promise<Page<QuestionResult>> {
  const { position } = await getConfiguration(db, evaluation.id, request.configuration);
  const measures = resolveMeasures(evaluation.plan);
  const maxGrade = await findMaxGrade(db, evaluation, measures);
  const average = averageOf(evaluation.plan);
  const scale = evaluation.plan.bounds && {
    measures,
    average,
    highestGrade: await findHighestGrade(db, evaluation),
  };

  const rows: { readonly position: number; readonly result: QuestionResult }[] = [];
  const range = { after: request.after, likely: request.limit + 1 };
  for await (const asked of streamOutcomes(db, evaluation, position, range)) {
    if (!asked.outcome) continue;
    const values = scoreQuestion(asked.question, asked.outcome, { measures, maxGrade, average });
    const byName = measures.map(({ name }, index) => [name, values?.[index] ?? 0] as const);
    const scored = values ? Object.fromEntries(byName) : {};
    rows.push({
      position: asked.position,
      result: {
        ...toQuestionResult(asked.question, asked.outcome, scored),
        ...(scale && values && { bounds: boundQuestion(asked.question, asked.outcome, scale) }),
      },
    });
    if (rows.length > request.limit) break;
  }
  return toPage(rows, request.limit, {
    toItem: ({ result }) => result,
    toCursor: (row) => String(row.position),
  });
}

/** What a reader sees of a question and its outcome, with the values given. */
export function toQuestionResult(
  question: Question,
  outcome: Outcome,
  measures: QuestionResult['measures'],
): QuestionResult {
  return {
    id: question.id,
    text: question.text,
    status: toStatus(question, outcome),
    ...(outcome.error && { error: tellWithRequestId(outcome.error) }),
    measures,
    leaks: findLeaks(question, outcome),
    ranking: toRankedResults(question, outcome),
    ...(outcome.trace && { pipeline: outcome.trace }),
  };
}

/** The ranking as it is shown: each hit with its rank and grade. */
export function toRankedResults(question: Question, outcome: Outcome): readonly RankedResult[] {
  const grades = toJudgments(question.judgments);
  return (outcome.hits ?? []).map((hit, index) => ({
    ...hit,
    rank: index + 1,
    grade: findGrade(grades, hit.documentId),
  }));
}

function findGrade(grades: Judgments, documentId: string | null): number | null {
  return (documentId === null ? undefined : grades.get(toComparableId(documentId))) ?? null;
}

/** Includes the request id of the other service, for readers who copy only the message. */
export function tellWithRequestId(error: OutcomeError): OutcomeError {
  const { detail, requestId } = error;
  return requestId === undefined ? error : { ...error, detail: `${detail} [request ${requestId}]` };
}
