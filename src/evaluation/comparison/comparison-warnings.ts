import type { Measure } from '../../ir/measures/measure.ts';
import type { PooledQuestion } from '../../ir/pool-bias.ts';
import { mean } from '../../ir/statistics/mean.ts';
import { findUniqueSides } from './unique-judged.ts';
import { toKey, type ComparisonReader, type RunNames } from './comparison-reader.ts';
import type { QuestionPair } from './pair-questions.ts';
import { joinRankings, type RunRankings } from './ranked-questions.ts';
import { comparisonSides as sides, returnsNothingJudged, type RunPair } from './read-run.ts';
import { runTask } from '../statistics/run-task.ts';
import { toWarning, type Warning } from '../../model/warnings.ts';

/** A warning about one side of a comparison. */
export interface ComparisonWarning extends Warning {
  readonly side: keyof RunPair;
  /** `tied-scores`: the least and the greatest mean that another order of equal scores would have given. */
  readonly worst?: number;
  readonly best?: number;
  /** `pool-bias`: how much the mean of the other side drops without the judgments that only that side contributed. */
  readonly scoreDrop?: number;
  /** The former name of `scoreDrop`, returned for one more release. */
  readonly fall?: number;
}

/** Where no document that a side returned is judged, so that its zeros are no loss of quality. */
export async function warnOfUnmatched(
  reader: ComparisonReader,
  pair: RunPair,
  names: RunNames,
): Promise<readonly ComparisonWarning[]> {
  const warnings: ComparisonWarning[] = [];
  for (const side of sides) {
    const questions = await reader.readValues(pair[side]);
    if (!returnsNothingJudged(questions.values())) continue;
    const message = `No document that ${names[side]} returned is judged, so its measures say nothing about the search and the comparison means nothing. The warnings of its evaluation name the cause`;
    const text = { code: 'no-judged-document-returned', message } as const;
    warnings.push({ ...toWarning(text, questions.size), side });
  }
  return warnings;
}

/** Where equal scores could have come in another order, and the measure would be another. */
export function warnOfTies(
  pairs: readonly QuestionPair[],
  names: RunNames,
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
    const message = `Documents of ${names[side]} have equal scores and could be ordered differently: its mean would lie between ${worst.toFixed(4)} and ${best.toFixed(4)}`;
    const warning = toWarning({ code: 'tied-scores', message }, moved.length);
    return { ...warning, side, worst, best };
  });
}

/** How far down a measure without cut-off is taken to have been pooled. */
const defaultDepth = 10;

/**
 * Where the documents that only one side retrieved are unjudged, and those of the other side are judged: the first was
 * not pooled, and the other's lead rests in part on that. What other configurations of the
 * evaluations bring too is not only one's.
 */
export async function warnOfPoolBias(
  reader: ComparisonReader,
  pairs: readonly QuestionPair[],
  {
    pair,
    names,
    measure,
  }: { readonly pair: RunPair; readonly names: RunNames; readonly measure: Measure },
): Promise<readonly ComparisonWarning[]> {
  const depth = measure.cutoff ?? defaultDepth;
  const isUnjudged = ({ baseline, candidate }: QuestionPair) =>
    [baseline, candidate].some(
      ({ uncertainty }) => (uncertainty?.firstUnjudged ?? Infinity) <= depth,
    );
  // Who was pooled has a judgment for every document in the top, so then there is nothing to read.
  if (!pairs.some(isUnjudged)) return [];
  const unique = await findUniqueSides(reader, pairs, { pair, depth });
  if (unique.baseline === unique.candidate) return [];
  const questions = await joinRuns(reader, pairs, { pair, measure });
  const maxGrade = await reader.findHighestGrade();
  const task = { measure: measure.name, questions, maxGrade, depth };
  const found = await runTask('measurePoolBias', task);
  return sides.flatMap((side) => {
    const other = side === 'baseline' ? 'candidate' : 'baseline';
    const [own, others] = [pair[side], pair[other]].map((run) =>
      found.find(({ configuration }) => configuration === toKey(run)),
    );
    if (!own || !others || own.uniqueJudged > 0 || others.uniqueJudged === 0) return [];
    if (own.uniqueDocuments === 0) return [];
    const { scoreDrop } = others;
    const message = `None of the ${own.uniqueDocuments} documents that only ${names[side]} has in its top ${depth} is judged, but ${others.uniqueJudged} of those that only ${names[other]} has are: ${names[side]} was not pooled. Without these judgments the mean ${measure.name} of ${names[other]} drops by ${scoreDrop.toFixed(4)}`;
    const drops = { scoreDrop, fall: scoreDrop };
    const warning = toWarning({ code: 'pool-bias', message }, own.uniqueQuestions);
    return { ...warning, side, ...drops };
  });
}

async function joinRuns(
  reader: ComparisonReader,
  pairs: readonly QuestionPair[],
  { pair: { baseline, candidate }, measure }: { readonly pair: RunPair; readonly measure: Measure },
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
