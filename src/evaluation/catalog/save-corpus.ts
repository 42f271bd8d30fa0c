import { AppError, NotFoundError } from '../../errors.ts';
import { recordChange } from '../../storage/monitoring/audit.ts';
import { lockCatalog } from '../../storage/database/catalog-lock.ts';
import {
  deleteCorpus,
  findCorpus,
  replaceCorpus,
  type Corpus,
  type CorpusDocument,
  type CorpusDocumentRecord,
  type CorpusLexicon,
} from '../../storage/catalog/corpora.ts';
import type { Database } from '../../storage/database/database.ts';
import {
  findUnfinishedReader,
  type SearchInput,
} from '../../storage/evaluations/evaluation-configurations.ts';
import { hashJson, hashUnordered } from '../../model/hash-content.ts';
import { stateOfCorpus } from './entity-states.ts';
import { noPrecondition, type Precondition } from './precondition.ts';

export function toDocumentRecord(document: CorpusDocument): CorpusDocumentRecord {
  return { id: document.id, body: JSON.stringify(document) };
}

/** Replaces a corpus whole, or finds that it holds just that. Refused while an evaluation searches it. */
export async function saveCorpus(
  db: Database,
  name: string,
  content: {
    readonly lexicon: CorpusLexicon | null;
    readonly documents: readonly CorpusDocumentRecord[];
    readonly now: string;
    readonly precondition?: Precondition;
  },
): Promise<{ readonly corpus: Corpus; readonly isNew: boolean }> {
  const corpus = {
    name,
    contentHash: hashUnordered([
      hashJson(sortLexicon(content.lexicon)),
      ...content.documents.map(({ body }) => hashJson(body)),
    ]),
    documents: content.documents.length,
    updatedAt: content.now,
  };
  return db.transaction().execute(async (trx) => {
    await lockCatalog(trx, 'exclusive');
    const stored = await findCorpus(trx, name);
    content.precondition?.(stored && stateOfCorpus(stored));
    if (stored?.contentHash === corpus.contentHash) return { corpus: stored, isNew: false };
    await refuseWhileRead(trx, { kind: 'corpus', name });
    await replaceCorpus(trx, corpus, content);
    const hashes = { before: stored?.contentHash ?? null, after: corpus.contentHash };
    await recordChange(trx, { at: content.now, kind: 'corpus', name, ...hashes });
    return { corpus, isNew: true };
  });
}

export async function removeCorpus(
  db: Database,
  name: string,
  now: string,
  precondition: Precondition = noPrecondition,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockCatalog(trx, 'exclusive');
    const stored = await findCorpus(trx, name);
    precondition(stored && stateOfCorpus(stored));
    await refuseWhileRead(trx, { kind: 'corpus', name });
    if (!stored) throw new NotFoundError('Corpus', name);
    await deleteCorpus(trx, name);
    const hashes = { before: stored.contentHash, after: null };
    await recordChange(trx, { at: now, kind: 'corpus', name, ...hashes });
  });
}

/** What is searched must not change under an evaluation: its first half would be measured on other documents. */
export async function refuseWhileRead(
  db: Database,
  input: Pick<SearchInput, 'kind' | 'name'>,
): Promise<void> {
  const reader = await findUnfinishedReader(db, input);
  if (reader === undefined) return;
  const message = `Evaluation ${reader} is searching ${input.kind} '${input.name}'; wait until it ends or cancel it`;
  throw new AppError('conflict', message);
}

function sortLexicon(lexicon: CorpusLexicon | null): unknown {
  if (!lexicon) return null;
  const concepts = Object.entries(lexicon.concepts).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [lexicon.stopwords, concepts];
}
