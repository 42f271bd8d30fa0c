import type { Chunking, SearchConfiguration } from '../model/search-configuration.ts';
import type { AiCoreConnection } from './ai-core/connection.ts';
import type { ConfigurationIssue } from './ai-core/configuration-issue.ts';
import type { WarningText } from '../model/warnings.ts';
import type { Reranker } from './pipeline/reranker.ts';
import type { Retriever } from './retriever.ts';

/**
 * All that the service knows of one backend. It is in the backend's folder, and the registry has a line for it;
 * no other code tests for the name of a backend.
 */
export interface Backend<Configuration extends SearchConfiguration, Tools> {
  readonly traits: BackendTraits;
  readonly describe: (configuration: Configuration) => ConfigurationTraits;
  /** What is wrong between the parts of a configuration. Checked when it is received. */
  readonly findIssues: (configuration: Configuration) => readonly ConfigurationIssue[];
  /** Undefined when what the configuration searches does not exist any more. */
  readonly createSearcher: (
    configuration: Configuration,
    tools: Tools & SearcherTools,
  ) => Promise<Searcher | undefined>;
}

/** What holds for every configuration of a backend. */
export interface BackendTraits {
  /** Whether questions are searched, which takes time and is counted. False: their rankings are looked up. */
  readonly isSearched: boolean;
  /** Whether every search is sent to another service, which may refuse it. */
  readonly isRemote: boolean;
  /** Whether hits have scores. */
  readonly hasScores: boolean;
  /** Whether the lexical re-ranker has a lexicon and the whole text of a document. */
  readonly hasLexicon: boolean;
  /** Whether a rule of the configuration reads the document id from a chunk. */
  readonly needsDocumentId: boolean;
  /** Calls of language models that each search makes by itself, without those of a pipeline. */
  readonly modelCallsPerSearch: number;
}

/** What holds for one configuration of a backend. */
export interface ConfigurationTraits {
  /** The stored corpus or run that is searched; null: another service holds what is searched. */
  readonly input: { readonly kind: 'corpus' | 'run'; readonly name: string } | null;
  /** How this service cuts the corpus into passages; null: it cuts nothing. */
  readonly cut: { readonly corpus: string; readonly chunking: Chunking } | null;
  /** Calls of re-ranking models that each search makes, without those of a pipeline. */
  readonly rerankersPerSearch: number;
  /** Chunks that AI Core returns for one search at most; null: not bounded. */
  readonly maxChunksPerSearch: number | null;
  readonly reach: Reach;
  /** Whether the search itself may have read the history of a question. */
  readonly readsHistory: boolean;
  /** What is allowed and will probably not do what was meant. */
  readonly warnings: readonly WarningText[];
  /** Fields of the filters that the search does not act on. */
  readonly ignoredFilterFields: readonly string[];
}

/** How long a ranking can be. */
export interface Reach {
  /** Undefined: the configuration does not bound it. */
  readonly documents: number | undefined;
  /** Whether an operation after the filters decides it. */
  readonly isSetByOperation: boolean;
}

/** For the searches of one tenant. */
export interface SearcherTools {
  readonly tenant: string;
  readonly connection: AiCoreConnection;
}

export interface Searcher {
  readonly retriever: Retriever;
  /** Absent: the backend has no lexicon. */
  readonly createLexicalReranker?: (() => Reranker) | undefined;
}
