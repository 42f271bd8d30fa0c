import type { DocumentIdRule } from './document-id-rule.ts';
import type { HttpConfiguration } from './http-search.ts';
import type { PipelineConfiguration } from './pipeline-configuration.ts';
import type { SearchFilter, UserConditions } from './filters.ts';
import type { PostProcessing } from './post-processing.ts';

/** One way to search: the system under evaluation, as stored. */
export type SearchConfiguration =
  | LocalConfiguration
  | RunConfiguration
  | AiCoreConfiguration
  | OrchestrationConfiguration
  | HttpConfiguration;

export type LocalMethod = 'bm25' | 'vector' | 'hybrid' | 'rerank';

export type Chunking =
  | { readonly strategy: 'whole' | 'sections' }
  | { readonly strategy: 'fixed'; readonly size: number };

/** Searches a corpus in this process. */
export interface LocalConfiguration {
  readonly backend: 'local';
  readonly corpus: string;
  readonly method: LocalMethod;
  readonly chunking: Chunking;
  /** How many of the fused documents the re-ranker sees. */
  readonly candidates: number;
  readonly rrfK: number;
  readonly depth: number;
  readonly filters: readonly SearchFilter[];
  readonly users: Readonly<Record<string, UserConditions>>;
  readonly pipeline?: PipelineConfiguration | undefined;
}

/** Takes the rankings from an imported run. */
export interface RunConfiguration {
  readonly backend: 'run';
  readonly run: string;
  readonly depth: number;
  /** Never rewrites or re-ranks: there is no search and there are no texts. */
  readonly pipeline?: PipelineConfiguration | undefined;
}

/** Searches with the grounding Retrieval API of SAP AI Core. */
export interface AiCoreConfiguration {
  readonly backend: 'aicore';
  readonly resourceGroup: string;
  /** The name of a destination that leads to AI Core; absent: the bound service or the service key. */
  readonly destination?: string | undefined;
  readonly filters: readonly SearchFilter[];
  readonly postProcessing: readonly PostProcessing[];
  readonly documentId: DocumentIdRule | readonly DocumentIdRule[];
  readonly users: Readonly<Record<string, UserConditions>>;
  readonly depth: number;
  readonly pipeline?: PipelineConfiguration | undefined;
}

/** Searches with the grounding module of SAP AI Core's orchestration service, which production answers with. */
export interface OrchestrationConfiguration {
  readonly backend: 'orchestration';
  readonly resourceGroup: string;
  /** As of AiCoreConfiguration. */
  readonly destination?: string | undefined;
  /** The language model that the service insists on asking; one token of its answer is paid. */
  readonly model: string;
  readonly filters: readonly SearchFilter[];
  readonly documentId: DocumentIdRule | readonly DocumentIdRule[];
  readonly users: Readonly<Record<string, UserConditions>>;
  readonly depth: number;
  readonly pipeline?: PipelineConfiguration | undefined;
}

/** The name of a way to search. */
export type BackendName = SearchConfiguration['backend'];

/** The configurations of one backend. */
export type ConfigurationOf<Name extends BackendName> = Extract<
  SearchConfiguration,
  { readonly backend: Name }
>;

/** A configuration that searches for users, so that a pipeline can stand around it. */
export type PipedConfiguration = Extract<
  SearchConfiguration,
  { readonly users: Readonly<Record<string, unknown>> }
>;

export function isPiped(configuration: SearchConfiguration): configuration is PipedConfiguration {
  return 'users' in configuration;
}

/** Whether a search goes to SAP AI Core, and is paid there. */
export function isOfAiCore(
  configuration: SearchConfiguration,
): configuration is Extract<SearchConfiguration, { readonly resourceGroup: string }> {
  return 'resourceGroup' in configuration;
}
