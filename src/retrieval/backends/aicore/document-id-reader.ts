import { createIdReader, type ReadId } from '../../ai-core/id-reader.ts';
import type { DocumentIdRule } from '../../../model/document-id-rule.ts';
import type { AnswerChunk, AnswerDocument } from './search-answer.ts';

export type ReadDocumentId = (chunk: AnswerChunk, document: AnswerDocument) => ReadId;

/** Reads the document id of a chunk of the Retrieval API. */
export function createDocumentIdReader(rules: readonly DocumentIdRule[]): ReadDocumentId {
  const read = createIdReader(rules, listValues);
  return (chunk, document) => read({ chunk, document });
}

interface PlacedChunk {
  readonly chunk: AnswerChunk;
  readonly document: AnswerDocument;
}

function listValues(rule: DocumentIdRule, { chunk, document }: PlacedChunk): readonly string[] {
  if (rule.from === 'documentId') return document.id === null ? [] : [document.id];
  if (rule.from === 'chunkId') return chunk.id === null ? [] : [chunk.id];
  const { from, key } = rule;
  const { metadata } = from === 'chunkMetadata' ? chunk : document;
  return metadata.filter((entry) => entry.key === key).flatMap(({ value }) => value);
}
