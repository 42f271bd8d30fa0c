import type { Measure } from '../../ir/measures/measure.ts';
import type { PooledQuestion } from '../../ir/pool-bias.ts';
import { mean } from '../../ir/statistics/mean.ts';
import { toKey, type ComparisonReader } from './comparison-reader.ts';
import type { QuestionPair } from './pair-questions.ts';
import { joinRankings, type RunRankings } from './ranked-questions.ts';
import { comparisonSides as sides, type RunPair } from './read-run.ts';
import { runTask } from '../statistics/run-task.ts';
import type { Warning } from '../../model/warnings.ts';

/** A warning about one side of a comparison. */
export interface ComparisonWarning extends Warning {
  readonly code: 'unsearched-questions' | 'tied-scores' | 'pool-bias';
  readonly side: keyof RunPair;
  /** `tied-scores`: the least and the greatest mean that another order of equal scores would have given. */
  readonly worst?: number;
  readonly best?: number;
  /** `pool-bias`: how much the mean of the other side drops without the judgments that only that side contributed. */
  readonly scoreDrop?: number;
  /** The former name of `scoreDrop`, returned for one more release. */
  readonly fall?: number;
}

/** Where equal scores could have come in another order, and the measure would be another. */
export function warnOfTies(
  pairs: readonly QuestionPair[],
  names: RunPair,
  index: number,
): readonly ComparisonWarning[] {
  return sides.flatMap((side) => {
    const asked = pairs.map((pair) => pair[side]);
    const moved = asked.filter(({ uncertainty }) => uncertainty?.ties[index] !== undefined);
    if (moved.length === 0) return [];
    const meanOf = (end: 'worst' | 'best') =>
      mean(
        asked.map(
          ({ values, uncertainty }) => uncertainty?.ties[index]?.[end] ?? values[index] ?? 0,
        ),
      ) ?? 0;
    const [worst, best] = [meanOf('worst'), meanOf('best')];
    const message = `Documents of ${names[side].configuration} have equal scores and could be ordered differently: its mean would lie between ${worst.toFixed(4)} and ${best.toFixed(4)}`;
    return { code: 'tied-scores' as const, message, questions: moved.length, side, worst, best };
  });
}

/** How far down a measure without cut-off is taken to have been pooled. */
const defaultDepth = 10;

/**
 * Where nobody judged what only one side brings, and somebody did what only the other brings: the first was
 * not pooled, and the other's lead rests in part on that. What other configurations of the
 * evaluations bring too is not only one's.
 */
export async function warnOfPoolBias(
  reader: ComparisonReader,
  pairs: readonly QuestionPair[],
  { names, measure }: { readonly names: RunPair; readonly measure: Measure },
): Promise<readonly ComparisonWarning[]> {
  const depth = measure.cutoff ?? defaultDepth;
  const isUnjudged = ({ baseline, candidate }: QuestionPair) =>
    [baseline, candidate].some(
      ({ uncertainty }) => (uncertainty?.firstUnjudged ?? Infinity) <= depth,
    );
  // Who was pooled has a judgment for every document in the top, so then there is nothing to read.
  if (!pairs.some(isUnjudged)) return [];
  const questions = await joinRuns(reader, pairs, { names, measure });
  const maxGrade = await reader.findHighestGrade();
  const task = { measure: measure.name, questions, maxGrade, depth };
  const found = await runTask('measurePoolBias', task);
  return sides.flatMap((side) => {
    const other = side === 'baseline' ? 'candidate' : 'baseline';
    const [own, others] = [names[side], names[other]].map((name) =>
      found.find(({ configuration }) => configuration === toKey(name)),
    );
    if (!own || !others || own.uniqueJudged > 0 || others.uniqueJudged === 0) return [];
    if (own.uniqueDocuments === 0) return [];
    const { scoreDrop } = others;
    const message = `None of the ${own.uniqueDocuments} documents that only ${names[side].configuration} has in its top ${depth} is judged, but ${others.uniqueJudged} of those that only ${names[other].configuration} has are: ${names[side].configuration} was not pooled. Without these judgments the mean ${measure.name} of ${names[other].configuration} drops by ${scoreDrop.toFixed(4)}`;
    const drops = { scoreDrop, fall: scoreDrop };
    return { code: 'pool-bias' as const, message, questions: own.uniqueQuestions, side, ...drops };
  });
}

async function joinRuns(
  reader: ComparisonReader,
  pairs: readonly QuestionPair[],
  {
    names: { baseline, candidate },
    measure,
  }: { readonly names: RunPair; readonly measure: Measure },
): Promise<Iterable<PooledQuestion>> {
  const runs = new Map<string, RunRankings>();
  for (const run of await reader.listRuns([baseline.evaluation, candidate.evaluation])) {
    runs.set(toKey(run), await reader.readRankings(run));
  }
  const paired = new Set(pairs.map((pair) => pair.baseline.id));
  const judgments = await reader.readJudgments();
  const known = new Map([...judgments].filter(([id]) => paired.has(id)));
  // Below its cut-off a measure reads nothing.
  return joinRankings(runs, known, measure.cutoff);
}
