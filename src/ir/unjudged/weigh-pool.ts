import { discountAt } from '../measures/dcg.ts';
import { notRetrieved, type UnjudgedPair } from './unjudged-pair.ts';

/** What a measure gives to a rank, by its index from 0. */
export type WeighRank = (index: number) => number;

/** 1 for each of the first `depth` ranks. */
export function weighTop(depth: number): WeighRank {
  return (index) => (index < depth ? 1 : 0);
}

/** 1 / log2(rank + 1) for each of the first `depth` ranks. */
export function weighDiscount(depth: number): WeighRank {
  return (index) => (index < depth ? 1 / discountAt(index) : 0);
}

/** How much more each document of the pool weighs in the candidate than in the baseline; 0 where it is not retrieved. */
export function weighPool(
  { pool, baseline, candidate }: UnjudgedPair,
  weigh: WeighRank,
): readonly number[] {
  const weighRetrieved = (index: number) => (index === notRetrieved ? 0 : weigh(index));
  return pool.map(
    (_, position) =>
      weighRetrieved(candidate.indexes[position] as number) -
      weighRetrieved(baseline.indexes[position] as number),
  );
}
