import { toComparableId, toComparableRanking } from '../../ir/comparable-ids.ts';
import { judgeRanking } from '../../ir/measures/judged-ranking.ts';
import type { Measure } from '../../ir/measures/measure.ts';
import { toJudgments } from '../../ir/qrels.ts';
import type { Question } from '../../model/question.ts';
import { relativeTolerance } from '../../ir/statistics/differences.ts';
import {
  boundTies,
  hasTieBounds,
  type ScoredRanking,
  type TieBounds,
} from '../../ir/tie-bounds.ts';
import type { OutcomeHit } from '../../model/outcome.ts';

/** Why the values of a question may be less certain than they look. */
export interface RankingUncertainty {
  /** By the order of the measures; undefined where no order of equal scores moves the value. */
  readonly ties: readonly (Pick<TieBounds, 'worst' | 'best'> | undefined)[];
  /** The rank of the first unjudged document, Infinity without one. */
  readonly firstUnjudged: number;
}

/** Scores that are missing or rise say nothing of ties. */
export function findUncertainty(
  question: Question,
  hits: readonly OutcomeHit[],
  { measures, maxGrade }: { readonly measures: readonly Measure[]; readonly maxGrade: number },
): RankingUncertainty {
  const judgments = toJudgments(question.judgments);
  const unjudged = hits.findIndex(
    ({ documentId }) => documentId !== null && !judgments.has(toComparableId(documentId)),
  );
  const firstUnjudged = unjudged < 0 ? Infinity : unjudged + 1;
  const scores = hits.flatMap(({ score }) => score ?? []);
  if (scores.length < hits.length || !mayTie(scores)) {
    return { ties: measures.map(() => undefined), firstUnjudged };
  }
  const ranking = toComparableRanking(hits.map(({ documentId }) => documentId));
  const scored = { ...judgeRanking(ranking, judgments), scores };
  if (!mayMove(scored)) return { ties: measures.map(() => undefined), firstUnjudged };
  const ties = measures.map((measure) => {
    const bounds = hasTieBounds(measure) ? boundTies(measure, scored, { maxGrade }) : undefined;
    return bounds && isMoved(bounds) ? bounds : undefined;
  });
  return { ties, firstUnjudged };
}

/** Whether the scores never rise, and two neighbours are equal. */
function mayTie(scores: readonly number[]): boolean {
  const steps = scores.slice(1).map((score, index) => score - (scores[index] ?? Number.NaN));
  return steps.every((step) => step <= 0) && steps.includes(0);
}

/** Whether documents of different worth stand beside each other with one score: no other tie moves a measure. */
function mayMove({ grades, scores }: ScoredRanking): boolean {
  return scores.some(
    (score, rank) =>
      rank > 0 && score === scores[rank - 1] && (grades[rank] ?? 0) !== (grades[rank - 1] ?? 0),
  );
}

function isMoved({ worst, best }: TieBounds): boolean {
  return best - worst > relativeTolerance * Math.max(1, Math.abs(best));
}
