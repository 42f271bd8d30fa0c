import { averagePrecision } from './average-precision.ts';
import { bpref } from './bpref.ts';
import { dcg, ndcg, ndcgExp } from './dcg.ts';
import { expectedReciprocalRank } from './expected-reciprocal-rank.ts';
import { inferredAp } from './inferred-ap.ts';
import { judgedShare } from './judged.ts';
import type { MeasureFamily } from './measure-family.ts';
import { f1, hit, precision, recall, rPrecision } from './precision-recall.ts';
import { rankBiasedPrecision } from './rank-biased-precision.ts';
import { reciprocalRank } from './reciprocal-rank.ts';
import { setF1, setPrecision, setRecall } from './set-measures.ts';

/** Every family of measures, in the order in which they are listed to people. */
export const measureFamilies: readonly MeasureFamily[] = [
  hit,
  precision,
  recall,
  f1,
  reciprocalRank,
  averagePrecision,
  ndcg,
  ndcgExp,
  dcg,
  rPrecision,
  bpref,
  inferredAp,
  rankBiasedPrecision,
  expectedReciprocalRank,
  setPrecision,
  setRecall,
  setF1,
  judgedShare,
];

const familiesByWord = new Map(
  measureFamilies.flatMap((family) =>
    [family.name, ...family.aliases].map((word) => [word.toLowerCase(), family] as const),
  ),
);

/** The family that a name's first word means, aliases included; case does not matter. */
export function findFamily(word: string): MeasureFamily | undefined {
  return familiesByWord.get(word.toLowerCase());
}
