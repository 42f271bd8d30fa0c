import { compareByCodePoint } from '../../../src/ir/compare-ids.ts';
import { completionError } from './completion-answer.ts';
import type { AskedGrounding } from './completion-body.ts';
import { compareByScore } from './found-chunk.ts';
import { type RetrievedChunk, runFilter } from './run-filter.ts';
import type { StubAnswer } from './stub-answer.ts';
import type { SearchableRepository } from './stub-repository.ts';

/**
 * What the grounding module finds, as the text of its result: with the metadata that is asked for, a list in
 * JSON, else the texts alone. Or the answer by which it refuses.
 */
export function ground(
  repositories: readonly SearchableRepository[],
  { filters, metadataParams }: AskedGrounding,
  question: string,
): { readonly result: string } | { readonly refusal: StubAnswer } {
  const isHelp = filters.some(({ dataRepositoryType }) => dataRepositoryType === 'help.sap.com');
  if (isHelp && metadataParams.length > 0) {
    return refuse('metadata_params cannot be used with help.sap.com.');
  }
  const chunks = new Map<string, RetrievedChunk>();
  for (const filter of filters) {
    const outcome = runFilter(repositories, filter, question);
    if ('error' in outcome) return refuse(outcome.error.message);
    for (const chunk of outcome.chunks) chunks.set(chunk.id, chunk);
  }
  const ranked = [...chunks.values()].toSorted(compareChunks);
  if (metadataParams.length === 0) {
    return { result: ranked.map(({ content }) => content).join('```') };
  }
  const listed = ranked.map((chunk) => ({
    content: chunk.content,
    metadata: pickMetadata(chunk, metadataParams),
  }));
  return { result: JSON.stringify(listed) };
}

function refuse(message: string): { readonly refusal: StubAnswer } {
  return { refusal: { status: 400, body: completionError(400, 'Grounding Module', message) } };
}

/** Equal ones in the order of the corpus's document ids, so that the list is the same in every run. */
function compareChunks(a: RetrievedChunk, b: RetrievedChunk): number {
  return compareByScore(a, b) || compareByCodePoint(nameDocument(a), nameDocument(b));
}

function nameDocument({ source: { repository, chunk } }: RetrievedChunk): string {
  const document = repository.index.documentOfChunk[chunk] as number;
  return repository.index.documents[document]?.id ?? '';
}

/** A key of the chunk and of its document comes back twice, the document's with a prefix. */
function pickMetadata(
  { metadata, document }: RetrievedChunk,
  keys: readonly string[],
): Readonly<Record<string, readonly string[]>> {
  const picked = keys.flatMap((key) => {
    const own = metadata[key];
    const ofDocument = document.metadata[key];
    return [
      ...(own ? [[key, own] as const] : []),
      ...(ofDocument ? [[own ? `document_${key}` : key, ofDocument] as const] : []),
    ];
  });
  return Object.fromEntries(picked);
}
