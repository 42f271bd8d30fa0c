import type { Question } from '../../model/question.ts';
import { estimatePipeline } from '../../retrieval/pipeline/estimate-pipeline.ts';
import { listRewrites } from '../../model/pipeline-configuration.ts';
import { listPipelineWarnings } from '../../retrieval/pipeline/pipeline-warnings.ts';
import {
  describeConfiguration,
  type RetrieverRegistry,
  traitsOf,
} from '../../retrieval/registry.ts';
import {
  type BackendName,
  isPiped,
  type SearchConfiguration,
} from '../../model/search-configuration.ts';
import type { Database } from '../../storage/database/database.ts';
import type { EvaluationConfiguration } from '../../storage/evaluations/evaluation-configurations.ts';
import type { EvaluationPlan } from '../../model/evaluation-plan.ts';
import type { PositionedQuestion } from '../../storage/question-sets/questions.ts';
import { tenantOf } from '../../storage/database/tenant-scope.ts';
import { streamSelected } from '../outcomes/stream-outcomes.ts';
import { countPlannedPassages } from './count-planned-passages.ts';
import type { EvaluationRequest } from '../../model/evaluation-request.ts';
import { planEvaluation, type PlannedEvaluation } from './plan-evaluation.ts';
import { probeConfiguration, type Probe } from './probe-configuration.ts';
import { findDeepest } from '../warnings/check-depth.ts';
import { resolveMeasures } from '../measures/resolve-measures.ts';
import { warnOfReach } from '../warnings/check-aicore.ts';
import { nameSome, orderWarnings, toWarning, warnIf, type Warning } from '../../model/warnings.ts';

/** What an evaluation would do and cost. */
export interface DryRun {
  readonly questionSet: {
    readonly name: string;
    readonly version: number;
    readonly contentHash: string;
  };
  readonly questions: number;
  readonly measures: readonly string[];
  readonly configurations: readonly ConfigurationEstimate[];
  readonly total: Estimate;
  /** How the first question's answers were read; null: nothing was sent. */
  readonly probes: readonly Probe[] | null;
}

export interface Estimate {
  /** Without retries. */
  readonly searches: number;
  readonly rerankerCalls: number;
  /** Of language models. */
  readonly modelCalls: number;
  /** That AI Core returns at most; null: a filter has no count. */
  readonly maxChunks: number | null;
}

export interface ConfigurationEstimate extends Estimate {
  readonly configuration: string;
  readonly backend: BackendName;
  /** Of the corpus, as it is cut; only for the local backend. */
  readonly passages?: number | undefined;
  readonly warnings: readonly Warning[];
}

interface DryRunContext {
  readonly db: Database;
  readonly retrievers: RetrieverRegistry;
  readonly signal: AbortSignal;
}

/**
 * Checks all that an evaluation would check, and counts what it would cost. Nothing is stored. `probe` sends
 * the first question, once for each configuration, and shows how the answer is read.
 */
export async function dryRunEvaluation(
  context: DryRunContext,
  request: EvaluationRequest & { readonly probe?: boolean | undefined },
): Promise<DryRun> {
  const { db, retrievers } = context;
  const planned = await planEvaluation(db, request, retrievers.findObstacle);
  const { questionSet: name, version, contentHash, plan, questions, configurations } = planned;
  const { first, asked } = await readQuestions(db, planned);
  const counts = await countPlannedPassages(db, configurations);
  const estimates = configurations.map((configuration) => ({
    ...estimate(configuration, planned, asked),
    ...counts.get(configuration.name),
  }));
  return {
    questionSet: { name, version, contentHash },
    questions,
    measures: plan.measures,
    configurations: estimates,
    total: addUp(estimates.map((each) => leaveOutShared(each, plan))),
    probes: request.probe === true && first ? await probeAll(context, planned, first) : null,
  };
}

/**
 * A variant takes its searches and its rewriting from the configuration that it explains. What it alone pays is
 * the re-ranking of candidates that no other variant has.
 */
function leaveOutShared(
  estimated: ConfigurationEstimate,
  { ablations = [] }: EvaluationPlan,
): ConfigurationEstimate {
  const { configuration: name, backend, searches } = estimated;
  const own = ablations
    .flatMap(({ configuration, variants }) => (configuration === name ? [] : variants))
    .find(({ configuration }) => configuration === name);
  if (!own) return estimated;
  const inSearches = searches * traitsOf(backend).modelCallsPerSearch;
  const modelCalls = own.variant === '+rerank' ? estimated.modelCalls - inSearches : 0;
  return { ...estimated, ...nothing, modelCalls };
}

/** The properties of the questions that determine the cost of searches. */
interface AskedCounts {
  /** Number of questions by user; undefined: questions without a user. */
  readonly users: ReadonlyMap<Question['user'], number>;
  /** Of these, how many continue a conversation. */
  readonly followUps: ReadonlyMap<Question['user'], number>;
}

async function readQuestions(
  db: Database,
  planned: PlannedEvaluation,
): Promise<{ readonly first: PositionedQuestion | undefined; readonly asked: AskedCounts }> {
  const users = new Map<Question['user'], number>();
  const followUps = new Map<Question['user'], number>();
  let first: PositionedQuestion | undefined;
  for await (const asked of streamSelected(db, planned)) {
    first ??= asked;
    const { user, history } = asked.question;
    users.set(user, (users.get(user) ?? 0) + 1);
    if (history) followUps.set(user, (followUps.get(user) ?? 0) + 1);
  }
  return { first, asked: { users, followUps } };
}

function estimate(
  { name, configuration }: EvaluationConfiguration,
  { questions, plan }: PlannedEvaluation,
  asked: AskedCounts,
): ConfigurationEstimate {
  const { backend } = configuration;
  const about = { configuration: name, backend };
  if (!isPiped(configuration)) {
    return { ...about, ...nothing, warnings: warnOfPipeline(configuration, asked) };
  }
  const isUnknown = (user: Question['user']) =>
    user !== undefined && !Object.hasOwn(configuration.users, user);
  const unknown = [...asked.users].filter(([user]) => isUnknown(user));
  const unsearched = unknown.reduce((sum, [, count]) => sum + count, 0);
  const followUps = [...asked.followUps].filter(([user]) => !isUnknown(user));
  const { searches, modelCalls } = addPipeline(configuration, {
    questions: questions - unsearched,
    followUps: followUps.reduce((sum, [, count]) => sum + count, 0),
  });
  const unknownUsers = warnIf(unsearched, {
    code: 'unknown-users',
    message: `Questions have users that the configuration does not define (${nameSome(unknown.map(([user]) => user ?? ''))}), and would fail without being searched`,
  });
  const warnings = [...unknownUsers, ...warnOfPipeline(configuration, asked)];
  const traits = describeConfiguration(configuration);
  const { maxChunksPerSearch: chunks } = traits;
  const own = traits.warnings.map((warning) => toWarning(warning, questions));
  const reach = warnOfReach(configuration, findDeepest(resolveMeasures(plan)), questions);
  return {
    ...about,
    searches,
    rerankerCalls: searches * traits.rerankersPerSearch,
    modelCalls: modelCalls + searches * traitsOf(backend).modelCallsPerSearch,
    maxChunks: chunks === null ? null : searches * chunks,
    warnings: orderWarnings([...warnings, ...own, ...reach]),
  };
}

const nothing: Estimate = { searches: 0, rerankerCalls: 0, modelCalls: 0, maxChunks: 0 };

/** Each question is searched once, and again for each version that its pipeline may make. */
function addPipeline(
  { pipeline = {} }: SearchConfiguration,
  { questions, followUps }: { readonly questions: number; readonly followUps: number },
): Pick<Estimate, 'searches' | 'modelCalls'> {
  const plain = estimatePipeline(pipeline, { hasHistory: false });
  const completed = estimatePipeline(pipeline, { hasHistory: true });
  const rest = questions - followUps;
  return {
    searches: rest * plain.searches + followUps * completed.searches,
    modelCalls: rest * plain.modelCalls + followUps * completed.modelCalls,
  };
}

function warnOfPipeline(
  configuration: SearchConfiguration,
  { followUps }: AskedCounts,
): readonly Warning[] {
  const traits = traitsOf(configuration.backend);
  const own = listPipelineWarnings(configuration, traits).map((warning) => toWarning(warning, 0));
  const rewrites = listRewrites(configuration.pipeline ?? {});
  if (followUps.size > 0 || !rewrites.some(({ type }) => type === 'followUp')) return own;
  const message = 'No question has a "history", so "followUp" has no effect';
  return [...own, toWarning({ code: 'pointless-stage', message }, 0)];
}

function addUp(estimates: readonly ConfigurationEstimate[]): Estimate {
  return estimates.reduce<Estimate>(
    (sum, { searches, rerankerCalls, modelCalls, maxChunks }) => ({
      searches: sum.searches + searches,
      rerankerCalls: sum.rerankerCalls + rerankerCalls,
      modelCalls: sum.modelCalls + modelCalls,
      maxChunks: sum.maxChunks === null || maxChunks === null ? null : sum.maxChunks + maxChunks,
    }),
    nothing,
  );
}

async function probeAll(
  { db, retrievers, signal }: DryRunContext,
  { configurations, plan }: PlannedEvaluation,
  first: PositionedQuestion,
): Promise<readonly Probe[]> {
  const measures = resolveMeasures(plan);
  const probes: Probe[] = [];
  for (const { name, configuration } of configurations) {
    const retriever = await retrievers.createRetriever(configuration, tenantOf(db));
    if (!retriever) continue;
    probes.push(
      await probeConfiguration(retriever, first, { name, configuration, measures, signal }),
    );
  }
  return probes;
}
