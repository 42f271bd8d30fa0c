import { quote, TrecLineError } from '../trec/trec-line-error.ts';
import { compareIds, decodeId, type IdArena } from './id-arena.ts';
import type { InternedRun, Segment } from './interned-run.ts';

/** The hits of one question in rank order. `hits` is filled again for every question. */
export interface RankedHits {
  hits: Int32Array;
  length: number;
}

/**
 * Ranks the hits of each question in turn, in one buffer that grows with the longest ranking: score
 * descending, then document id descending by UTF-8 bytes. Throws a TrecLineError for a document that stands twice.
 */
export function createRanker(
  { scores, documents }: InternedRun,
  nameQuestion: (question: number) => string,
): { rank(question: number, segments: readonly Segment[]): RankedHits } {
  const ranked: RankedHits = { hits: new Int32Array(1 << 10), length: 0 };
  const findRepeated = createRepetitionFinder(documents);
  const isInOrder = (a: number, b: number) => {
    const [scoreA, scoreB] = [scores[a] as number, scores[b] as number];
    return scoreA === scoreB ? compareIds(documents, a, b) > 0 : scoreA > scoreB;
  };
  return {
    rank(question, segments) {
      gather(ranked, segments);
      const repeated = findRepeated(ranked);
      if (repeated !== -1) {
        throw new TrecLineError(
          `duplicate document ${quote(decodeId(documents, repeated))} in question ${quote(nameQuestion(question))}`,
        );
      }
      if (!isSorted(ranked, isInOrder)) {
        const hits = ranked.hits.slice(0, ranked.length);
        ranked.hits.set(hits.toSorted((a, b) => (isInOrder(a, b) ? -1 : 1)));
      }
      return ranked;
    },
  };
}

function gather(ranked: RankedHits, segments: readonly Segment[]): void {
  ranked.length = segments.reduce((sum, { start, end }) => sum + end - start, 0);
  if (ranked.length > ranked.hits.length) ranked.hits = new Int32Array(2 * ranked.length);
  const { hits } = ranked;
  let rank = 0;
  for (const { start, end } of segments) {
    for (let hit = start; hit < end; hit += 1) {
      hits[rank] = hit;
      rank += 1;
    }
  }
}

function isSorted(
  { hits, length }: RankedHits,
  isInOrder: (a: number, b: number) => boolean,
): boolean {
  for (let rank = 1; rank < length; rank += 1) {
    if (!isInOrder(hits[rank - 1] as number, hits[rank] as number)) return false;
  }
  return true;
}

/** Finds a hit with the document of one above it, -1 when there is none, by a hash table that a new stamp empties. */
function createRepetitionFinder(documents: IdArena): (ranked: RankedHits) => number {
  let stamps = new Int32Array(1 << 11);
  let members = new Int32Array(stamps.length);
  let stamp = 0;
  return ({ hits, length }) => {
    if (2 * length > stamps.length) {
      stamps = new Int32Array(2 ** Math.ceil(Math.log2(2 * length)));
      members = new Int32Array(stamps.length);
    }
    stamp += 1;
    const mask = stamps.length - 1;
    for (let rank = 0; rank < length; rank += 1) {
      const hit = hits[rank] as number;
      let slot = (documents.hashes[hit] as number) & mask;
      while (stamps[slot] === stamp) {
        if (isSameDocument(documents, members[slot] as number, hit)) return hit;
        slot = (slot + 1) & mask;
      }
      stamps[slot] = stamp;
      members[slot] = hit;
    }
    return -1;
  };
}

function isSameDocument(documents: IdArena, a: number, b: number): boolean {
  return documents.hashes[a] === documents.hashes[b] && compareIds(documents, a, b) === 0;
}
