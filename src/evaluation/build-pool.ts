import { AppError, NotFoundError } from '../errors.ts';
import { toComparableId, toComparableRanking } from '../ir/comparable-ids.ts';
import { judgeRanking } from '../ir/measures/judged-ranking.ts';
import { parseOneMeasure } from './resolve-measures.ts';
import { poolQuestion } from '../ir/pooling.ts';
import { toJudgments } from '../ir/qrels.ts';
import type { Question } from '../ir/question.ts';
import type { RetrieverRegistry } from '../retrieval/registry.ts';
import type { Retriever } from '../retrieval/retriever.ts';
import type { SearchConfiguration } from '../retrieval/search-configuration.ts';
import { toSnippet } from '../retrieval/snippet.ts';
import type { Database } from '../storage/database.ts';
import {
  listConfigurations,
  type EvaluationConfiguration,
  type StoredEvaluation,
} from '../storage/evaluations.ts';
import type { OutcomeHit } from '../storage/outcomes.ts';
import { findQuestionSet, streamQuestions } from '../storage/question-sets.ts';
import { tenantOf } from '../storage/tenant-scope.ts';
import { streamAsked } from './asked-questions.ts';
import { getEvaluation } from './describe-evaluation.ts';
import { isInputUnchanged } from './input-hash.ts';
import { createMean } from '../ir/stable-sum.ts';
import type { Measure } from '../ir/measures/measure.ts';
import { findPoolBias } from './find-pool-bias.ts';
import { orderByImpact, type ImpactRequest } from './order-by-impact.ts';
import type { Pool, PooledQuestion } from './pool.ts';

interface PoolContext {
  readonly db: Database;
  readonly retrievers: RetrieverRegistry;
}

/**
 * The documents in the top `depth` of any run that nobody judged. Judgments are those of the set's latest
 * version, so that a document judged since the evaluation is not asked for again. Questions without
 * answer are left out: no measure waits for their judgments.
 */
export async function buildPool(
  context: PoolContext,
  request: {
    readonly evaluations: readonly string[];
    readonly depth: number;
    readonly configurations?: readonly string[] | undefined;
    /** Then the pool is of this pair, and sorted. */
    readonly impact?: ImpactRequest | undefined;
    /** The measure whose pool bias is told. */
    readonly bias?: Measure | undefined;
  },
): Promise<Pool> {
  const { db } = context;
  const { impact, bias } = request;
  const evaluations: StoredEvaluation[] = [];
  for (const id of new Set(request.evaluations)) evaluations.push(await getEvaluation(db, id));
  const set = await findJudgedSet(db, evaluations);
  const runs = await findRuns(context, evaluations, impact?.pair ?? request.configurations);
  const questions = await readAnswerable(db, set);
  const tops = await readTops(db, runs, { questions, depth: request.depth });

  const pooled = [...questions.values()].flatMap((question) => {
    const documents = poolDocuments(question, runs, { tops, depth: request.depth });
    return documents.length > 0 ? [{ id: question.id, text: question.text, documents }] : [];
  });
  const pool: Pool = {
    depth: request.depth,
    questionSet: set,
    unjudged: pooled.reduce((sum, { documents }) => sum + documents.length, 0),
    coverage: Object.fromEntries(
      runs.map((run) => [run.label, findCoverage(tops.get(run), questions, request.depth)]),
    ),
    questions: pooled,
  };
  const ordered = impact ? await orderByImpact(db, pool, { ...impact, evaluations }) : pool;
  if (!bias) return ordered;
  return { ...ordered, bias: await findPoolBias(db, pool, { measure: bias, evaluations }) };
}

interface PooledRun {
  readonly evaluation: StoredEvaluation;
  readonly configuration: EvaluationConfiguration;
  /** Unique among the runs: the configuration's name, with the evaluation's id where names repeat. */
  readonly label: string;
  readonly namesEvaluation: boolean;
  readonly findPassage: Retriever['findPassage'];
}

/** By run, then by question id: the hits of the top `depth`. */
type Tops = ReadonlyMap<PooledRun, ReadonlyMap<string, readonly OutcomeHit[]>>;

async function findJudgedSet(
  db: Database,
  [first, ...others]: readonly StoredEvaluation[],
): Promise<{ readonly name: string; readonly version: number }> {
  if (!first) throw new NotFoundError('Evaluation', '');
  const other = others.find(({ questionSet }) => questionSet !== first.questionSet);
  if (other) {
    const message = `Evaluation '${first.id}' is over question set '${first.questionSet}', '${other.id}' over '${other.questionSet}': a pool is over one`;
    throw new AppError('conflict', message);
  }
  const latest = await findQuestionSet(db, first.questionSet);
  return { name: first.questionSet, version: latest?.version ?? first.version };
}

async function findRuns(
  { db, retrievers }: PoolContext,
  evaluations: readonly StoredEvaluation[],
  names: readonly string[] | undefined,
): Promise<readonly PooledRun[]> {
  const all: { evaluation: StoredEvaluation; configuration: EvaluationConfiguration }[] = [];
  for (const evaluation of evaluations) {
    const configurations = await listConfigurations(db, evaluation.id);
    all.push(...configurations.map((configuration) => ({ evaluation, configuration })));
  }
  const missing = names?.find(
    (name) => !all.some(({ configuration }) => configuration.name === name),
  );
  if (missing !== undefined) throw new NotFoundError('Configuration of the evaluation', missing);

  const wanted = names
    ? names.flatMap((name) => all.filter(({ configuration }) => configuration.name === name))
    : all;
  const runs: PooledRun[] = [];
  for (const { evaluation, configuration } of new Set(wanted)) {
    const { name } = configuration;
    const repeats = wanted.filter((other) => other.configuration.name === name).length > 1;
    const label = repeats ? `${name} (${evaluation.id})` : name;
    const isUnchanged = await isInputUnchanged(db, configuration.input);
    const searched = JSON.parse(configuration.body) as SearchConfiguration;
    const retriever = isUnchanged
      ? await retrievers.createRetriever(searched, tenantOf(db))
      : undefined;
    const namesEvaluation = evaluations.length > 1;
    runs.push({
      evaluation,
      configuration,
      label,
      namesEvaluation,
      findPassage: retriever?.findPassage,
    });
  }
  return runs;
}

async function readAnswerable(
  db: Database,
  { name, version }: { readonly name: string; readonly version: number },
): Promise<ReadonlyMap<string, Question>> {
  const questions = new Map<string, Question>();
  for await (const { question } of streamQuestions(db, { questionSet: name, version })) {
    if (question.answerable) questions.set(question.id, question);
  }
  return questions;
}

async function readTops(
  db: Database,
  runs: readonly PooledRun[],
  {
    questions,
    depth,
  }: { readonly questions: ReadonlyMap<string, Question>; readonly depth: number },
): Promise<Tops> {
  const tops = new Map<PooledRun, ReadonlyMap<string, readonly OutcomeHit[]>>();
  for (const run of runs) {
    const byQuestion = new Map<string, readonly OutcomeHit[]>();
    const asked = streamAsked(db, run.evaluation, run.configuration.position);
    for await (const { question, outcome } of asked) {
      if (outcome?.hits && questions.has(question.id)) {
        byQuestion.set(question.id, outcome.hits.slice(0, depth));
      }
    }
    tops.set(run, byQuestion);
  }
  return tops;
}

function poolDocuments(
  question: Question,
  runs: readonly PooledRun[],
  { tops, depth }: { readonly tops: Tops; readonly depth: number },
): PooledQuestion['documents'] {
  const byLabel = new Map(runs.map((run) => [run.label, run]));
  const hitsOf = (run: PooledRun) => tops.get(run)?.get(question.id) ?? [];
  const rankings = runs.map((run) => ({
    configuration: run.label,
    ranking: toComparableRanking(hitsOf(run).map(({ documentId }) => documentId)),
  }));
  return poolQuestion(rankings, toJudgments(question.judgments), depth).map((pooled) => ({
    documentId: pooled.documentId,
    ...(runs
      .map((run) => findEvidence(run, hitsOf(run), pooled.documentId))
      .find((evidence) => evidence !== undefined) ?? nothingToShow),
    retrievedBy: pooled.retrievedBy.map(({ configuration: label, rank }) => ({
      ...nameRun(byLabel.get(label), label),
      rank,
    })),
  }));
}

function nameRun(run: PooledRun | undefined, label: string) {
  const configuration = run?.configuration.name ?? label;
  return run?.namesEvaluation
    ? { evaluation: run.evaluation.id, configuration }
    : { configuration };
}

/** What a judge is shown; `title` is null where the search gave none. */
interface Evidence {
  readonly title: string | null;
  readonly snippet: string | null;
}

/** From the backend where it keeps its texts, else from what was stored of the search. */
function findEvidence(
  run: PooledRun,
  hits: readonly OutcomeHit[],
  documentId: string,
): Evidence | undefined {
  const hit = hits.find(
    (one) => one.documentId !== null && toComparableId(one.documentId) === documentId,
  );
  const passage = hit?.chunkId ? run.findPassage?.(hit.chunkId) : undefined;
  if (passage) return { title: passage.title, snippet: toSnippet(passage.text) };
  const chunk = hit?.chunks?.[0];
  return chunk && { title: null, snippet: chunk.snippet };
}

const nothingToShow: Evidence = { title: null, snippet: null };

function findCoverage(
  top: ReadonlyMap<string, readonly OutcomeHit[]> | undefined,
  questions: ReadonlyMap<string, Question>,
  depth: number,
): number | null {
  const judgedAt = parseOneMeasure(`judged@${depth}`, '/body/depth');
  const mean = createMean();
  for (const [id, hits] of top ?? []) {
    const judgments = toJudgments(questions.get(id)?.judgments ?? []);
    const ranking = toComparableRanking(hits.map(({ documentId }) => documentId));
    mean.add(judgedAt.compute(judgeRanking(ranking, judgments), { maxGrade: 1 }));
  }
  return mean.mean ?? null;
}
