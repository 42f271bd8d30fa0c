import type { Judgments } from '../qrels.ts';
import type { Ranking } from '../run.ts';
import type { DocumentId } from '../ids.ts';

/** Two rankings of one question and the judgments that both are scored against. */
export interface RankedPair {
  readonly baseline: Ranking;
  readonly candidate: Ranking;
  readonly judgments: Judgments;
}

/** One ranking, as a search for an extreme assignment reads it. */
export interface UnjudgedRanking {
  /** By rank; `null` where the pool or an unmapped entry stands. */
  readonly grades: readonly (number | null)[];
  /** The index of each document of the pool in this ranking, `notRetrieved` where it is absent. */
  readonly indexes: Int32Array;
}

/** One question's rankings with the documents that can still be judged. */
export interface UnjudgedPair {
  /** Each unjudged document that either ranking holds, at any depth; once, however often it is retrieved. */
  readonly pool: readonly DocumentId[];
  readonly baseline: UnjudgedRanking;
  readonly candidate: UnjudgedRanking;
  /** Every grade that was given, falling. */
  readonly judged: readonly number[];
}

export const notRetrieved = -1;

/**
 * Collects what can still be judged. An unmapped entry has no document to judge, so it is not in the
 * pool and never gains. Throws when a ranking holds a document twice.
 */
export function collectUnjudged({ baseline, candidate, judgments }: RankedPair): UnjudgedPair {
  const positions = new Map<DocumentId, number>();
  const candidateRead = readRanking(candidate, judgments, positions);
  const baselineRead = readRanking(baseline, judgments, positions);
  const pool = [...positions.keys()];
  return {
    pool,
    baseline: withWholePool(baselineRead, pool.length),
    candidate: withWholePool(candidateRead, pool.length),
    judged: [...judgments.values()].toSorted((a, b) => b - a),
  };
}

/** The same pair with the roles changed, so that its greatest difference is the negative of the least one. */
export function swapRoles({ pool, baseline, candidate, judged }: UnjudgedPair): UnjudgedPair {
  return { pool, baseline: candidate, candidate: baseline, judged };
}

interface ReadRanking {
  readonly grades: readonly (number | null)[];
  /** Lacks what only a later ranking adds to the pool. */
  readonly indexes: readonly number[];
}

/** Adds what is unjudged to `positions`. */
function readRanking(
  ranking: Ranking,
  judgments: Judgments,
  positions: Map<DocumentId, number>,
): ReadRanking {
  const indexes: number[] = Array.from(positions, () => notRetrieved);
  const credited = new Set<DocumentId>();
  const grades = ranking.map((documentId, index) => {
    if (documentId === null) return null;
    const grade = judgments.get(documentId);
    if (grade !== undefined) {
      if (credited.has(documentId)) throw standsTwice(documentId);
      credited.add(documentId);
      return grade;
    }
    const position = positions.get(documentId) ?? positions.size;
    if (position === positions.size) positions.set(documentId, position);
    else if (indexes[position] !== notRetrieved) throw standsTwice(documentId);
    indexes[position] = index;
    return null;
  });
  return { grades, indexes };
}

function withWholePool({ grades, indexes }: ReadRanking, size: number): UnjudgedRanking {
  const whole = new Int32Array(size).fill(notRetrieved);
  whole.set(indexes);
  return { grades, indexes: whole };
}

function standsTwice(documentId: DocumentId): Error {
  return new Error(`duplicate document '${documentId}' in one ranking`);
}
