import { toComparableId } from '../../ir/comparable-ids.ts';
import {
  createScoreCurve,
  type HitVerdict,
  type ScoreCurvePoint,
  type ScoredHit,
} from '../../ir/funnel/score-curve.ts';
import { createThresholdFinder } from '../../ir/funnel/score-thresholds.ts';
import { toJudgments, type Judgments } from '../../ir/qrels.ts';
import type { Database } from '../../storage/database/database.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { type AskedQuestion, streamOutcomes, toStatus } from '../outcomes/stream-outcomes.ts';
import type { ResultCache } from '../lifecycle/result-cache.ts';
import { getConfiguration, getEndedEvaluation } from '../lifecycle/describe-evaluation.ts';
import type { Outcome } from '../../model/outcome.ts';

/** Whose scores a curve is of: the re-rank stage's, or those of the final ranking. */
export type ScoreSource = 'rerank' | 'ranking';

export interface ScoreCurveRequest {
  readonly configuration: string;
  /** Hits of each ranking that count, from the first. */
  readonly depth: number;
  /** The lowest grade that is relevant. */
  readonly relevantFrom: number;
  /** Steps between the lowest and the highest score. */
  readonly points: number;
}

export interface ScoreCurveAnswer extends ScoreCurveRequest {
  readonly scores: ScoreSource;
  readonly questions: {
    readonly answerable: number;
    readonly unanswerable: number;
    /** Excluded: they have hits but no score of the source. */
    readonly unscored: number;
    /** Left out: nothing is known of their hits. */
    readonly unlabelled: number;
  };
  /** Relevant documents of the questions, found or not. */
  readonly relevant: number;
  /** Hits within the depth without a score, in no point. */
  readonly unscoredHits: number;
  readonly curve: readonly ScoreCurvePoint[];
}

/**
 * How many relevant, other and unjudged hits would stay if those below a score were left out, for quantiles of the
 * scores of one configuration. From stored outcomes; nothing is searched. They are read twice: for the quantiles and
 * for the counts.
 */
export async function findScoreCurve(
  { db, memory }: { readonly db: Database; readonly memory: ResultCache },
  evaluationId: string,
  request: ScoreCurveRequest,
): Promise<ScoreCurveAnswer> {
  const evaluation = await getEndedEvaluation(db, evaluationId);
  const { configuration, depth, relevantFrom, points } = request;
  const { position, configuration: searched } = await getConfiguration(
    db,
    evaluationId,
    configuration,
  );
  const { pipeline } = searched;
  const scores = pipeline?.rerank ? 'rerank' : 'ranking';
  return memory.getOrCompute(
    { db, evaluation },
    ['score-curve', configuration, depth, relevantFrom, points],
    () => drawCurve({ db, evaluation, position }, request, scores),
  );
}

async function drawCurve(
  source: {
    readonly db: Database;
    readonly evaluation: StoredEvaluation;
    readonly position: number;
  },
  request: ScoreCurveRequest,
  scores: ScoreSource,
): Promise<ScoreCurveAnswer> {
  const { db, evaluation, position } = source;
  const read = () => readScored(streamOutcomes(db, evaluation, position), request, scores);
  const finder = createThresholdFinder();
  for await (const { hits, isUnlabelled } of read()) {
    if (!isUnlabelled) for (const { score } of hits) finder.add(score);
  }
  const curve = createScoreCurve(finder.toThresholds(request.points));
  const questions = { answerable: 0, unanswerable: 0, unscored: 0, unlabelled: 0 };
  let relevant = 0;
  let unscoredHits = 0;
  for await (const asked of read()) {
    if (asked.isUnlabelled) {
      questions.unlabelled += 1;
      continue;
    }
    unscoredHits += asked.unscored;
    if (asked.hits.length === 0 && asked.unscored > 0) {
      questions.unscored += 1;
      continue;
    }
    questions[asked.isAnswerable ? 'answerable' : 'unanswerable'] += 1;
    relevant += asked.relevant;
    curve.add(asked);
  }
  return { ...request, scores, questions, relevant, unscoredHits, curve: curve.toPoints() };
}

interface ReadQuestion {
  readonly hits: readonly ScoredHit[];
  /** Hits without a score. */
  readonly unscored: number;
  readonly isAnswerable: boolean;
  readonly isUnlabelled: boolean;
  readonly relevant: number;
}

/** Questions that failed are left out. */
async function* readScored(
  asked: AsyncIterable<AskedQuestion>,
  { depth, relevantFrom }: ScoreCurveRequest,
  source: ScoreSource,
): AsyncGenerator<ReadQuestion> {
  for await (const { question, outcome } of asked) {
    if (!outcome) continue;
    const status = toStatus(question, outcome);
    if (status === 'failed') continue;
    const grades = toJudgments(question.judgments);
    const listed = listScores(outcome, source).slice(0, depth);
    const hits = listed.flatMap(({ documentId, score }) =>
      score === null ? [] : [{ score, verdict: judge(grades, documentId, relevantFrom) }],
    );
    yield {
      hits,
      unscored: listed.length - hits.length,
      isAnswerable: question.answerable,
      isUnlabelled: status === 'unlabelled',
      relevant: question.judgments.filter(({ grade }) => grade >= relevantFrom).length,
    };
  }
}

interface Listed {
  readonly documentId: string | null;
  readonly score: number | null;
}

/**
 * The re-ranker's scores are in the trace, those that a `minScore` left out included. Where it gave none (an order alone,
 * a stage that was left out, an evaluation older than the scores) the scores of the hits are of another kind.
 */
function listScores({ hits, trace }: Outcome, source: ScoreSource): readonly Listed[] {
  if (source === 'ranking') return hits ?? [];
  const { reranked = [], scores } = trace ?? {};
  if (!scores) return (hits ?? []).map(({ documentId }) => ({ documentId, score: null }));
  return reranked.map((documentId, place) => ({ documentId, score: scores[place] ?? null }));
}

function judge(grades: Judgments, documentId: string | null, relevantFrom: number): HitVerdict {
  const grade = documentId === null ? undefined : grades.get(toComparableId(documentId));
  if (grade === undefined) return 'unjudged';
  return grade >= relevantFrom ? 'relevant' : 'nonRelevant';
}
