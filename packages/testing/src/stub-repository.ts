import { splitDocument } from '../../../src/retrieval/backends/local/chunking.ts';
import type { Lexicon } from '../../../src/retrieval/backends/local/lexicon.ts';
import type { LocalDocument } from '../../../src/retrieval/backends/local/local-document.ts';
import {
  buildLocalIndex,
  type LocalIndex,
} from '../../../src/retrieval/backends/local/local-index.ts';
import {
  type Bm25Reading,
  readForBm25,
} from '../../../src/retrieval/backends/local/score-chunks.ts';
import { defaultBm25 } from '../../../src/retrieval/backends/local/similarity.ts';
import type { Metadata } from '../../../src/retrieval/match-filter.ts';
import type { Chunking } from '../../../src/model/search-configuration.ts';
import { deriveUuid } from './derive-uuid.ts';

/** A data repository with what is in it. */
export interface StubRepository {
  readonly title: string;
  readonly documents: readonly LocalDocument[];
  /** Made from the title unless given. */
  readonly id?: string | undefined;
  /** `vector` unless given. Another type gives chunks without scores, as `help.sap.com` does. */
  readonly type?: string | undefined;
  readonly metadata?: Metadata | undefined;
  /** Who sees it; all unless given. */
  readonly resourceGroups?: readonly string[] | undefined;
}

export interface RepositoryOptions {
  readonly lexicon: Lexicon;
  readonly chunking: Chunking;
  /** The metadata key, of documents and of chunks, that holds the document's id. */
  readonly documentIdKey: string;
  readonly hasDocumentId: (chunk: ChunkPlace) => boolean;
}

/** A chunk's document and its number there, from 0. */
export interface ChunkPlace {
  readonly documentId: string;
  readonly index: number;
}

/** A repository that can be searched. Chunks are numbered as its index numbers them. */
export interface SearchableRepository {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly metadata: Metadata;
  readonly resourceGroups: readonly string[] | undefined;
  readonly index: LocalIndex;
  readonly bm25: Bm25Reading;
  readonly chunks: readonly SearchableChunk[];
  readonly documentKeys: ReadonlySet<string>;
  readonly chunkKeys: ReadonlySet<string>;
}

export interface SearchableChunk {
  readonly id: string;
  readonly content: string;
  readonly metadata: Metadata;
  readonly document: { readonly id: string; readonly metadata: Metadata };
}

export async function buildRepository(
  repository: StubRepository,
  options: RepositoryOptions,
): Promise<SearchableRepository> {
  const { title, documents, type = 'vector', metadata = {}, resourceGroups } = repository;
  const id = repository.id ?? deriveUuid('repository', title);
  const index = await buildLocalIndex(documents, options);
  const chunks = index.documents.flatMap((document) => listChunks(id, document, options));
  return {
    id,
    title,
    type,
    metadata,
    resourceGroups,
    index,
    bm25: readForBm25(index, defaultBm25),
    chunks,
    documentKeys: new Set(chunks.flatMap(({ document }) => Object.keys(document.metadata))),
    chunkKeys: new Set(chunks.flatMap((chunk) => Object.keys(chunk.metadata))),
  };
}

function listChunks(
  repositoryId: string,
  document: LocalDocument,
  { chunking, documentIdKey, hasDocumentId }: RepositoryOptions,
): readonly SearchableChunk[] {
  const ownId = { [documentIdKey]: [document.id] };
  const chunks = [...splitDocument(document, chunking)];
  const named = chunks.map((_, index) => hasDocumentId({ documentId: document.id, index }));
  const answered = {
    id: deriveUuid(repositoryId, document.id),
    metadata: {
      ...(named.includes(true) && ownId),
      title: [document.title],
      ...document.metadata,
    },
  };
  return chunks.map(({ text, paragraphs }, index) => ({
    id: deriveUuid(repositoryId, document.id, String(index)),
    content: text,
    metadata: {
      ...(named[index] === true && ownId),
      index: [String(index)],
      ...uniteMetadata(paragraphs.map((paragraph) => document.chunkMetadata?.[paragraph] ?? {})),
    },
    document: answered,
  }));
}

/** A chunk of several paragraphs carries the values of each. */
function uniteMetadata(parts: readonly Metadata[]): Metadata {
  const united = new Map<string, readonly string[]>();
  for (const [key, values] of parts.flatMap((part) => Object.entries(part))) {
    united.set(key, [...new Set([...(united.get(key) ?? []), ...values])]);
  }
  return Object.fromEntries(united);
}
