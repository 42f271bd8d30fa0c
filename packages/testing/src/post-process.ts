import { addBit, createBitmap } from '../../../src/retrieval/backends/local/bitmap.ts';
import { readQuestion } from '../../../src/retrieval/backends/local/local-question.ts';
import { rerank } from '../../../src/retrieval/backends/local/rerank.ts';
import { deriveUuid } from './derive-uuid.ts';
import { compareByScore } from './found-chunk.ts';
import type { FilterOutcome, RetrievedChunk } from './run-filter.ts';
import { isOperation, type Operation } from './search-body.ts';

/** What SAP keeps of an operation's chunks where it names no count. */
const defaultChunkCount = 5;

/** The highest score of the local re-ranker. */
const bestRerankScore = 1.3;

/** Runs operations, the nested ones before those they feed, and adds what each gives to the outcomes by id. */
export function postProcess(
  outcomes: ReadonlyMap<string, FilterOutcome>,
  operations: readonly Operation[],
  question: string,
): ReadonlyMap<string, FilterOutcome> {
  const all = new Map(outcomes);
  for (const operation of operations) runOperation(all, operation, question);
  return all;
}

/** Returns the operation's id. One without gets an id from the server. */
function runOperation(
  outcomes: Map<string, FilterOutcome>,
  operation: Operation,
  question: string,
): string {
  const inputs = operation.inputs.map((input) =>
    isOperation(input) ? runOperation(outcomes, input, question) : input.id,
  );
  const id = operation.id ?? deriveUuid('operation', JSON.stringify(operation));
  outcomes.set(id, merge(operation, collectChunks(outcomes, inputs), question));
  return id;
}

/** Each chunk once, however many inputs found it. A failed input brings none. */
function collectChunks(
  outcomes: ReadonlyMap<string, FilterOutcome>,
  inputs: readonly string[],
): readonly RetrievedChunk[] {
  const chunks = new Map<string, RetrievedChunk>();
  for (const id of inputs) {
    const outcome = outcomes.get(id);
    if (!outcome || 'error' in outcome) continue;
    for (const chunk of outcome.chunks) if (!chunks.has(chunk.id)) chunks.set(chunk.id, chunk);
  }
  return [...chunks.values()];
}

function merge(
  { strategy, maxChunkCount }: Operation,
  chunks: readonly RetrievedChunk[],
  question: string,
): FilterOutcome {
  const { type = 'reranker' } = strategy;
  if (type !== 'reranker' && type !== 'scoreReuse') {
    return { error: { message: `The strategy '${type}' is not available.` } };
  }
  const scored = type === 'scoreReuse' ? chunks : chunks.map((chunk) => rescore(chunk, question));
  const ranked = scored.toSorted(compareByScore);
  return { chunks: ranked.slice(0, maxChunkCount ?? defaultChunkCount) };
}

/** The local re-ranker's look at this chunk alone, brought to at most 1. */
function rescore(found: RetrievedChunk, question: string): RetrievedChunk {
  const { repository, chunk } = found.source;
  const { index } = repository;
  const allowed = createBitmap(index.chunkCount);
  addBit(allowed, chunk);
  const document = index.documentOfChunk[chunk] as number;
  const [reranked] = rerank(index, readQuestion(index, question), [{ document, score: null }], {
    candidates: 1,
    allowed,
  });
  return { ...found, postProcessingScore: (reranked?.score ?? 0) / bestRerankScore };
}
