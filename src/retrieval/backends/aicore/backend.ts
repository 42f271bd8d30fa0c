import type { AiCoreConfiguration } from '../../../model/search-configuration.ts';
import {
  countChunksAtMost,
  findReach,
  listConfigurationWarnings,
} from '../../ai-core/configuration-warnings.ts';
import type { Backend } from '../../backend.ts';
import { createAiCore } from './ai-core.ts';
import { findConfigurationIssues } from './configuration-issues.ts';
import { countRerankers } from './search-request.ts';

/** Searches with the grounding Retrieval API of SAP AI Core. */
export const aiCoreBackend: Backend<AiCoreConfiguration, unknown> = {
  traits: {
    isSearched: true,
    isRemote: true,
    hasScores: true,
    hasLexicon: false,
    needsDocumentId: true,
    modelCallsPerSearch: 0,
  },
  describe: (configuration) => ({
    input: null,
    cut: null,
    rerankersPerSearch: countRerankers(configuration.postProcessing),
    maxChunksPerSearch: countChunksAtMost(configuration) ?? null,
    reach: {
      documents: findReach(configuration),
      isSetByOperation: configuration.postProcessing.length > 0,
    },
    readsHistory: false,
    warnings: listConfigurationWarnings(configuration),
    ignoredFilterFields: [],
  }),
  findIssues: findConfigurationIssues,
  async createSearcher(configuration, { connection }) {
    return { retriever: createAiCore(connection).createRetriever(configuration) };
  },
};
