import { z } from 'zod';

import type { FoundChunk } from '../../ai-core/found-chunk.ts';
import { createIdReader, type ReadId } from '../../ai-core/id-reader.ts';
import { tryParseJson } from '../../../try-parse-json.ts';
import type { DocumentIdRule } from '../../../model/document-id-rule.ts';

/** Values by metadata key. A key that chunk and document both have is the chunk's; the document's has a prefix. */
export type GroundedMetadata = Readonly<Record<string, readonly string[]>>;

export type ReadGroundedId = (metadata: GroundedMetadata) => ReadId;

export function createGroundedIdReader(rules: readonly DocumentIdRule[]): ReadGroundedId {
  return createIdReader(rules, listValues);
}

/**
 * The chunks that the grounding module found, best first: the order of its list is all it tells of their
 * ranks. Undefined: the body is no answer of the orchestration service with a grounding result in it.
 */
export function readGrounding(
  body: unknown,
  readDocumentId: ReadGroundedId,
): readonly FoundChunk[] | undefined {
  const { data } = Answer.safeParse(body);
  const result = data?.grounding_result;
  if (result === undefined) return undefined;
  const chunks = typeof result === 'string' ? parseText(result) : parseList(result);
  return chunks?.map((chunk) => toFoundChunk(chunk, readDocumentId));
}

const documentPrefix = 'document_';

function listValues(rule: DocumentIdRule, metadata: GroundedMetadata): readonly string[] {
  if (!('key' in rule)) return [];
  const { from, key } = rule;
  const own = from === 'documentMetadata' ? findValues(metadata, documentPrefix + key) : undefined;
  return own ?? findValues(metadata, key) ?? [];
}

function findValues(metadata: GroundedMetadata, key: string): readonly string[] | undefined {
  return Object.hasOwn(metadata, key) ? metadata[key] : undefined;
}

/** JSON text where metadata was asked for; else the chunks' texts, which have no ids. Undefined: the JSON null. */
function parseText(text: string): readonly GroundedChunk[] | undefined {
  const value = tryParseJson(text);
  return value === null ? undefined : (parseList(value) ?? splitTexts(text));
}

/** The list stands in one more list at times. Undefined: it is no list of chunks. */
function parseList(value: unknown): readonly GroundedChunk[] | undefined {
  return Array.isArray(value) ? Chunks.safeParse(value.flat(Infinity)).data : undefined;
}

const separator = '```';

function splitTexts(text: string): readonly GroundedChunk[] {
  const texts = text.split(separator).filter((content) => content.trim() !== '');
  return texts.map((content) => ({ content, metadata: {} }));
}

function toFoundChunk(
  { content, metadata }: GroundedChunk,
  readDocumentId: ReadGroundedId,
): FoundChunk {
  const { documentId, hasOthers } = readDocumentId(metadata);
  return {
    documentId,
    hasOtherIds: hasOthers,
    source: null,
    chunkId: null,
    score: undefined,
    scoreSource: 'none',
    repository: null,
    text: content,
    keys: Object.keys(metadata),
  };
}

const Value = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const Values = z
  .union([z.array(z.unknown()), z.unknown()])
  .transform((value) => [value].flat().flatMap((one) => Value.safeParse(one).data ?? []))
  .transform((values) => values.filter((value) => value !== ''));

const Chunk = z.object({
  content: z
    .string()
    .nullish()
    .catch(null)
    .transform((text) => text ?? ''),
  metadata: z
    .record(z.string(), Values)
    .nullish()
    .catch({})
    .transform((metadata) => metadata ?? {}),
});

type GroundedChunk = z.infer<typeof Chunk>;

const Chunks = z.array(Chunk);

const Modules = z.object({
  grounding: z.object({ data: z.object({ grounding_result: z.unknown() }) }),
});

const Answer = z
  .union([
    z.object({ intermediate_results: Modules }).transform((body) => body.intermediate_results),
    z.object({ module_results: Modules }).transform((body) => body.module_results),
  ])
  .transform(({ grounding }) => grounding.data);
