export type ScoreDirection = 'rising' | 'falling' | 'mixed';

/** Where scores go along a ranking. Undefined: one is missing, or all are equal. `mixed`: they go up and down. */
export function findDirection(scores: readonly (number | null)[]): ScoreDirection | undefined {
  let [rises, falls] = [false, false];
  for (let index = 1; index < scores.length; index += 1) {
    const [before, score] = [scores[index - 1] ?? null, scores[index] ?? null];
    if (before === null || score === null) return undefined;
    rises ||= score > before;
    falls ||= score < before;
  }
  if (rises && falls) return 'mixed';
  if (rises) return 'rising';
  return falls ? 'falling' : undefined;
}
