import { createLanguageAnalyzer } from '../../analysis/language-analyzer.ts';
import type { LocalConfiguration } from '../../../model/search-configuration.ts';
import type { Backend } from '../../backend.ts';
import { listIgnoredFilterFields } from './ignored-filter-fields.ts';
import { createLexicalReranker } from './lexical-reranker.ts';
import type { Lexicon } from './lexicon.ts';
import type { LocalDocument } from './local-document.ts';
import { buildLocalIndex, type LocalIndex } from './local-index.ts';
import { createLocalRetriever } from './local-retriever.ts';

export interface LocalTools {
  readonly findIndex: FindIndex;
}

/** Searches a corpus in this process. */
export const localBackend: Backend<LocalConfiguration, LocalTools> = {
  traits: {
    isSearched: true,
    isRemote: false,
    hasScores: true,
    hasLexicon: true,
    needsDocumentId: false,
    modelCallsPerSearch: 0,
  },
  describe: ({ corpus, chunking, filters }) => ({
    input: { kind: 'corpus', name: corpus },
    cut: { corpus, chunking },
    rerankersPerSearch: 0,
    maxChunksPerSearch: 0,
    reach: { documents: undefined, isSetByOperation: false },
    readsHistory: false,
    warnings: [],
    ignoredFilterFields: listIgnoredFilterFields(filters),
  }),
  findIssues: () => [],
  async createSearcher(configuration, { tenant, findIndex }) {
    const index = await findIndex(configuration, tenant);
    if (!index) return undefined;
    return {
      retriever: createLocalRetriever(index, configuration),
      createLexicalReranker: () => createLexicalReranker(index),
    };
  },
};

/** Undefined when the tenant has no such corpus. */
export type LoadCorpus = (tenant: string, name: string) => Promise<LoadedCorpus | undefined>;

export interface LoadedCorpus {
  readonly contentHash: string;
  readonly lexicon: Lexicon;
  readonly documents: AsyncIterable<LocalDocument>;
}

export type FindIndex = (
  configuration: LocalConfiguration,
  tenant: string,
) => Promise<LocalIndex | undefined>;

/** Indexes that are kept ready: the methods of one comparison share one. */
const keptIndexes = 4;

/** Keeps the indexes that were used last. */
export function createIndexFinder(loadCorpus: LoadCorpus): FindIndex {
  const indexes = new Map<string, Promise<LocalIndex>>();
  return async ({ corpus, chunking, analyzer: language = 'plain' }, tenant) => {
    const loaded = await loadCorpus(tenant, corpus);
    if (!loaded) return undefined;
    // Tenants with equal corpora share an index: it holds nothing that each of them does not own.
    const key = JSON.stringify([loaded.contentHash, chunking, language]);
    const { documents, lexicon } = loaded;
    const analyzer = language === 'plain' ? undefined : createLanguageAnalyzer(language);
    const index = indexes.get(key) ?? buildLocalIndex(documents, { lexicon, chunking, analyzer });
    remember(indexes, key, index);
    return index;
  };
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
