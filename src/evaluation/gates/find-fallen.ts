import type { FallenQuestion } from '../../model/gate.ts';
import type { QuestionPair } from '../comparison/pair-questions.ts';

const mostListed = 10;

/** The questions that fell most in the first measure, the worst first; of equal ones those that come first in the set. */
export function findFallen(
  measure: string | undefined,
  pairs: readonly QuestionPair[],
): readonly FallenQuestion[] {
  if (measure === undefined) return [];
  return pairs
    .map(({ baseline, candidate }) => ({
      id: candidate.id,
      measure,
      baseline: baseline.values[0] ?? 0,
      candidate: candidate.values[0] ?? 0,
      firstRelevantRank: {
        baseline: baseline.firstRelevantRank ?? null,
        candidate: candidate.firstRelevantRank ?? null,
      },
    }))
    .filter((question) => question.candidate < question.baseline)
    .toSorted((a, b) => a.candidate - a.baseline - (b.candidate - b.baseline))
    .slice(0, mostListed);
}
