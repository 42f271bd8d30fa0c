import type { RunConfiguration } from '../../../model/search-configuration.ts';
import type { Backend } from '../../backend.ts';
import { createImportedRunRetriever, type FindImportedHits } from './imported-run.ts';

export interface RunTools {
  readonly findImportedHits: (
    tenant: string,
    run: string,
    ...rest: Parameters<FindImportedHits>
  ) => ReturnType<FindImportedHits>;
}

/** Looks rankings up in an imported run. */
export const runBackend: Backend<RunConfiguration, RunTools> = {
  traits: {
    isSearched: false,
    isRemote: false,
    hasScores: true,
    hasLexicon: false,
    needsDocumentId: false,
    modelCallsPerSearch: 0,
  },
  describe: ({ run }) => ({
    input: { kind: 'run', name: run },
    cut: null,
    rerankersPerSearch: 0,
    maxChunksPerSearch: 0,
    reach: { documents: undefined, isSetByOperation: false },
    readsHistory: true,
    warnings: [],
    ignoredFilterFields: [],
  }),
  findIssues: () => [],
  async createSearcher({ run }, { tenant, findImportedHits }) {
    return { retriever: createImportedRunRetriever((id) => findImportedHits(tenant, run, id)) };
  },
};
