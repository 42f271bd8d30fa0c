import { toComparableId } from '../../ir/comparable-ids.ts';
import { toJudgments } from '../../ir/qrels.ts';
import { NotFoundError } from '../../errors.ts';
import { averageOf } from '../../model/average-rule.ts';
import type { Question } from '../../model/question.ts';
import type { RetrieverRegistry } from '../../retrieval/registry.ts';
import type { Passage } from '../../retrieval/retriever.ts';
import { toSnippet } from '../../retrieval/snippet.ts';
import type { Database } from '../../storage/database/database.ts';
import { tenantOf } from '../../storage/database/tenant-scope.ts';
import {
  listConfigurations,
  type EvaluationConfiguration,
} from '../../storage/evaluations/evaluation-configurations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { findOutcomes } from '../../storage/evaluations/outcomes.ts';
import { toOutcome } from '../../storage/evaluations/stored-outcome.ts';
import { findQuestionSet } from '../../storage/question-sets/question-sets.ts';
import { findStoredQuestions } from '../../storage/question-sets/questions.ts';
import { getEvaluation } from '../lifecycle/describe-evaluation.ts';
import { findMaxGrade } from '../measures/find-max-grade.ts';
import { resolveMeasures } from '../measures/resolve-measures.ts';
import { isInputUnchanged } from '../outcomes/input-hash.ts';
import {
  toQuestionResult,
  type QuestionResult,
  type RankedResult,
} from './list-question-results.ts';
import { scoreQuestion } from './score-question.ts';

/** One question of an evaluation with the ranking of every configuration. */
export interface ShownQuestion {
  readonly question: Question;
  /** The version whose grades are `latestGrade`. */
  readonly latestVersion: number;
  readonly results: readonly ShownResult[];
}

export interface ShownResult extends Omit<QuestionResult, 'id' | 'text' | 'ranking'> {
  readonly configuration: string;
  readonly ranking: readonly ShownHit[];
}

export interface ShownHit extends RankedResult {
  /** null: the backend keeps no titles. */
  readonly title: string | null;
  readonly snippet: string | null;
  /** In the latest version of the question set. */
  readonly latestGrade: number | null;
}

interface Context {
  readonly db: Database;
  readonly retrievers: RetrieverRegistry;
}

/** A question as the evaluation asked it, with the top `depth` of each configuration as a person reads it. */
export async function showQuestion(
  context: Context,
  evaluationId: string,
  { questionId, depth }: { readonly questionId: string; readonly depth: number },
): Promise<ShownQuestion> {
  const { db } = context;
  const evaluation = await getEvaluation(db, evaluationId);
  const { questionSet, version } = evaluation;
  const found = await findStoredQuestions(db, { questionSet, version }, [questionId]);
  const asked = found.get(questionId);
  if (!asked) throw new NotFoundError('Question of the evaluation', questionId);
  const latest = await findQuestionSet(db, questionSet);
  const latestVersion = latest?.version ?? version;
  const now = await findStoredQuestions(db, { questionSet, version: latestVersion }, [questionId]);
  const latestGrades = toJudgments(now.get(questionId)?.question.judgments ?? []);
  const results: ShownResult[] = [];
  for (const configuration of await listConfigurations(db, evaluationId)) {
    const result = await readResult(context, evaluation, { ...asked, configuration });
    if (!result) continue;
    const { id: _id, text: _text, ranking, ...shown } = result;
    const findPassage = await createPassageReader(context, configuration);
    results.push({
      configuration: configuration.name,
      ...shown,
      ranking: ranking.slice(0, depth).map((hit) => ({
        ...hit,
        ...readHit(hit, findPassage),
        latestGrade:
          (hit.documentId === null ? null : latestGrades.get(toComparableId(hit.documentId))) ??
          null,
      })),
    });
  }
  return { question: asked.question, latestVersion, results };
}

async function readResult(
  { db }: Context,
  evaluation: StoredEvaluation,
  {
    question,
    position,
    configuration,
  }: {
    readonly question: Question;
    readonly position: number;
    readonly configuration: EvaluationConfiguration;
  },
): Promise<QuestionResult | undefined> {
  const rows = await findOutcomes(db, evaluation.id, configuration.position, [position]);
  const row = rows.get(position);
  if (!row) return undefined;
  const outcome = toOutcome(row);
  const measures = resolveMeasures(evaluation.plan);
  const maxGrade = await findMaxGrade(db, evaluation, measures);
  const average = averageOf(evaluation.plan);
  const values = scoreQuestion(question, outcome, { measures, maxGrade, average });
  const byName = measures.map(({ name }, index) => [name, values?.[index] ?? 0] as const);
  return toQuestionResult(question, outcome, values ? Object.fromEntries(byName) : {});
}

type PassageReader = (chunkId: string) => Passage | undefined;

/** Reads what a backend keeps of its chunks, as long as it still holds what was searched. */
async function createPassageReader(
  { db, retrievers }: Context,
  { configuration, input }: EvaluationConfiguration,
): Promise<PassageReader | undefined> {
  if (!(await isInputUnchanged(db, input))) return undefined;
  return (await retrievers.createRetriever(configuration, tenantOf(db)))?.findPassage;
}

function readHit(
  { chunkId, chunks }: RankedResult,
  findPassage: PassageReader | undefined,
): Pick<ShownHit, 'title' | 'snippet'> {
  const passage = chunkId === null ? undefined : findPassage?.(chunkId);
  if (passage) return { title: passage.title, snippet: toSnippet(passage.text) };
  return { title: null, snippet: chunks?.[0]?.snippet ?? null };
}
