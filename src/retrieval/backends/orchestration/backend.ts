import type { OrchestrationConfiguration } from '../../../model/search-configuration.ts';
import {
  countChunksAtMost,
  findReach,
  listConfigurationWarnings,
} from '../../ai-core/configuration-warnings.ts';
import type { OrchestrationDeployments } from '../../ai-core/orchestration/deployments.ts';
import type { Backend } from '../../backend.ts';
import { findConfigurationIssues } from './configuration-issues.ts';
import { createOrchestrationRetriever } from './orchestration-retriever.ts';

export interface OrchestrationTools {
  readonly deployments: OrchestrationDeployments;
}

/** Searches with the grounding module of SAP AI Core's orchestration service. */
export const orchestrationBackend: Backend<OrchestrationConfiguration, OrchestrationTools> = {
  traits: {
    isSearched: true,
    isRemote: true,
    hasScores: false,
    hasLexicon: false,
    needsDocumentId: true,
    modelCallsPerSearch: 1,
  },
  describe: (configuration) => ({
    input: null,
    cut: null,
    rerankersPerSearch: 0,
    maxChunksPerSearch: countChunksAtMost(configuration) ?? null,
    reach: { documents: findReach(configuration), isSetByOperation: false },
    readsHistory: false,
    warnings: listConfigurationWarnings(configuration),
    ignoredFilterFields: [],
  }),
  findIssues: findConfigurationIssues,
  async createSearcher(configuration, { connection, deployments }) {
    return { retriever: createOrchestrationRetriever(configuration, connection, deployments) };
  },
};
