import type { JudgedRanking } from './measures/judged-ranking.ts';
import type { Measure, MeasureContext } from './measures/measure.ts';
import { numberAt } from './statistics/number-at.ts';

/** A judged ranking with the scores that ordered it, by rank. */
export interface ScoredRanking extends JudgedRanking {
  /** Never rising. Equal neighbours are a tie, whose order says nothing. */
  readonly scores: readonly number[];
}

/** The least and the greatest value that another order of tied documents would have given. */
export interface TieBounds {
  readonly worst: number;
  readonly best: number;
  /** How many documents stand in a tie with another. */
  readonly tied: number;
}

/** Not for them: infAP is not monotone in the order, and judged@k does not look at grades. */
const unorderedFamilies: ReadonlySet<string> = new Set(['infAP', 'judged']);

/** Whether a measure never falls when a document changes places with a lower grade right above it. */
export function hasTieBounds({ family }: Pick<Measure, 'family'>): boolean {
  return !unorderedFamilies.has(family);
}

/**
 * The exact range of a measure over all orders inside the ties (McSherry and Najork, Computing Information
 * Retrieval Performance Measures Efficiently in the Presence of Tied Scores, ECIR 2008, have the mean
 * over them). Best is every tie in falling grade, worst in rising grade: two neighbours that change places leave
 * all other ranks as they are, and the higher grade first is never worse. P, R, F1, hit, RR, setP, setR, setF1, Rprec:
 * no top holds fewer relevant documents. AP: the upper relevant one has the same number above it at a smaller rank.
 * DCG, nDCG, RBP: the higher gain gets the higher weight (rearrangement inequality). ERR: the stops s > t at ranks
 * i, i + 1 add (s − t)(1/i − 1/(i + 1)) more than t, s, and pass the same on. bpref: fewer stand above the
 * relevant one; unjudged and negative ones are skipped wherever they are. Throws RangeError for a measure without
 * tie bounds and for scores that rise or do not fit.
 */
export function boundTies(
  measure: Measure,
  { scores, grades, judged }: ScoredRanking,
  context: MeasureContext,
): TieBounds {
  if (!hasTieBounds(measure)) throw new RangeError(`${measure.name} has no tie bounds`);
  if (scores.length !== grades.length) {
    throw new RangeError(`${scores.length} scores for ${grades.length} documents`);
  }
  const ties = splitTies(scores);
  const computeIn = (sort: (tie: readonly (number | null)[]) => readonly (number | null)[]) =>
    measure.compute(
      { grades: ties.flatMap(({ start, end }) => sort(grades.slice(start, end))), judged },
      context,
    );
  return {
    worst: computeIn((tie) => tie.toSorted((a, b) => toOrder(a) - toOrder(b))),
    best: computeIn((tie) => tie.toSorted((a, b) => toOrder(b) - toOrder(a))),
    tied: ties.reduce((sum, { start, end }) => sum + (end - start > 1 ? end - start : 0), 0),
  };
}

interface Tie {
  readonly start: number;
  readonly end: number;
}

/** The runs of equal scores, a single document being one too. */
function splitTies(scores: readonly number[]): readonly Tie[] {
  const ties: Tie[] = [];
  let start = 0;
  for (let end = 1; end <= scores.length; end += 1) {
    const score = numberAt(scores, start);
    if (end < scores.length && numberAt(scores, end) === score) continue;
    if (end < scores.length && !(numberAt(scores, end) < score)) {
      throw new RangeError(`the score at rank ${end + 1} is above the one before it`);
    }
    ties.push({ start, end });
    start = end;
  }
  return ties;
}

/** No grade gains as grade 0 does, and negative ones no less. */
function toOrder(grade: number | null): number {
  return grade ?? 0;
}
