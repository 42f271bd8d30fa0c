import { weighRank } from '../../../ir/fusion.ts';
import { hasBit } from './bitmap.ts';
import type { CandidateChunks, LimitedChunks } from './candidate-chunks.ts';
import type { LocalIndex } from './local-index.ts';
import {
  clearScores,
  type DocumentScoreboard,
  getTouched,
  offerChunk,
  type Scoreboard,
} from './scoreboard.ts';
import { compareByScore, selectTop } from './select-top.ts';

/** Scores each document by its best chunk among those that its filters' limits leave. */
export function scoreDocuments(
  { documentOfChunk }: LocalIndex,
  chunks: Scoreboard,
  {
    candidates,
    board,
  }: { readonly candidates: CandidateChunks; readonly board: DocumentScoreboard },
): void {
  clearScores(board);
  const offer = (chunk: number) => {
    const score = chunks.scores[chunk] as number;
    offerChunk(board, documentOfChunk[chunk] as number, { number: chunk, score });
  };
  if (candidates.limited.length === 0) {
    for (const chunk of getTouched(chunks)) offer(chunk);
    return;
  }
  for (const limits of candidates.limited) {
    for (const chunk of applyLimits(chunks, documentOfChunk, limits)) offer(chunk);
  }
}

/** What one filter returns: its best chunks, of its best documents. */
function applyLimits(
  chunks: Scoreboard,
  documentOfChunk: Uint32Array,
  { allowed, maxChunkCount, maxDocumentCount }: LimitedChunks,
): Iterable<number> {
  const passing = getTouched(chunks).filter((chunk) => hasBit(allowed, chunk));
  const best =
    maxChunkCount < passing.length
      ? Uint32Array.from(selectTop(passing, chunks.scores, maxChunkCount))
      : passing;
  if (maxDocumentCount === Infinity) return best;
  const bestOfDocuments = new Map<number, number>();
  for (const chunk of best) {
    const document = documentOfChunk[chunk] as number;
    const other = bestOfDocuments.get(document);
    if (other !== undefined && compareByScore(other, chunk, chunks.scores) < 0) continue;
    bestOfDocuments.set(document, chunk);
  }
  return selectTop(Uint32Array.from(bestOfDocuments.values()), chunks.scores, maxDocumentCount);
}

export interface RankedDocument {
  readonly document: number;
  /** `null` when what scored it cannot be compared with the scores before it. */
  readonly score: number | null;
}

/** The best documents of one list, ties by document id. */
export function rankByScore(board: DocumentScoreboard, limit: number): readonly RankedDocument[] {
  return selectTop(getTouched(board), board.scores, limit).map((document) => ({
    document,
    score: board.scores[document] as number,
  }));
}

/**
 * The first `limit` documents of the reciprocal rank fusion of two whole lists, without sorting either. A
 * document that neither list has among its first k + 2 · limit scores less than 2 / (2k + 2 · limit), which
 * the first `limit` of either list reach, so only the heads of the lists come into question.
 */
export function rankByFusion(
  lists: readonly DocumentScoreboard[],
  { rrfK, limit }: { readonly rrfK: number; readonly limit: number },
): readonly RankedDocument[] {
  const reach = Math.ceil(rrfK) + 2 * limit;
  const heads = lists.map((list) => selectTop(getTouched(list), list.scores, reach));
  const documents = new Set(heads.flat());
  const fused = new Map<number, number>();
  for (const [position, list] of lists.entries()) {
    for (const [document, rank] of findRanks(list, heads[position] ?? [], documents)) {
      fused.set(document, (fused.get(document) ?? 0) + weighRank(rank, rrfK));
    }
  }
  return [...fused]
    .map(([document, score]) => ({ document, score }))
    .toSorted((a, b) => b.score - a.score || a.document - b.document)
    .slice(0, limit);
}

/** The ranks, in the whole list, of those of the documents that it holds. */
function findRanks(
  list: DocumentScoreboard,
  head: readonly number[],
  documents: ReadonlySet<number>,
): ReadonlyMap<number, number> {
  const ranks = new Map(head.map((document, index) => [document, index + 1]));
  const others = [...documents]
    .filter((document) => !ranks.has(document) && list.scores[document] !== 0)
    .toSorted((a, b) => compareByScore(a, b, list.scores));
  if (others.length === 0) return ranks;
  // For each of the others, how many documents rank behind the one before it and up to itself.
  const gaps = new Uint32Array(others.length + 1);
  for (const document of getTouched(list)) {
    const position = countBefore(others, document, list.scores);
    gaps[position] = (gaps[position] as number) + 1;
  }
  let ahead = 0;
  for (const [position, document] of others.entries()) {
    ahead += gaps[position] as number;
    ranks.set(document, ahead);
  }
  return ranks;
}

/** How many of the ranked documents rank before this one. */
function countBefore(ranked: readonly number[], document: number, scores: Float64Array): number {
  let low = 0;
  let high = ranked.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareByScore(ranked[middle] as number, document, scores) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
