import {
  type AiCoreConnection,
  type AiCoreOptions,
  createAiCoreConnection,
  type GateState,
  type SharedConnection,
} from './ai-core/connection.ts';
import { AppError } from '../errors.ts';
import {
  type Allowances,
  explainRefusals,
  findWayRefusal,
  nothingAllowed,
  reachesAiCore,
  type Refusal,
} from './allowances.ts';
import { type AiCore, createAiCore, type RepositoryRequest } from './backends/aicore/ai-core.ts';
import { createOrchestrationChatModel } from './ai-core/orchestration/chat-model.ts';
import { createOrchestrationDeployments } from './ai-core/orchestration/deployments.ts';
import { createImportedRunRetriever, type FindImportedHits } from './backends/imported-run.ts';
import type { CompiledLexicon, Lexicon } from './backends/local/lexicon.ts';
import type { LocalDocument } from './backends/local/local-document.ts';
import { createLexicalReranker } from './backends/local/lexical-reranker.ts';
import { buildLocalIndex, type LocalIndex } from './backends/local/local-index.ts';
import { createLocalRetriever } from './backends/local/local-retriever.ts';
import { createOrchestrationRetriever } from './backends/orchestration/orchestration-retriever.ts';
import type { ChatModel } from './chat-model.ts';
import { type CrossEncoders, createCrossEncoders } from './cross-encoder/cross-encoders.ts';
import {
  createPipelineStages,
  listCrossEncoders,
  listModelAccess,
  type PipedConfiguration,
  type PipelineTools,
} from './pipeline/create-pipeline.ts';
import { createPipelineRetriever } from './pipeline/pipeline-retriever.ts';
import { refuseSearches } from './refuse-searches.ts';
import type { Retriever } from './retriever.ts';
import { type SearchListener, watchSearches } from './search-watch.ts';
import {
  isOfAiCore,
  type LocalConfiguration,
  type SearchConfiguration,
} from '../model/search-configuration.ts';

/** Where the backends get what they search. */
export interface SearchSources {
  /** Undefined when the tenant has no such corpus. */
  readonly loadCorpus: (tenant: string, name: string) => Promise<LoadedCorpus | undefined>;
  readonly findImportedHits: (
    tenant: string,
    run: string,
    ...rest: Parameters<FindImportedHits>
  ) => ReturnType<FindImportedHits>;
  /** What the tenant may use of AI Core. */
  readonly findAllowances: (tenant: string) => Promise<Allowances>;
}

export interface LoadedCorpus {
  readonly contentHash: string;
  readonly lexicon: Lexicon;
  readonly documents: AsyncIterable<LocalDocument>;
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
  /** Why this process cannot search that way; undefined: nothing is known against it. Calls nobody. */
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
  readonly listRepositories?: (
    request: RepositoryRequest,
    tenant: string,
    signal: AbortSignal,
  ) => ReturnType<AiCore['listRepositories']>;
}

/** The models that stages of pipelines ask. */
export interface ModelSources {
  /** In place of those of the orchestration service. */
  readonly chatModel?: ChatModel | undefined;
  /** The folder that holds the folders of cross-encoders; absent: there are none. */
  readonly crossEncoderRoot?: string | undefined;
}

/** Indexes that are kept ready: the methods of one comparison share one. */
const keptIndexes = 4;

/** What holds without any settings: no way to AI Core. */
const defaultAiCore: AiCoreOptions = { concurrency: 8, timeoutMs: 30_000, attempts: 4 };

/** Makes the retriever of each kind of configuration. The only importer of backends. */
export function createRetrieverRegistry(
  sources: SearchSources,
  aiCoreOptions: AiCoreOptions = defaultAiCore,
  { chatModel, crossEncoderRoot }: ModelSources = {},
): RetrieverRegistry {
  const connection = createAiCoreConnection(aiCoreOptions);
  const deployments = createOrchestrationDeployments(connection.clock);
  const crossEncoders = createCrossEncoders(crossEncoderRoot);
  const findIndex = createIndexFinder(sources);
  const listeners = new Set<SearchListener>();
  const tellAll: SearchListener = (event) => listeners.forEach((tell) => tell(event));

  /** For the searches of one retriever. */
  function createTools(own: AiCoreConnection, lexicon?: CompiledLexicon): PipelineTools {
    return {
      chatModel: chatModel ?? createOrchestrationChatModel(own, deployments),
      createLexicalReranker: () => createLexicalReranker(lexicon),
      createCrossEncoder: ({ model }) => crossEncoders.createReranker(model),
    };
  }

  async function createRetriever(
    configuration: SearchConfiguration,
    tenant: string,
    own: AiCoreConnection,
  ): Promise<Retriever | undefined> {
    if (configuration.backend === 'run') {
      const { run } = configuration;
      return createImportedRunRetriever((id) => sources.findImportedHits(tenant, run, id));
    }
    if (isOfAiCore(configuration)) {
      const retriever =
        configuration.backend === 'aicore'
          ? createAiCore(own).createRetriever(configuration)
          : createOrchestrationRetriever(configuration, own, deployments);
      return addPipeline(retriever, configuration, createTools(own));
    }
    const index = await findIndex(configuration, tenant);
    if (!index) return undefined;
    const retriever = createLocalRetriever(index, configuration);
    return addPipeline(retriever, configuration, createTools(own, index.lexicon));
  }

  return {
    async createRetriever(configuration, tenant) {
      const isRemote = reachesAiCore(configuration);
      const allowances = isRemote ? await sources.findAllowances(tenant) : nothingAllowed;
      const own = connection.restrictTo(allowances);
      const retriever = await createRetriever(configuration, tenant, own);
      if (!retriever) return undefined;
      const allowed = refuseSearches(retriever, configuration, allowances);
      const watched = watchSearches(allowed, configuration.backend, tellAll);
      return { ...watched, mayBeRefused: mayBeRefused(configuration) };
    },
    onSearch: (listener) => void listeners.add(listener),
    listGates: connection.listGates,
    findObstacle(configuration) {
      const { findObstacle: findWayObstacle = connection.findObstacle } = chatModel ?? {};
      return findObstacle(configuration, { connection, findWayObstacle, crossEncoders });
    },
    hasAiCore: aiCoreOptions.serviceKey !== undefined,
    listRepositories: createRepositoryLister(connection, sources),
  };
}

function createRepositoryLister(
  connection: SharedConnection,
  { findAllowances }: SearchSources,
): NonNullable<RetrieverRegistry['listRepositories']> {
  return async (request, tenant, signal) => {
    const allowances = await findAllowances(tenant);
    const refusal = findWayRefusal(request, allowances);
    if (refusal) throw toNotAllowedError(refusal, allowances);
    return createAiCore(connection.restrictTo(allowances)).listRepositories(request, signal);
  };
}

function toNotAllowedError(refusal: Refusal, allowances: Allowances): AppError {
  const errors = [{ pointer: ['/query', ...refusal.path].join('/'), detail: refusal.detail }];
  const message = explainRefusals([refusal], allowances);
  return new AppError('not-allowed', message, { details: { errors } });
}

type FindIndex = (
  configuration: LocalConfiguration,
  tenant: string,
) => Promise<LocalIndex | undefined>;

/** Keeps the indexes that were used last. */
function createIndexFinder(sources: SearchSources): FindIndex {
  const indexes = new Map<string, Promise<LocalIndex>>();
  return async ({ corpus, chunking }, tenant) => {
    const loaded = await sources.loadCorpus(tenant, corpus);
    if (!loaded) return undefined;
    // Tenants with equal corpora share an index: it holds nothing that each of them does not own.
    const key = JSON.stringify([loaded.contentHash, chunking]);
    const { documents, lexicon } = loaded;
    const index = indexes.get(key) ?? buildLocalIndex(documents, { lexicon, chunking });
    remember(indexes, key, index);
    return index;
  };
}

/** Whether AI Core is asked for searches, or may be for models. */
function mayBeRefused(configuration: SearchConfiguration): boolean {
  if (configuration.backend === 'run') return false;
  return configuration.backend !== 'local' || configuration.pipeline !== undefined;
}

interface Reach {
  readonly connection: SharedConnection;
  readonly findWayObstacle: NonNullable<ChatModel['findObstacle']>;
  readonly crossEncoders: CrossEncoders;
}

function findObstacle(
  configuration: SearchConfiguration,
  { connection, findWayObstacle, crossEncoders }: Reach,
): string | undefined {
  if (configuration.backend === 'run') return undefined;
  const { pipeline = {} } = configuration;
  const obstacles = [
    isOfAiCore(configuration) ? connection.findObstacle(configuration) : undefined,
    ...listModelAccess(configuration, pipeline).map((way) => findWayObstacle(way)),
    ...listCrossEncoders(pipeline).map((name) => crossEncoders.findObstacle(name)),
  ];
  return obstacles.find((found) => found !== undefined);
}

function addPipeline(
  retriever: Retriever,
  configuration: PipedConfiguration,
  tools: PipelineTools,
): Retriever {
  const { pipeline } = configuration;
  if (!pipeline) return retriever;
  return createPipelineRetriever(retriever, createPipelineStages(configuration, pipeline, tools));
}

function remember(
  indexes: Map<string, Promise<LocalIndex>>,
  key: string,
  index: Promise<LocalIndex>,
): void {
  indexes.delete(key);
  indexes.set(key, index);
  index.catch(() => indexes.delete(key));
  const [oldest] = indexes.keys();
  if (indexes.size > keptIndexes && oldest !== undefined) indexes.delete(oldest);
}
