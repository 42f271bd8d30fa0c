import { toComparableRanking } from '../../ir/comparable-ids.ts';
import type { PooledQuestion } from '../../ir/pool-bias.ts';
import { toJudgments, type Judgments } from '../../ir/qrels.ts';
import type { Outcome } from '../../model/outcome.ts';
import { isInMean } from '../../model/question.ts';
import type { Ranking } from '../../ir/run.ts';
import type { ComparedQuestion } from '../../ir/unjudged/missing-label.ts';
import type { Database } from '../../storage/database/database.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { streamQuestions, type PositionedQuestion } from '../../storage/question-sets/questions.ts';
import { joinOutcomes, toBatches, type OutcomeSource } from '../outcomes/join-outcomes.ts';
import { streamOutcomes, streamSelected } from '../outcomes/stream-outcomes.ts';
import type { QuestionId } from '../../ir/ids.ts';

/** By question; questions whose search failed are absent. */
export type RunRankings = ReadonlyMap<QuestionId, Ranking>;

/** By question; unanswerable and unlabelled ones are absent, as no comparison has them. */
export type JudgmentsByQuestion = ReadonlyMap<QuestionId, Judgments>;

/** What one configuration of an evaluation brought back. */
export async function readRankings(
  db: Database,
  evaluation: StoredEvaluation,
  configuration: number,
): Promise<RunRankings> {
  const rankings = new Map<QuestionId, Ranking>();
  for await (const { question, outcome } of streamOutcomes(db, evaluation, configuration)) {
    if (!outcome?.hits) continue;
    rankings.set(question.id, toRanking(outcome.hits));
  }
  return rankings;
}

function toRanking(hits: NonNullable<Outcome['hits']>): Ranking {
  return toComparableRanking(hits.map(({ documentId }) => documentId));
}

export interface RankedQuestion extends PooledQuestion {
  readonly id: QuestionId;
}

/** A run, and where its evaluation has each question. */
export interface LocatedRun extends Omit<OutcomeSource<never>, 'positionOf'> {
  readonly name: string;
  readonly places: ReadonlyMap<QuestionId, number>;
}

/** Few, so that a reader who stops early has read little. */
const questionsPerBatch = 50;

/** The questions of an evaluation with the rankings of runs over the same questions, read as far as they are taken. */
export async function* streamRankedQuestions(
  db: Database,
  evaluation: StoredEvaluation,
  runs: readonly LocatedRun[],
): AsyncGenerator<RankedQuestion> {
  const asked = streamSelected(db, evaluation, { likely: questionsPerBatch });
  const sources = runs.map(({ places, ...run }) => ({
    ...run,
    positionOf: ({ question }: PositionedQuestion) => places.get(question.id),
  }));
  for await (const joined of joinOutcomes(db, toBatches(asked, questionsPerBatch), sources)) {
    const { id, judgments } = joined.asked.question;
    const found = runs.flatMap(({ name }, index) => {
      const hits = joined.outcomes[index]?.hits;
      return hits ? [[name, toRanking(hits)] as const] : [];
    });
    yield { id, rankings: new Map(found), judgments: toJudgments(judgments) };
  }
}

/** The judgments of one version of a question set. */
export async function readJudgments(
  db: Database,
  set: { readonly questionSet: string; readonly version: number },
): Promise<JudgmentsByQuestion> {
  const judgments = new Map<QuestionId, Judgments>();
  for await (const { question } of streamQuestions(db, set)) {
    if (isInMean(question, 'labelled')) judgments.set(question.id, toJudgments(question.judgments));
  }
  return judgments;
}

/** The questions that both runs answered, one by one. */
export function* pairRankings(
  baseline: RunRankings,
  candidate: RunRankings,
  judgments: JudgmentsByQuestion,
): Generator<ComparedQuestion> {
  for (const [questionId, judged] of judgments) {
    const [first, second] = [baseline.get(questionId), candidate.get(questionId)];
    if (!first || !second) continue;
    yield { questionId, baseline: first, candidate: second, judgments: judged };
  }
}

/** The questions that any run answered, one by one, with rankings down to `depth`; runs by the name they go by. */
export function* joinRankings(
  runs: ReadonlyMap<string, RunRankings>,
  judgments: JudgmentsByQuestion,
  depth = Infinity,
): Generator<PooledQuestion> {
  for (const [questionId, judged] of judgments) {
    const found = [...runs].flatMap(([name, rankings]) => {
      const ranking = rankings.get(questionId);
      return ranking ? [[name, ranking.slice(0, depth)] as const] : [];
    });
    if (found.length > 0) yield { rankings: new Map(found), judgments: judged };
  }
}
