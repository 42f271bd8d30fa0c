import type { RunQuestion, RunQuestions } from './read-run.ts';

export interface QuestionPair {
  readonly baseline: RunQuestion;
  readonly candidate: RunQuestion;
}

export interface Exclusions {
  readonly unanswerable: number;
  /** Failed on at least one side. */
  readonly failed: number;
  /** Asked in only one of two evaluations, or not searched by a side of one that was cancelled. */
  readonly onlyOneSide: number;
}

/** The questions scored in both runs, in the baseline's order, and how many are left out for what reason. */
export function pairQuestions(
  baseline: RunQuestions,
  candidate: RunQuestions,
): { readonly pairs: readonly QuestionPair[]; readonly excluded: Exclusions } {
  const pairs: QuestionPair[] = [];
  const excluded = { unanswerable: 0, failed: 0, onlyOneSide: 0 };
  for (const [id, question] of baseline) {
    const other = candidate.get(id);
    if (!other) excluded.onlyOneSide += 1;
    else if (question.status === 'failed' || other.status === 'failed') excluded.failed += 1;
    else if (question.status === 'unanswerable') excluded.unanswerable += 1;
    else pairs.push({ baseline: question, candidate: other });
  }
  excluded.onlyOneSide += [...candidate.keys()].filter((id) => !baseline.has(id)).length;
  return { pairs, excluded };
}

/** A sentence on what is left out, with a blank before it; empty when nothing is. */
export function explainExclusions({ unanswerable, failed, onlyOneSide }: Exclusions): string {
  const reasons = [
    [failed, 'not answered on at least one side'],
    [onlyOneSide, 'asked on only one side'],
    [unanswerable, 'without an answer to find'],
  ] as const;
  const told = reasons.filter(([count]) => count > 0);
  if (told.length === 0) return '';
  const all = told.reduce((sum, [count]) => sum + count, 0);
  const verb = all === 1 ? 'question is' : 'questions are';
  return ` ${all} more ${verb} left out: ${told.map(([count, why]) => `${count} ${why}`).join(', ')}.`;
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
