/** Tells a column of ranks from one of grades. */
export interface RankGuard {
  readonly add: (questionId: string, value: string) => void;
  /** Whether the values of every question were 1, 2, 3 … and some question had at least three. */
  readonly looksLikeRanks: () => boolean;
}

/** Questions whose values are followed; what holds for so many holds for the file. */
const mostQuestions = 10_000;

export function createRankGuard(): RankGuard {
  const last = new Map<string, number>();
  let highest = 0;
  let isBroken = false;
  return {
    add(questionId, value) {
      if (isBroken || (last.size === mostQuestions && !last.has(questionId))) return;
      const rank = (last.get(questionId) ?? 0) + 1;
      isBroken = value !== String(rank);
      last.set(questionId, rank);
      highest = Math.max(highest, rank);
    },
    looksLikeRanks: () => !isBroken && highest >= 3,
  };
}
