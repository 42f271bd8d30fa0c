import { compareByCodePoint } from '../../ir/compare-ids.ts';
import type { OutcomeChunk } from '../../model/outcome.ts';
import type { RetrievedHit } from '../retriever.ts';
import { toSnippet } from '../snippet.ts';
import { compareScores, type FoundChunk } from './found-chunk.ts';

/** Chunks of one document that are shown as evidence. */
const maxEvidence = 10;

/**
 * One ranked list of documents from chunks in response order. A document's score is its best chunk's; ties
 * go by document id, so that the order of an answer never decides. A chunk without a document id stands
 * for itself. What has no score comes last, in response order.
 */
export function rankDocuments(chunks: readonly FoundChunk[]): readonly RetrievedHit[] {
  const ranked = groupByDocument(chunks).map((group) => group.toSorted(compareScores));
  return ranked.toSorted(compareGroups).map(toHit);
}

/** As `rankDocuments`, in the order of the response: documents stand where their first chunk does. */
export function rankInOrder(chunks: readonly FoundChunk[]): readonly RetrievedHit[] {
  return groupByDocument(chunks).map(toHit);
}

/** Groups in the order of their first chunks. */
function groupByDocument(chunks: readonly FoundChunk[]): readonly (readonly FoundChunk[])[] {
  const groups = new Map<string | FoundChunk, FoundChunk[]>();
  for (const chunk of chunks) {
    const key = chunk.documentId ?? chunk;
    const group = groups.get(key) ?? [];
    group.push(chunk);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function compareGroups([a]: readonly FoundChunk[], [b]: readonly FoundChunk[]): number {
  if (!a || !b) return 0;
  const byScore = compareScores(a, b);
  if (byScore !== 0 || a.score === undefined) return byScore;
  if (a.documentId === null || b.documentId === null) return compareUnmapped(a, b);
  return compareByCodePoint(a.documentId, b.documentId);
}

/** With equal scores, documents come before chunks without a document id. */
function compareUnmapped(a: FoundChunk, b: FoundChunk): number {
  if (a.documentId !== b.documentId) return a.documentId === null ? 1 : -1;
  return compareByCodePoint(a.chunkId ?? '', b.chunkId ?? '');
}

function toHit(group: readonly FoundChunk[]): RetrievedHit {
  const [best] = group;
  return {
    documentId: best?.documentId ?? null,
    chunkId: best?.chunkId ?? null,
    score: best?.score ?? null,
    chunks: group.slice(0, maxEvidence).map(toEvidence),
    ...(best && { passage: { title: '', text: best.text } }),
  };
}

function toEvidence(chunk: FoundChunk): OutcomeChunk {
  const { chunkId, score = null, scoreSource, repository, text } = chunk;
  return { chunkId, score, scoreSource, repository, snippet: toSnippet(text) };
}
