/** What a judge says of a hit. */
export type HitVerdict = 'relevant' | 'nonRelevant' | 'unjudged';

export interface ScoredHit {
  readonly score: number;
  readonly verdict: HitVerdict;
}

export interface ScoredQuestion {
  readonly hits: readonly ScoredHit[];
  readonly isAnswerable: boolean;
  /** Relevant documents, found or not. */
  readonly relevant: number;
}

/** What stays when hits below a score are left out. */
export interface ScoreCurvePoint {
  readonly minScore: number;
  readonly relevant: number;
  readonly nonRelevant: number;
  readonly unjudged: number;
  /** Relevant hits of those that stay, unjudged ones counting as not relevant; null: none stays. */
  readonly precision: number | null;
  /** The same of the judged ones alone. */
  readonly precisionOfJudged: number | null;
  /** Relevant hits that stay of all relevant documents; null: there is none. */
  readonly recall: number | null;
  /** Questions without a hit left. */
  readonly empty: { readonly answerable: number; readonly unanswerable: number };
}

export interface ScoreCurve {
  readonly add: (question: ScoredQuestion) => void;
  readonly toPoints: () => readonly ScoreCurvePoint[];
}

/**
 * Counts what stays at each threshold, over all questions together: a hit stays where its score is not below it.
 * Memory does not grow with the questions. `thresholds` rise and are distinct.
 */
export function createScoreCurve(thresholds: readonly number[]): ScoreCurve {
  // The place of a score is how many thresholds it reaches: it stays at all thresholds before that place.
  const createCounts = () => Array.from({ length: thresholds.length + 1 }, () => 0);
  const hits = { relevant: createCounts(), nonRelevant: createCounts(), unjudged: createCounts() };
  const best = { answerable: createCounts(), unanswerable: createCounts() };
  let relevantDocuments = 0;
  return {
    add({ hits: added, isAnswerable, relevant }) {
      let highest = 0;
      for (const { score, verdict } of added) {
        const place = findPlace(thresholds, score);
        increment(hits[verdict], place);
        highest = Math.max(highest, place);
      }
      increment(isAnswerable ? best.answerable : best.unanswerable, highest);
      relevantDocuments += relevant;
    },
    toPoints: () =>
      thresholds.map((minScore, index) => {
        const relevant = sum(hits.relevant.slice(index + 1));
        const nonRelevant = sum(hits.nonRelevant.slice(index + 1));
        const unjudged = sum(hits.unjudged.slice(index + 1));
        return {
          minScore,
          relevant,
          nonRelevant,
          unjudged,
          precision: divide(relevant, relevant + nonRelevant + unjudged),
          precisionOfJudged: divide(relevant, relevant + nonRelevant),
          recall: divide(relevant, relevantDocuments),
          empty: {
            answerable: sum(best.answerable.slice(0, index + 1)),
            unanswerable: sum(best.unanswerable.slice(0, index + 1)),
          },
        };
      }),
  };
}

/** How many thresholds the score reaches. */
function findPlace(thresholds: readonly number[], score: number): number {
  let low = 0;
  let high = thresholds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((thresholds[middle] ?? Infinity) <= score) low = middle + 1;
    else high = middle;
  }
  return low;
}

function increment(counts: number[], place: number): void {
  counts[place] = (counts[place] ?? 0) + 1;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function divide(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
