import { compareScores, type FoundChunk } from '../../ai-core/found-chunk.ts';
import type { ReadDocumentId } from './document-id-reader.ts';
import type {
  AnswerChunk,
  AnswerDocument,
  AnswerEntry,
  AnswerRepository,
} from './search-answer.ts';

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
