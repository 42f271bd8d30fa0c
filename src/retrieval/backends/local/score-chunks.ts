import { type Bitmap, hasBit } from './bitmap.ts';
import type { LocalIndex } from './local-index.ts';
import type { LocalQuestion } from './local-question.ts';
import { addScore, clearScores, getTouched, type Scoreboard } from './scoreboard.ts';
import {
  type Bm25Parameters,
  inverseDocumentFrequency,
  normalizeLength,
  saturate,
  sumOfSquares,
  toCosine,
} from './similarity.ts';
import { getRow } from './sparse-matrix.ts';

export interface ScoreOptions {
  /** The chunks that may be scored; without it, all may. */
  readonly allowed: Bitmap | undefined;
  /** Cleared first, and holds the chunks with a score above 0 afterwards. */
  readonly board: Scoreboard;
}

export interface Bm25Reading {
  readonly parameters: Bm25Parameters;
  /** What BM25 makes of each chunk's length. */
  readonly lengthNorms: Float64Array;
}

/** For all searches of an index with these parameters. */
export function readForBm25(
  { chunkLengths }: Pick<LocalIndex, 'chunkLengths'>,
  parameters: Bm25Parameters,
): Bm25Reading {
  const totalLength = chunkLengths.reduce((sum, length) => sum + length, 0);
  const averageLength = totalLength / chunkLengths.length;
  const lengthNorms = Float64Array.from(chunkLengths, (length) =>
    normalizeLength(length, averageLength, parameters),
  );
  return { parameters, lengthNorms };
}

/**
 * Okapi BM25: the sum over the question's terms, repeated ones as often as they stand, of idf · tf · (k1 + 1) / (tf + k1 · (1 − b + b · length / average length)), where
 * idf = ln(1 + (N − df + 0.5) / (df + 0.5)). N, df and the average are those of the whole corpus, whatever
 * a filter excludes, so that one chunk has one score for all users. Summed in the question's order.
 */
export function scoreByBm25(
  index: LocalIndex,
  question: LocalQuestion,
  { allowed, board, parameters, lengthNorms }: ScoreOptions & Bm25Reading,
): void {
  clearScores(board);
  const { termPostings } = index;
  const { columns, counts } = termPostings;
  for (const { term, count } of question.terms) {
    if (term === undefined) continue;
    const { first, end } = getRow(termPostings, term);
    const weight = count * inverseDocumentFrequency(index.chunkCount, end - first);
    for (let entry = first; entry < end; entry += 1) {
      const chunk = columns[entry] as number;
      if (allowed && !hasBit(allowed, chunk)) continue;
      const lengthNorm = lengthNorms[chunk] as number;
      const saturated = saturate(counts[entry] as number, lengthNorm, parameters);
      addScore(board, chunk, weight * saturated);
    }
  }
}

/** The cosine of the question's and the chunk's concept counts. */
export function scoreByConcepts(
  index: LocalIndex,
  question: LocalQuestion,
  { allowed, board }: ScoreOptions,
): void {
  clearScores(board);
  const { conceptPostings, squaredLengths } = index;
  for (const [concept, weight] of question.concepts) {
    const { first, end } = getRow(conceptPostings, concept);
    for (let entry = first; entry < end; entry += 1) {
      const chunk = conceptPostings.columns[entry] as number;
      if (allowed && !hasBit(allowed, chunk)) continue;
      addScore(board, chunk, weight * (conceptPostings.counts[entry] as number));
    }
  }
  const squaredLength = sumOfSquares(question.concepts.values());
  for (const chunk of getTouched(board)) {
    const product = board.scores[chunk] as number;
    board.scores[chunk] = toCosine(product, squaredLength, squaredLengths[chunk] as number);
  }
}
