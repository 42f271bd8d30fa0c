import { findDirection } from '../../ir/score-direction.ts';
import type { RunNotes } from '../../storage/catalog/run-notes.ts';
import type { StagedPair } from './stage-pairs.ts';

/** Notes properties of the order of the file, which sorting by score hides. */
export interface RunNotesCollector {
  readonly add: (questionId: string, pairs: readonly StagedPair[]) => void;
  readonly toNotes: () => RunNotes;
}

const maxSamples = 5;

export function createRunNotes(): RunNotesCollector {
  const counts = { scored: 0, rising: 0, hasRanks: false, repeatedRanks: 0 };
  const samples: string[] = [];
  return {
    add(questionId, pairs) {
      const ranks = pairs.flatMap(({ rank }) => rank ?? []);
      const isRanked = ranks.length === pairs.length;
      const areDistinct = new Set(ranks).size === ranks.length;
      counts.hasRanks ||= isRanked && areDistinct && pairs.length > 1;
      if (!areDistinct) {
        counts.repeatedRanks += 1;
        if (samples.length < maxSamples) samples.push(questionId);
      }
      const listed =
        isRanked && areDistinct ? pairs.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0)) : pairs;
      const direction = findDirection(listed.map(({ value }) => value));
      counts.scored += direction ? 1 : 0;
      counts.rising += direction === 'rising' ? 1 : 0;
    },
    toNotes: () => ({ ...counts, repeatedRankSamples: samples }),
  };
}
