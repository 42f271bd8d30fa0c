import { AppError } from '../../errors.ts';
import type { SearchSources } from '../../retrieval/registry.ts';
import { findAllowances } from '../../storage/catalog/allowances.ts';
import {
  findCorpus,
  findLexicon,
  streamDocuments,
  type CorpusDocument,
} from '../../storage/catalog/corpora.ts';
import type { Database } from '../../storage/database/database.ts';
import { findImportedHits } from '../../storage/catalog/runs.ts';
import { scopeToTenant } from '../../storage/database/tenant-scope.ts';

/** Lets the backends search what the store holds for a tenant. */
export function createSearchSources(store: Database): SearchSources {
  return {
    async loadCorpus(tenant, name) {
      const db = scopeToTenant(store, tenant);
      const corpus = await findCorpus(db, name);
      if (!corpus) return undefined;
      const lexicon = (await findLexicon(db, name)) ?? { stopwords: [], concepts: {} };
      const { contentHash } = corpus;
      return { contentHash, lexicon, documents: streamUnchanged(db, name, contentHash) };
    },
    findImportedHits: (tenant, run, questionId) =>
      findImportedHits(scopeToTenant(store, tenant), run, questionId),
    findAllowances: (tenant) => findAllowances(scopeToTenant(store, tenant)),
  };
}

/** Throws `conflict` at the end when the corpus was replaced while it was read. */
async function* streamUnchanged(
  db: Database,
  name: string,
  contentHash: string,
): AsyncGenerator<CorpusDocument> {
  yield* streamDocuments(db, name);
  const corpus = await findCorpus(db, name);
  if (corpus?.contentHash === contentHash) return;
  throw new AppError('conflict', `Corpus '${name}' changed while it was being read`);
}
