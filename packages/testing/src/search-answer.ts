import type { Metadata } from '../../../src/retrieval/match-filter.ts';
import { deriveUuid } from './derive-uuid.ts';
import type { FoundChunk } from './found-chunk.ts';
import { groupChunks } from './group-chunks.ts';
import type { RetrievalAnswer, RetrievalEntry } from './retrieval-answer.ts';

/** A chunk as a test thinks of it. */
export interface AnswerChunk {
  /** `null`: a chunk that does not say which document it is of, alone in a document of its own. */
  readonly documentId: string | null;
  /** Made from document and text unless given. */
  readonly chunkId?: string;
  /** `null`, or not given: the answer has no score of the search for it. */
  readonly score?: number | null;
  /** What a re-ranker gave it; for the entries of operations. */
  readonly postProcessingScore?: number;
  readonly text?: string;
  /** Of the chunk, beside the document's id and the chunk's number. */
  readonly metadata?: Metadata;
  /** Of the document, beside its id. The first chunk of a document decides. */
  readonly documentMetadata?: Metadata;
  /** The title of the repository it is in; `notes` unless given. */
  readonly repository?: string;
}

/** What the filter or the operation with this id brought back, or why it failed. */
export type AnswerEntries = Readonly<
  Record<string, readonly AnswerChunk[] | { readonly error: string }>
>;

export interface SearchAnswerOptions {
  /** The metadata key, of documents and of chunks, that holds a document's id; `docId` unless given. */
  readonly documentIdKey?: string;
}

/**
 * The body of a search's answer, in SAP's shape: an entry for each filter or operation, its chunks grouped
 * by repository and document. The order of the groups says nothing about the ranking, whatever order the
 * chunks are given in.
 */
export function searchAnswer(
  entries: AnswerEntries,
  { documentIdKey = 'docId' }: SearchAnswerOptions = {},
): RetrievalAnswer {
  return {
    results: Object.entries(entries).map(([filterId, entry]): RetrievalEntry => {
      if ('error' in entry) return { filterId, error: { message: entry.error } };
      return { filterId, results: groupChunks(toFoundChunks(entry, documentIdKey)) };
    }),
  };
}

function toFoundChunks(
  chunks: readonly AnswerChunk[],
  documentIdKey: string,
): readonly FoundChunk[] {
  const seen = new Map<string, number>();
  const count = (...words: readonly string[]) => {
    const key = JSON.stringify(words);
    seen.set(key, (seen.get(key) ?? -1) + 1);
    return String(seen.get(key));
  };
  return chunks.map((chunk): FoundChunk => {
    const { documentId, text = '', score = null, repository = 'notes' } = chunk;
    const named = documentId === null ? {} : { [documentIdKey]: [documentId] };
    const document = [repository, documentId ?? `unnamed ${count(repository)}`];
    return {
      id: chunk.chunkId ?? deriveUuid(...document, text, count(...document, text)),
      content: text,
      metadata: { ...named, index: [count(...document)], ...chunk.metadata },
      document: {
        id: deriveUuid(...document),
        metadata: { ...named, ...chunk.documentMetadata },
      },
      repository: { id: deriveUuid('repository', repository), title: repository, metadata: {} },
      searchScores: score === null ? null : { aggregated: score, dense: score },
      postProcessingScore: chunk.postProcessingScore ?? null,
    };
  });
}
