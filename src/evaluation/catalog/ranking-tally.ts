import { createUnorderedHash, hashJson } from '../../model/hash-content.ts';
import { toPairs, type PositionedRanking } from '../../storage/catalog/runs.ts';

/** What is said of all rankings together. */
export interface RankingTally {
  readonly add: (ranking: PositionedRanking) => void;
  readonly remove: (ranking: PositionedRanking) => void;
  readonly end: () => Promise<{
    readonly contentHash: string;
    readonly questions: number;
    readonly hits: number;
  }>;
}

export function createTally(): RankingTally {
  const hash = createUnorderedHash();
  let questions = 0;
  let hits = 0;
  return {
    add(ranking) {
      hash.add(hashRanking(ranking));
      questions += 1;
      hits += ranking.hits.length;
    },
    remove(ranking) {
      hash.remove(hashRanking(ranking));
      questions -= 1;
      hits -= ranking.hits.length;
    },
    end: async () => ({ contentHash: await hash.digest(), questions, hits }),
  };
}

function hashRanking({ questionId, hits }: PositionedRanking): string {
  return hashJson([questionId, toPairs(hits)]);
}
