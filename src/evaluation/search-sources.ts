import { AppError } from '../errors.ts';
import type { SearchSources } from '../retrieval/registry.ts';
import {
  findCorpus,
  findLexicon,
  streamDocuments,
  type CorpusDocument,
} from '../storage/corpora.ts';
import type { Database } from '../storage/database.ts';
import { findImportedHits } from '../storage/runs.ts';

/** Lets the backends search what the store holds. */
export function createSearchSources(db: Database): SearchSources {
  return {
    async loadCorpus(name) {
      const corpus = await findCorpus(db, name);
      if (!corpus) return undefined;
      const lexicon = (await findLexicon(db, name)) ?? { stopwords: [], concepts: {} };
      const { contentHash } = corpus;
      return { contentHash, lexicon, documents: streamUnchanged(db, name, contentHash) };
    },
    findImportedHits: (run, questionId) => findImportedHits(db, run, questionId),
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
  throw new AppError('conflict', `Corpus '${name}' was changed while it was read`);
}
