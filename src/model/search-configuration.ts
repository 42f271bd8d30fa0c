import { z } from 'zod';

import { DocumentIdRule } from './document-id-rule.ts';
import { SearchFilter, UserConditions } from './filters.ts';
import { HttpConfiguration } from './http-search.ts';
import type { Immutable } from './immutable.ts';
import { PipelineConfiguration } from './pipeline-configuration.ts';
import { PostProcessing } from './post-processing.ts';
import { SqlConfiguration } from './sql-search.ts';

const LocalMethod = z.enum(['bm25', 'vector', 'hybrid', 'rerank']);
export type LocalMethod = z.infer<typeof LocalMethod>;

/** How texts become the terms of BM25. */
const LocalAnalyzer = z.enum(['plain', 'english', 'german']);

const Chunking = z.discriminatedUnion('strategy', [
  z.object({ strategy: z.enum(['whole', 'sections']) }),
  z.object({ strategy: z.literal('fixed'), size: z.number() }),
]);
export type Chunking = Immutable<z.infer<typeof Chunking>>;

/** What every configuration that searches has. */
const searchFields = {
  filters: z.array(SearchFilter),
  users: z.record(z.string(), UserConditions),
  depth: z.number(),
  pipeline: PipelineConfiguration.optional(),
};

/** Searches a corpus in this process. */
const LocalConfiguration = z.object({
  backend: z.literal('local'),
  corpus: z.string(),
  method: LocalMethod,
  chunking: Chunking,
  /** How many of the fused documents the re-ranker sees. */
  candidates: z.number(),
  rrfK: z.number(),
  /** Absent: `plain`. */
  analyzer: LocalAnalyzer.optional(),
  /** Of BM25; absent: 1.5 and 0.75. */
  k1: z.number().optional(),
  b: z.number().optional(),
  ...searchFields,
});
export type LocalConfiguration = Immutable<z.infer<typeof LocalConfiguration>>;

/** Takes the rankings from an imported run. */
const RunConfiguration = z.object({
  backend: z.literal('run'),
  run: z.string(),
  depth: z.number(),
  /** Never rewrites or re-ranks: there is no search and there are no texts. */
  pipeline: PipelineConfiguration.optional(),
});
export type RunConfiguration = Immutable<z.infer<typeof RunConfiguration>>;

const DocumentIdRules = z.union([DocumentIdRule, z.array(DocumentIdRule)]);

/** Searches with the grounding Retrieval API of SAP AI Core. */
const AiCoreConfiguration = z.object({
  backend: z.literal('aicore'),
  resourceGroup: z.string(),
  /** The name of a destination that leads to AI Core; absent: the bound service or the service key. */
  destination: z.string().optional(),
  postProcessing: z.array(PostProcessing),
  documentId: DocumentIdRules,
  ...searchFields,
});
export type AiCoreConfiguration = Immutable<z.infer<typeof AiCoreConfiguration>>;

/** Searches with the grounding module of SAP AI Core's orchestration service, which production answers with. */
const OrchestrationConfiguration = z.object({
  backend: z.literal('orchestration'),
  resourceGroup: z.string(),
  /** As of AiCoreConfiguration. */
  destination: z.string().optional(),
  /** The language model that the service insists on asking; one token of its answer is paid. */
  model: z.string(),
  documentId: DocumentIdRules,
  ...searchFields,
});
export type OrchestrationConfiguration = Immutable<z.infer<typeof OrchestrationConfiguration>>;

/** One way to search: the system under evaluation, as stored. */
export const SearchConfiguration = z.discriminatedUnion('backend', [
  LocalConfiguration,
  RunConfiguration,
  AiCoreConfiguration,
  OrchestrationConfiguration,
  HttpConfiguration,
  SqlConfiguration,
]);
export type SearchConfiguration =
  | LocalConfiguration
  | RunConfiguration
  | AiCoreConfiguration
  | OrchestrationConfiguration
  | HttpConfiguration
  | SqlConfiguration;

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
