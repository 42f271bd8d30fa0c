import type { ScoreSource } from '../../retriever.ts';
import type { ReadDocumentId } from './document-id-reader.ts';
import type {
  AnswerChunk,
  AnswerDocument,
  AnswerEntry,
  AnswerRepository,
} from './search-answer.ts';

/** A chunk of an answer, out of the groups it stood in. */
export interface FoundChunk {
  readonly documentId: string | null;
  readonly hasOtherIds: boolean;
  /** SAP's own name of the document: its id within its repository. */
  readonly source: string;
  readonly chunkId: string | null;
  readonly score: number | undefined;
  readonly scoreSource: ScoreSource;
  readonly repository: string | null;
  readonly text: string;
  /** Metadata keys of the chunk and its document, as `chunkMetadata.docId`. */
  readonly keys: readonly string[];
}

/**
 * The chunks of several entries in response order, each once: one that two filters found keeps the place
 * where it came first and the better of its scores.
 */
export function findChunks(
  entries: readonly AnswerEntry[],
  readDocumentId: ReadDocumentId,
): readonly FoundChunk[] {
  const found = new Map<string, FoundChunk>();
  for (const grouped of entries.flatMap(listChunks)) {
    const { repository, document, chunk } = grouped;
    const key = JSON.stringify([repository.id, document.id, chunk.id ?? found.size]);
    const next = toFoundChunk(grouped, readDocumentId);
    const known = found.get(key);
    if (!known || compareScores(next, known) < 0) found.set(key, next);
  }
  return [...found.values()];
}

/** Sorts better scores first and chunks without a score last; 0 for equal scores, and for none. */
export function compareScores(a: Pick<FoundChunk, 'score'>, b: Pick<FoundChunk, 'score'>): number {
  if (a.score === b.score) return 0;
  if (a.score === undefined) return 1;
  return b.score === undefined ? -1 : b.score - a.score;
}

interface GroupedChunk {
  readonly repository: AnswerRepository;
  readonly document: AnswerDocument;
  readonly chunk: AnswerChunk;
}

function listChunks({ repositories }: AnswerEntry): readonly GroupedChunk[] {
  return repositories.flatMap((repository) =>
    repository.documents.flatMap((document) =>
      document.chunks.map((chunk) => ({ repository, document, chunk })),
    ),
  );
}

function toFoundChunk(
  { repository, document, chunk }: GroupedChunk,
  readDocumentId: ReadDocumentId,
): FoundChunk {
  const { documentId, hasOthers } = readDocumentId(chunk, document);
  return {
    documentId,
    hasOtherIds: hasOthers,
    source: JSON.stringify([repository.id, document.id]),
    chunkId: chunk.id,
    ...readScore(chunk),
    repository: repository.title ?? repository.id,
    text: chunk.content,
    keys: [
      ...document.metadata.map(({ key }) => `documentMetadata.${key}`),
      ...chunk.metadata.map(({ key }) => `chunkMetadata.${key}`),
    ],
  };
}

function readScore(chunk: AnswerChunk): Pick<FoundChunk, 'score' | 'scoreSource'> {
  const { postProcessingScore, aggregatedScore, denseScore } = chunk;
  if (postProcessingScore !== undefined) {
    return { score: postProcessingScore, scoreSource: 'postProcessing' };
  }
  if (aggregatedScore !== undefined) return { score: aggregatedScore, scoreSource: 'aggregated' };
  if (denseScore !== undefined) return { score: denseScore, scoreSource: 'dense' };
  return { score: undefined, scoreSource: 'none' };
}
