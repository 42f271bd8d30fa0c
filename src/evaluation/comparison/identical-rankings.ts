import type { ComparisonReader } from './comparison-reader.ts';
import type { QuestionPair } from './pair-questions.ts';
import type { RunPair } from './read-run.ts';

/** Whether every ranking is that of the other side. Rankings are read only where all values are equal. False without a pair. */
export async function areIdenticalRuns(
  reader: ComparisonReader,
  pair: RunPair,
  pairs: readonly QuestionPair[],
): Promise<boolean> {
  if (pairs.length === 0 || !pairs.every(hasEqualValues)) return false;
  const baseline = await reader.readRankings(pair.baseline);
  const candidate = await reader.readRankings(pair.candidate);
  return pairs.every(({ baseline: { id } }) => {
    const [first, second] = [baseline.get(id), candidate.get(id)];
    if (!first || first.length !== second?.length) return false;
    return first.every((documentId, rank) => documentId === second[rank]);
  });
}

function hasEqualValues({ baseline, candidate }: QuestionPair): boolean {
  return baseline.values.every((value, index) => value === candidate.values[index]);
}
