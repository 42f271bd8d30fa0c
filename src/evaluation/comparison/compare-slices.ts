import { InvalidInputError } from '../../errors.ts';
import type { ComparisonOptions } from '../../ir/statistics/compare-paired.ts';
import type { PairedComparison } from '../../ir/statistics/paired-comparison.ts';
import type { SliceDimension } from '../../model/question.ts';
import { runTask } from '../statistics/run-task.ts';
import type { QuestionPair } from './pair-questions.ts';

/** The difference on the questions of one slice. It has no verdict: among many slices one differs by luck. */
export type ComparedSlice = Pick<
  PairedComparison,
  'questions' | 'wins' | 'losses' | 'ties' | 'means' | 'meanDifference' | 'interval'
>;

/** By dimension, then by value. */
export type ComparedSlices = Readonly<Record<string, Readonly<Record<string, ComparedSlice>>>>;

/** Each slice is resampled on its own. */
const maxSlices = 100;

/** Compares the pairs of each slice on the measure that stands at `index`. Refuses too many slices. */
export async function compareSlices(
  pairs: readonly QuestionPair[],
  sliceBy: readonly SliceDimension[],
  { index, options }: { readonly index: number; readonly options: ComparisonOptions },
): Promise<ComparedSlices> {
  const dimensions = sliceBy.map((dimension, place) => [dimension, group(pairs, place)] as const);
  refuseTooMany(dimensions.reduce((sum, [, groups]) => sum + groups.size, 0));
  const slices: [string, Readonly<Record<string, ComparedSlice>>][] = [];
  for (const [dimension, groups] of dimensions) {
    const found: [string, ComparedSlice][] = [];
    for (const [value, members] of [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const valuesOf = (side: keyof QuestionPair) =>
        members.map((pair) => pair[side].values[index] ?? Number.NaN);
      const values = { baseline: valuesOf('baseline'), candidate: valuesOf('candidate') };
      const compared = await runTask('comparePaired', { ...values, options });
      const { questions, wins, losses, ties, means, meanDifference, interval } = compared;
      found.push([value, { questions, wins, losses, ties, means, meanDifference, interval }]);
    }
    slices.push([dimension, Object.fromEntries(found)]);
  }
  return Object.fromEntries(slices);
}

function group(
  pairs: readonly QuestionPair[],
  dimension: number,
): ReadonlyMap<string, readonly QuestionPair[]> {
  const groups = new Map<string, QuestionPair[]>();
  for (const pair of pairs) {
    for (const value of pair.baseline.slices[dimension] ?? []) {
      const members = groups.get(value) ?? [];
      members.push(pair);
      groups.set(value, members);
    }
  }
  return groups;
}

function refuseTooMany(slices: number): void {
  if (slices <= maxSlices) return;
  const detail = `makes ${slices} slices; at most ${maxSlices} are allowed`;
  throw new InvalidInputError('The comparison has too many slices', [
    { pointer: '/body/sliceBy', detail },
  ]);
}
