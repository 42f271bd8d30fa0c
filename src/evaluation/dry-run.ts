import type { Question } from '../ir/question.ts';
import {
  countChunksAtMost,
  listConfigurationWarnings,
  listRoots,
} from '../retrieval/ai-core/configuration-warnings.ts';
import { countRerankers } from '../retrieval/backends/aicore/search-request.ts';
import type { RetrieverRegistry } from '../retrieval/registry.ts';
import type { SearchConfiguration } from '../retrieval/search-configuration.ts';
import type { Database } from '../storage/database.ts';
import type { EvaluationConfiguration } from '../storage/evaluations.ts';
import type { PositionedQuestion } from '../storage/question-sets.ts';
import { tenantOf } from '../storage/tenant-scope.ts';
import { streamSelected } from './asked-questions.ts';
import {
  planEvaluation,
  type EvaluationRequest,
  type PlannedEvaluation,
} from './create-evaluation.ts';
import { probeConfiguration, type Probe } from './probe-configuration.ts';
import { findDeepest } from './ranking-warnings.ts';
import { resolveMeasures } from './resolve-measures.ts';
import { warnOfReach } from './watch-aicore.ts';
import { nameSome, warnIf, type Warning } from './warnings.ts';

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
  readonly backend: string;
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
  const { first, users } = await readQuestions(db, planned);
  const estimates = configurations.map((configuration) => estimate(configuration, planned, users));
  return {
    questionSet: { name, version, contentHash },
    questions,
    measures: plan.measures,
    configurations: estimates,
    total: addUp(estimates),
    probes: request.probe === true && first ? await probeAll(context, planned, first) : null,
  };
}

/** By user, how many questions ask in their name; undefined: in nobody's. */
type UserCounts = ReadonlyMap<Question['user'], number>;

async function readQuestions(
  db: Database,
  planned: PlannedEvaluation,
): Promise<{ readonly first: PositionedQuestion | undefined; readonly users: UserCounts }> {
  const users = new Map<Question['user'], number>();
  let first: PositionedQuestion | undefined;
  for await (const asked of streamSelected(db, planned)) {
    first ??= asked;
    const { user } = asked.question;
    users.set(user, (users.get(user) ?? 0) + 1);
  }
  return { first, users };
}

function estimate(
  { name, body }: EvaluationConfiguration,
  { questions, plan }: PlannedEvaluation,
  users: UserCounts,
): ConfigurationEstimate {
  const configuration = JSON.parse(body) as SearchConfiguration;
  const { backend } = configuration;
  const about = { configuration: name, backend };
  if (configuration.backend === 'run') {
    return { ...about, searches: 0, rerankerCalls: 0, modelCalls: 0, maxChunks: 0, warnings: [] };
  }
  const unknown = [...users].filter(
    ([user]) => user !== undefined && !Object.hasOwn(configuration.users, user),
  );
  const unsearched = unknown.reduce((sum, [, count]) => sum + count, 0);
  const searches = questions - unsearched;
  const warnings = warnIf(unsearched, {
    code: 'unknown-users',
    message: `Questions ask in the name of users that the configuration does not know (${nameSome(unknown.map(([user]) => user ?? ''))}), and would fail unsearched`,
  });
  if (configuration.backend === 'local') {
    return { ...about, searches, rerankerCalls: 0, modelCalls: 0, maxChunks: 0, warnings };
  }
  const chunks = countChunksAtMost(configuration);
  const own = listConfigurationWarnings(configuration).map((warning) => ({
    ...warning,
    questions,
  }));
  const reach = warnOfReach(configuration, findDeepest(resolveMeasures(plan)), questions);
  return {
    ...about,
    searches,
    rerankerCalls: searches * countRerankers(listRoots(configuration)),
    modelCalls: backend === 'orchestration' ? searches : 0,
    maxChunks: chunks === undefined ? null : searches * chunks,
    warnings: [...warnings, ...own, ...reach],
  };
}

function addUp(estimates: readonly ConfigurationEstimate[]): Estimate {
  return estimates.reduce<Estimate>(
    (sum, { searches, rerankerCalls, modelCalls, maxChunks }) => ({
      searches: sum.searches + searches,
      rerankerCalls: sum.rerankerCalls + rerankerCalls,
      modelCalls: sum.modelCalls + modelCalls,
      maxChunks: sum.maxChunks === null || maxChunks === null ? null : sum.maxChunks + maxChunks,
    }),
    { searches: 0, rerankerCalls: 0, modelCalls: 0, maxChunks: 0 },
  );
}

async function probeAll(
  { db, retrievers, signal }: DryRunContext,
  { configurations, plan }: PlannedEvaluation,
  first: PositionedQuestion,
): Promise<readonly Probe[]> {
  const measures = resolveMeasures(plan);
  const probes: Probe[] = [];
  for (const { name, body } of configurations) {
    const configuration = JSON.parse(body) as SearchConfiguration;
    const retriever = await retrievers.createRetriever(configuration, tenantOf(db));
    if (!retriever) continue;
    probes.push(
      await probeConfiguration(retriever, first, { name, configuration, measures, signal }),
    );
  }
  return probes;
}
