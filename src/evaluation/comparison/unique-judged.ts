import { hasUniqueJudged } from '../../ir/pool-bias.ts';
import { toKey, type ComparisonReader } from './comparison-reader.ts';
import type { QuestionPair } from './pair-questions.ts';
import { comparisonSides as sides, type RunPair } from './read-run.ts';

/**
 * Whether each side has a judged document in its top `depth` that no other run of the evaluations has there. Nearly always
 * a few questions show that both have one, and no more are read.
 */
export async function findUniqueSides(
  reader: ComparisonReader,
  pairs: readonly QuestionPair[],
  { pair, depth }: { readonly pair: RunPair; readonly depth: number },
): Promise<Readonly<Record<keyof RunPair, boolean>>> {
  const found = { baseline: false, candidate: false };
  const paired = new Set(pairs.map(({ baseline }) => baseline.id));
  const runs = await reader.listRuns([pair.baseline.evaluation, pair.candidate.evaluation]);
  for await (const { id, ...question } of reader.streamRankings(runs)) {
    if (!paired.has(id)) continue;
    for (const side of sides) found[side] ||= hasUniqueJudged(toKey(pair[side]), question, depth);
    if (found.baseline && found.candidate) break;
  }
  return found;
}
