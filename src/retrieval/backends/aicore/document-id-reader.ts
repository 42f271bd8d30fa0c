import type { DocumentIdRule } from '../../document-id-rule.ts';
import { compileIdPattern } from './id-pattern.ts';
import type { AnswerChunk, AnswerDocument } from './search-answer.ts';

export interface ReadId {
  /** In composed Unicode (NFC); `null`: no rule gave an id. */
  readonly documentId: string | null;
  /** The id was the first of several values. */
  readonly hasOthers: boolean;
}

export type ReadDocumentId = (chunk: AnswerChunk, document: AnswerDocument) => ReadId;

/** Reads document ids by a list of rules, in their order: the first that gives an id that is not blank. */
export function createDocumentIdReader(rules: readonly DocumentIdRule[]): ReadDocumentId {
  const compiled = rules.map((rule) => ({
    rule,
    readId: rule.pattern === undefined ? takeWhole : compileIdPattern(rule.pattern),
  }));
  return (chunk, document) => {
    for (const { rule, readId } of compiled) {
      const values = listValues(rule, chunk, document);
      const ids = values.map((value) => readId(value.normalize('NFC'))?.normalize('NFC'));
      const documentId = ids.find((id) => id !== undefined && id.trim() !== '');
      if (documentId !== undefined) return { documentId, hasOthers: values.length > 1 };
    }
    return { documentId: null, hasOthers: false };
  };
}

function takeWhole(value: string): string {
  return value;
}

function listValues(
  rule: DocumentIdRule,
  chunk: AnswerChunk,
  document: AnswerDocument,
): readonly string[] {
  if (rule.from === 'documentId') return document.id === null ? [] : [document.id];
  if (rule.from === 'chunkId') return chunk.id === null ? [] : [chunk.id];
  const { from, key } = rule;
  const { metadata } = from === 'chunkMetadata' ? chunk : document;
  return metadata.filter((entry) => entry.key === key).flatMap(({ value }) => value);
}
