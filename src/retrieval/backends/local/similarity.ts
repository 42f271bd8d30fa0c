export interface Bm25Parameters {
  /** How slowly further occurrences of a term stop to count. */
  readonly k1: number;
  /** How much a chunk's length counts, from 0 to 1. */
  readonly b: number;
}

export const defaultBm25: Bm25Parameters = { k1: 1.5, b: 0.75 };

/** BM25's weight of a term by the number of chunks that hold it. Above 0, however common the term is. */
export function inverseDocumentFrequency(chunkCount: number, chunksWithTerm: number): number {
  return Math.log(1 + (chunkCount - chunksWithTerm + 0.5) / (chunksWithTerm + 0.5));
}

/** BM25's reading of how often a term stands in a chunk: each further time counts less. */
export function saturate(frequency: number, lengthNorm: number, { k1 }: Bm25Parameters): number {
  return (frequency * (k1 + 1)) / (frequency + lengthNorm);
}

/** The part of BM25's denominator that depends on nothing but a chunk's length. */
export function normalizeLength(
  length: number,
  averageLength: number,
  { k1, b }: Bm25Parameters,
): number {
  return k1 * (1 - b + (b * length) / averageLength);
}

/**
 * The cosine from whole numbers. Only the quotient and its root are rounded, so vectors of one direction
 * have exactly one score, and a tie is a tie.
 */
export function toCosine(product: number, squaredLengthA: number, squaredLengthB: number): number {
  if (product === 0) return 0;
  return Math.sqrt((product * product) / (squaredLengthA * squaredLengthB));
}

export function sumOfSquares(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  return sum;
}
