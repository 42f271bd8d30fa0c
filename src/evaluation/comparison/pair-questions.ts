import type { RunQuestion, RunQuestions } from './read-run.ts';

export interface QuestionPair {
  readonly baseline: RunQuestion;
  readonly candidate: RunQuestion;
}

export interface Exclusions {
  readonly unanswerable: number;
  /** Without one judgment: they can show no difference, so they are evidence of none. */
  readonly unlabelled: number;
  /** Judged, but outside the means of an evaluation whose rule asks for a relevant document; absent: none. */
  readonly withoutRelevant?: number;
  /** Failed on at least one side. */
  readonly failed: number;
  /** Asked in only one of two evaluations, or not searched by a side of one that was cancelled. */
  readonly onlyOneSide: number;
}

/**
 * The questions scored in both runs, in the baseline's order, and how many are left out for what reason. An
 * unlabelled question is left out even where the means of an evaluation count it as 0.
 */
export function pairQuestions(
  baseline: RunQuestions,
  candidate: RunQuestions,
): { readonly pairs: readonly QuestionPair[]; readonly excluded: Exclusions } {
  const pairs: QuestionPair[] = [];
  const excluded = { unanswerable: 0, unlabelled: 0, failed: 0, onlyOneSide: 0 };
  let withoutRelevant = 0;
  for (const [id, question] of baseline) {
    const other = candidate.get(id);
    if (!other) excluded.onlyOneSide += 1;
    else if (question.status === 'failed' || other.status === 'failed') excluded.failed += 1;
    else if (question.status !== 'scored') excluded[question.status] += 1;
    else if (!question.isAveraged || !other.isAveraged) withoutRelevant += 1;
    else pairs.push({ baseline: question, candidate: other });
  }
  excluded.onlyOneSide += [...candidate.keys()].filter((id) => !baseline.has(id)).length;
  return { pairs, excluded: { ...excluded, ...(withoutRelevant > 0 && { withoutRelevant }) } };
}

/** A sentence on what is left out, with a blank before it; empty when nothing is. */
export function explainExclusions(excluded: Exclusions): string {
  const { unanswerable, unlabelled, withoutRelevant = 0, failed, onlyOneSide } = excluded;
  const reasons = [
    [failed, 'not answered on at least one side'],
    [onlyOneSide, 'contained in only one run'],
    [unlabelled, 'without a judgment'],
    [withoutRelevant, 'without a relevant document'],
    [unanswerable, 'without an answer to find'],
  ] as const;
  const told = reasons.filter(([count]) => count > 0);
  if (told.length === 0) return '';
  const all = told.reduce((sum, [count]) => sum + count, 0);
  const verb = all === 1 ? 'question is' : 'questions are';
  return ` ${all} more ${verb} excluded: ${told.map(([count, why]) => `${count} ${why}`).join(', ')}.`;
}

/** Whether every ranking is the other side's, of runs that were read with their hashes. False without a pair. */
export function areIdentical(pairs: readonly QuestionPair[]): boolean {
  return (
    pairs.length > 0 &&
    pairs.every(
      ({ baseline, candidate }) =>
        baseline.rankingHash !== undefined && baseline.rankingHash === candidate.rankingHash,
    )
  );
}
