import { z } from 'zod';

import type { Immutable } from '../../model/immutable.ts';
import type { Database } from '../database/database.ts';
import { inBatches } from '../database/in-batches.ts';
import { parseStored } from '../database/parse-stored.ts';
import { listByName, type Page, type PageRequest } from '../database/paging.ts';

export interface Corpus {
  readonly name: string;
  readonly contentHash: string;
  readonly documents: number;
  readonly updatedAt: string;
}

/** A document as the local backend indexes it. */
const CorpusDocument = z.object({
  id: z.string(),
  title: z.string(),
  paragraphs: z.array(z.string()),
  metadata: z.record(z.string(), z.array(z.string())).optional(),
  /** One entry a paragraph. */
  chunkMetadata: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  version: z.string().optional(),
});
export type CorpusDocument = Immutable<z.infer<typeof CorpusDocument>>;

const CorpusLexicon = z.object({
  stopwords: z.array(z.string()),
  concepts: z.record(z.string(), z.array(z.string())),
});
export type CorpusLexicon = Immutable<z.infer<typeof CorpusLexicon>>;

export interface CorpusDocumentRecord {
  readonly id: string;
  /** JSON: CorpusDocument. */
  readonly body: string;
}

export async function findCorpus(db: Database, name: string): Promise<Corpus | undefined> {
  const row = await selectCorpora(db).where('name', '=', name).executeTakeFirst();
  return row;
}

export async function listCorpora(db: Database, page: PageRequest): Promise<Page<Corpus>> {
  return listByName(selectCorpora(db), page, (row) => row);
}

export async function findLexicon(db: Database, name: string): Promise<CorpusLexicon | null> {
  const row = await db
    .selectFrom('corpus')
    .where('name', '=', name)
    .select('lexicon')
    .executeTakeFirst();
  const place = { table: 'corpus', column: 'lexicon', row: name } as const;
  return row?.lexicon ? parseStored(CorpusLexicon, row.lexicon, place) : null;
}

export async function findDocument(
  db: Database,
  corpus: string,
  id: string,
): Promise<CorpusDocument | undefined> {
  const row = await db
    .selectFrom('corpus_document')
    .where('corpus', '=', corpus)
    .where('document_id', '=', id)
    .select('body')
    .executeTakeFirst();
  const place = { table: 'corpus_document', column: 'body', row: `${corpus}/${id}` } as const;
  return row && parseStored(CorpusDocument, row.body, place);
}

/** Every document in the order it was put in, read in batches. */
export async function* streamDocuments(
  db: Database,
  corpus: string,
  batchSize = 500,
): AsyncGenerator<CorpusDocument> {
  let after = -1;
  for (;;) {
    const rows = await db
      .selectFrom('corpus_document')
      .where('corpus', '=', corpus)
      .where('position', '>', after)
      .orderBy('position')
      .limit(batchSize)
      .select(['position', 'body'])
      .execute();
    for (const { position, body } of rows) {
      const place = { table: 'corpus_document', column: 'body' } as const;
      yield parseStored(CorpusDocument, body, { ...place, row: `${corpus}/${position}` });
    }
    const last = rows.at(-1);
    if (rows.length < batchSize || last === undefined) return;
    after = last.position;
  }
}

export async function replaceCorpus(
  trx: Database,
  corpus: Corpus,
  content: {
    readonly lexicon: CorpusLexicon | null;
    readonly documents: readonly CorpusDocumentRecord[];
  },
): Promise<void> {
  await deleteCorpus(trx, corpus.name);
  await trx
    .insertInto('corpus')
    .values({
      name: corpus.name,
      content_hash: corpus.contentHash,
      documents: corpus.documents,
      lexicon: content.lexicon && JSON.stringify(content.lexicon),
      updated_at: corpus.updatedAt,
    })
    .execute();
  const rows = content.documents.map(({ id, body }, position) => ({
    corpus: corpus.name,
    document_id: id,
    position,
    body,
  }));
  await inBatches(rows, (batch) => trx.insertInto('corpus_document').values(batch).execute());
}

export async function deleteCorpus(trx: Database, name: string): Promise<boolean> {
  const result = await trx.deleteFrom('corpus').where('name', '=', name).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

function selectCorpora(db: Database) {
  return db
    .selectFrom('corpus')
    .select(['name', 'content_hash as contentHash', 'documents', 'updated_at as updatedAt']);
}
