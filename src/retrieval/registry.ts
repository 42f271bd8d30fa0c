import {
  type AiCoreConnection,
  type AiCoreOptions,
  createAiCoreConnection,
  type GateState,
} from './ai-core/connection.ts';
import type { ConfigurationIssue } from './ai-core/configuration-issue.ts';
import { createOrchestrationChatModel } from './ai-core/orchestration/chat-model.ts';
import { createOrchestrationDeployments } from './ai-core/orchestration/deployments.ts';
import type { Allowances } from '../model/allowances.ts';
import { nothingAllowed, reachesAiCore } from './allowances.ts';
import type {
  Backend,
  BackendTraits,
  ConfigurationTraits,
  Searcher,
  SearcherTools,
} from './backend.ts';
import { aiCoreBackend } from './backends/aicore/backend.ts';
import {
  createRepositoryLister,
  type ListRepositories,
} from './backends/aicore/repository-lister.ts';
import {
  createIndexFinder,
  type LoadCorpus,
  type LocalTools,
  localBackend,
} from './backends/local/backend.ts';
import { createLexicalReranker } from './backends/local/lexical-reranker.ts';
import { httpBackend, type HttpTools } from './backends/http/backend.ts';
import { createHttpConnection } from './backends/http/http-connection.ts';
import { type OrchestrationTools, orchestrationBackend } from './backends/orchestration/backend.ts';
import { sqlBackend, type SqlTools } from './backends/sql/backend.ts';
import { createSqlConnection } from './backends/sql/sql-connection.ts';
import { type RunTools, runBackend } from './backends/run/backend.ts';
import { createCrossEncoders } from './cross-encoder/cross-encoders.ts';
import { findObstacle } from './find-obstacle.ts';
import { addPipeline } from './pipeline/add-pipeline.ts';
import type { PipelineTools } from './pipeline/create-pipeline.ts';
import { refuseSearches } from './refuse-searches.ts';
import type { OtherSources } from './other-sources.ts';
import type { Retriever } from './retriever.ts';
import { type SearchListener, watchSearches } from './search-watch.ts';
import {
  type BackendName,
  type ConfigurationOf,
  isPiped,
  type SearchConfiguration,
} from '../model/search-configuration.ts';

export { countPassages } from './backends/local/chunking.ts';

interface BackendTools extends LocalTools, RunTools, OrchestrationTools, HttpTools, SqlTools {}

type Backends = {
  readonly [Name in BackendName]: Backend<ConfigurationOf<Name>, BackendTools>;
};

/** The only list of backends. A new one is a folder and a line here. */
const backends: Backends = {
  local: localBackend,
  run: runBackend,
  aicore: aiCoreBackend,
  orchestration: orchestrationBackend,
  http: httpBackend,
  sql: sqlBackend,
};

/** What holds for every configuration of a backend. */
export function traitsOf(backend: BackendName): BackendTraits {
  return backends[backend].traits;
}

/** What holds for one configuration. */
export function describeConfiguration(configuration: SearchConfiguration): ConfigurationTraits {
  return describeAs(configuration.backend, configuration);
}

/** What is wrong between the parts of a configuration, found before any search is paid for. */
export function findConfigurationIssues(
  configuration: SearchConfiguration,
): readonly ConfigurationIssue[] {
  return findIssuesAs(configuration.backend, configuration);
}

/** Where the backends get what they search. */
export interface SearchSources extends RunTools {
  readonly loadCorpus: LoadCorpus;
  /** What the tenant may use of AI Core. */
  readonly findAllowances: (tenant: string) => Promise<Allowances>;
}

export interface RetrieverRegistry {
  /**
   * Searches what the tenant owns and may use: what it may not use is never called, and every search fails with
   * the reason. Undefined when what the configuration searches is not there any more.
   */
  readonly createRetriever: (
    configuration: SearchConfiguration,
    tenant: string,
  ) => Promise<Retriever | undefined>;
  /** Why this process cannot search that way; undefined: no obstacle is known. Sends no request. */
  readonly findObstacle?: (configuration: SearchConfiguration) => string | undefined;
  /** Whether this process has credentials of its own for AI Core; configurations may bring destinations besides. */
  readonly hasAiCore?: boolean;
  /** Tells of every search that ends from now on. */
  readonly onSearch?: (listener: SearchListener) => void;
  /** How busy the resource groups of AI Core are. */
  readonly listGates?: () => readonly GateState[];
  /**
   * Absent where there is no AI Core. Throws `not-allowed` where the tenant may not use the resource group, and as
   * AiCore says.
   */
  readonly listRepositories?: ListRepositories;
}

/** No way to AI Core. */
const defaultAiCore: AiCoreOptions = { concurrency: 8, timeoutMs: 30_000, attempts: 4 };

/** Makes the retriever of each kind of configuration. The only importer of backends. */
export function createRetrieverRegistry(
  sources: SearchSources,
  aiCoreOptions: AiCoreOptions = defaultAiCore,
  { chatModel, crossEncoderRoot, http, sql }: OtherSources = {},
): RetrieverRegistry {
  const connection = createAiCoreConnection(aiCoreOptions);
  const deployments = createOrchestrationDeployments(connection.clock);
  const crossEncoders = createCrossEncoders(crossEncoderRoot);
  const findIndex = createIndexFinder(sources.loadCorpus);
  const tools = {
    findIndex,
    deployments,
    findImportedHits: sources.findImportedHits,
    http: createHttpConnection(http),
    sql: createSqlConnection(sql),
  };
  const listeners = new Set<SearchListener>();
  const tellAll: SearchListener = (event) => listeners.forEach((tell) => tell(event));

  /** For the searches of one retriever. */
  function createTools(own: AiCoreConnection, searcher: Searcher): PipelineTools {
    return {
      chatModel: chatModel ?? createOrchestrationChatModel(own, deployments),
      createLexicalReranker: searcher.createLexicalReranker ?? (() => createLexicalReranker()),
      createCrossEncoder: ({ model }) => crossEncoders.createReranker(model),
    };
  }

  return {
    async createRetriever(configuration, tenant) {
      const isRemote = reachesAiCore(configuration);
      const allowances = isRemote ? await sources.findAllowances(tenant) : nothingAllowed;
      const { backend } = configuration;
      const own = connection.restrictTo(allowances);
      const ownTools = { ...tools, tenant, connection: own };
      const searcher = await createSearcherAs(backend, configuration, ownTools);
      if (!searcher) return undefined;
      const retriever = addPipeline(searcher.retriever, configuration, createTools(own, searcher));
      const allowed = refuseSearches(retriever, configuration, allowances);
      return {
        ...watchSearches(allowed, backend, tellAll),
        mayBeRefused: mayBeRefused(configuration),
      };
    },
    onSearch: (listener) => void listeners.add(listener),
    listGates: connection.listGates,
    findObstacle(configuration) {
      const { findObstacle: findWayObstacle = connection.findObstacle } = chatModel ?? {};
      return findObstacle(configuration, { connection, findWayObstacle, crossEncoders });
    },
    hasAiCore: aiCoreOptions.serviceKey !== undefined,
    listRepositories: createRepositoryLister(connection, sources.findAllowances),
  };
}

// The type parameter ties a configuration to its backend, which a union cannot.

function describeAs<Name extends BackendName>(name: Name, configuration: ConfigurationOf<Name>) {
  return backends[name].describe(configuration);
}

function findIssuesAs<Name extends BackendName>(name: Name, configuration: ConfigurationOf<Name>) {
  return backends[name].findIssues(configuration);
}

function createSearcherAs<Name extends BackendName>(
  name: Name,
  configuration: ConfigurationOf<Name>,
  tools: BackendTools & SearcherTools,
) {
  return backends[name].createSearcher(configuration, tools);
}

/** Whether another service is asked for searches, or AI Core may be for models. */
function mayBeRefused(configuration: SearchConfiguration): boolean {
  const { isRemote } = traitsOf(configuration.backend);
  return isRemote || (isPiped(configuration) && configuration.pipeline !== undefined);
}
