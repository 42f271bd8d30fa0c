import type { JudgedRanking } from './judged-ranking.ts';

/** What a measure needs to know beyond one question. */
export interface MeasureContext {
  /** The highest grade of the whole question set: ERR calls it certain to satisfy, as far as its scale goes. */
  readonly maxGrade: number;
}

export type Compute = (judged: JudgedRanking, context: MeasureContext) => number;

/** Identifies a measure: `formatMeasure` turns it into the name. */
export interface MeasureParts {
  /** The `name` of an entry of `measureFamilies`. */
  readonly family: string;
  /** k; undefined reads the whole ranking. */
  readonly cutoff: number | undefined;
  /** The lowest grade that is relevant. Graded measures do not look at it. */
  readonly relevantFrom: number;
  /** RBP's p, undefined in every other family. */
  readonly persistence: number | undefined;
  /** Whether documents without a judgment are removed from the ranking first (trec_eval -J). */
  readonly judgedOnly: boolean;
}

/** Whether every value lies within [0, 1], as of all measures but DCG. */
export function isBounded({ family }: Pick<MeasureParts, 'family'>): boolean {
  return family !== 'DCG';
}

/** A function of one question's judged ranking. Its mean over questions is what scorecards show. */
export interface Measure extends MeasureParts {
  /** Canonical, and the whole definition: `nDCG@10`, `P(rel=2)@5`, `RBP(0.8)`, `AP(judged)`. */
  readonly name: string;
  readonly compute: Compute;
}
