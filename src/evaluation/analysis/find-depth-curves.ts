import { createDepthCurves } from '../../ir/funnel/depth-curve.ts';
import { findKnee, findPlateau, type CurvePoint } from '../../ir/funnel/knee.ts';
import { judgeRanking } from '../../ir/measures/judged-ranking.ts';
import type { Measure } from '../../ir/measures/measure.ts';
import { toJudgments } from '../../ir/qrels.ts';
import { isInMean } from '../../model/question.ts';
import type { Database } from '../../storage/database/database.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { streamOutcomes } from '../outcomes/stream-outcomes.ts';
import { averageOf } from '../../model/average-rule.ts';
import type { ResultCache } from '../lifecycle/result-cache.ts';
import { getConfiguration, getEndedEvaluation } from '../lifecycle/describe-evaluation.ts';
import { findMaxGrade } from '../measures/find-max-grade.ts';
import { toFunnelLists } from '../diagnosis/funnel-lists.ts';
import { resolveMeasures } from '../measures/resolve-measures.ts';

export const curveLists = ['final', 'shortlist'] as const;
export type CurveList = (typeof curveLists)[number];

export interface DepthCurvesRequest {
  readonly configuration: string;
  readonly depth: number;
  /** The ranking that is cut: the final one, or the input of a re-ranker. */
  readonly list: CurveList;
  /** Default: those of the evaluation. */
  readonly measures?: readonly Measure[] | undefined;
}

export interface DepthCurvesAnswer {
  readonly configuration: string;
  readonly depth: number;
  readonly list: CurveList;
  readonly questions: number;
  /** Rankings with fewer documents than `depth`: their lines stay flat, although a deeper search could find more. */
  readonly shorterRankings: number;
  readonly curves: readonly MeasureCurve[];
}

export interface MeasureCurve {
  readonly measure: string;
  readonly kept: CurveLine;
  /** What a perfect re-ranker of the first N would reach; null: the measure does not tell good from bad. */
  readonly oracle: CurveLine | null;
}

export interface CurveLine {
  /** Means; index 0 is N = 1. Null without questions. */
  readonly values: readonly (number | null)[];
  readonly knee: CurvePoint | null;
  readonly plateau: CurvePoint | null;
}

/** How close to its end a line has to stay to have arrived there. */
const plateauTolerance = 0.01;

/** What each measure would be if the first N documents of each stored ranking were all there is. Nothing is searched. */
export async function findDepthCurves(
  { db, memory }: { readonly db: Database; readonly memory: ResultCache },
  evaluationId: string,
  { measures: asked, ...cut }: DepthCurvesRequest,
): Promise<DepthCurvesAnswer> {
  const evaluation = await getEndedEvaluation(db, evaluationId);
  const { position } = await getConfiguration(db, evaluationId, cut.configuration);
  const measures = asked ?? resolveMeasures(evaluation.plan);
  const names = measures.map(({ name }) => name);
  return memory.getOrCompute(
    { db, evaluation },
    ['depth-curves', cut.configuration, cut.depth, cut.list, names],
    () => drawCurves({ db, evaluation, position }, { ...cut, measures }),
  );
}

async function drawCurves(
  {
    db,
    evaluation,
    position,
  }: {
    readonly db: Database;
    readonly evaluation: StoredEvaluation;
    readonly position: number;
  },
  {
    configuration,
    depth,
    list,
    measures,
  }: Omit<DepthCurvesRequest, 'measures'> & { readonly measures: readonly Measure[] },
): Promise<DepthCurvesAnswer> {
  const context = { maxGrade: await findMaxGrade(db, evaluation, measures) };
  const average = averageOf(evaluation.plan);
  const curves = createDepthCurves(measures, depth);
  const counts = { questions: 0, shorterRankings: 0 };
  for await (const { question, outcome } of streamOutcomes(db, evaluation, position)) {
    if (!outcome?.hits || !isInMean(question, average)) continue;
    const { fused, final } = toFunnelLists(outcome);
    const ranking = list === 'shortlist' ? fused : final;
    curves.add(judgeRanking(ranking, toJudgments(question.judgments)), context);
    counts.questions += 1;
    counts.shorterRankings += ranking.length < depth ? 1 : 0;
  }
  const lines = curves.toCurves();
  return {
    configuration,
    depth,
    list,
    ...counts,
    curves: measures.map(({ name }, index) => ({
      measure: name,
      kept: toLine(lines[index]?.kept ?? []),
      oracle: lines[index]?.oracle ? toLine(lines[index].oracle) : null,
    })),
  };
}

function toLine(values: readonly (number | null)[]): CurveLine {
  const known = values.filter((value) => value !== null);
  return {
    values,
    knee: findKnee(known) ?? null,
    plateau: findPlateau(known, plateauTolerance) ?? null,
  };
}
