import type { JudgedRanking } from './judged-ranking.ts';

/** Whether a rank holds a relevant document. `null`, unjudged or unmapped, never is. */
export function isRelevant(grade: number | null | undefined, relevantFrom: number): boolean {
  return typeof grade === 'number' && grade >= relevantFrom;
}

/** R: how many documents of the question are relevant, retrieved or not. */
export function countRelevant({ judged }: JudgedRanking, relevantFrom: number): number {
  const firstBelow = judged.findIndex((grade) => grade < relevantFrom);
  return firstBelow === -1 ? judged.length : firstBelow;
}

export function countRelevantInTop(
  { grades }: JudgedRanking,
  relevantFrom: number,
  depth: number,
): number {
  const end = Math.min(depth, grades.length);
  let found = 0;
  for (let index = 0; index < end; index += 1) {
    if (isRelevant(grades[index], relevantFrom)) found += 1;
  }
  return found;
}

/** `part / whole`; 0 when there is nothing to divide by. */
export function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
