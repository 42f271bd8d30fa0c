import { quoteId } from '../../ir/near-ids.ts';
import type { RunNotes } from '../../storage/catalog/run-notes.ts';
import { nameSome, warnIf, type Warning } from '../../model/warnings.ts';
import { warnOfRising } from './check-scores.ts';

/** Warnings about a run as it was imported. Its rankings are ordered by score, so that they do not show this. */
export function listRunWarnings(notes: RunNotes | undefined): readonly Warning[] {
  if (!notes) return [];
  const { rising, scored, hasRanks, repeatedRanks, repeatedRankSamples } = notes;
  const order = hasRanks ? 'by the rank column' : 'as it was sent';
  const finding = `The order of the run ${order} is the reverse of its order by score, which counts: scores rise along the rankings`;
  return [
    ...warnOfRising({ rising, all: scored }, finding),
    ...warnIf(repeatedRanks, {
      code: 'repeated-ranks',
      message: `Two documents of one question have the same rank: ${nameSome(repeatedRankSamples.map(quoteId))}. The order is that of the scores, and of equal scores that of the ids`,
    }),
  ];
}
