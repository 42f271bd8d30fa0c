import type { Measure } from '../../ir/measures/measure.ts';
import { isBoundable, type Bounds } from '../../ir/unjudged/bounds.ts';
import { decide, meanBounds, type Decision } from '../../ir/unjudged/decision.ts';
import type { ComparisonReader, RunNames } from './comparison-reader.ts';
import type { QuestionPair } from './pair-questions.ts';
import { pairRankings } from './ranked-questions.ts';
import type { RunPair } from './read-run.ts';
import { runTask } from '../statistics/run-task.ts';

/** The exact range of the mean difference over everything that the missing labels could be. */
export interface DifferenceBounds extends Bounds {
  /** Whether every labelling has one sign. */
  readonly decided: boolean;
  readonly decision: Decision;
  /** The end of the scale that labels were taken from: the highest grade of the set. */
  readonly highestGrade: number;
  readonly explanation: string;
}

/** Over the compared questions. `null` for a measure without exact bounds, and without such questions. */
export async function boundComparison(
  reader: ComparisonReader,
  {
    pair,
    pairs,
    names,
  }: {
    readonly pair: RunPair;
    readonly pairs: readonly QuestionPair[];
    readonly names: RunNames;
  },
  measure: Measure,
): Promise<DifferenceBounds | null> {
  if (!isBoundable(measure)) return null;
  const highestGrade = await reader.findHighestGrade();
  const compared = new Set(pairs.map(({ baseline }) => baseline.id));
  const judgments = await reader.readJudgments();
  const questions = pairRankings(
    await reader.readRankings(pair.baseline),
    await reader.readRankings(pair.candidate),
    new Map([...judgments].filter(([id]) => compared.has(id))),
  );
  const task = { measure: measure.name, questions, maxGrade: highestGrade };
  const bounds = meanBounds(await runTask('boundDifferences', task));
  if (!bounds) return null;
  const decision = decide(bounds);
  return {
    ...bounds,
    decided: decision !== 'undecided',
    decision,
    highestGrade,
    explanation: explain(decision, names, measure.name),
  };
}

function explain(decision: Decision, { baseline, candidate }: RunNames, measure: string): string {
  const whatever = 'For every possible grading of the unjudged documents in the rankings';
  const ends: Readonly<Record<Decision, string>> = {
    higher: `${whatever}, ${candidate} is ahead of ${baseline} on these questions by mean ${measure}.`,
    lower: `${whatever}, ${candidate} is behind ${baseline} on these questions by mean ${measure}.`,
    equal: `${whatever}, ${candidate} and ${baseline} have the same mean ${measure} on these questions.`,
    undecided: `Whether ${baseline} or ${candidate} has the higher mean ${measure} on these questions depends on unjudged documents in the rankings. POST /v1/pool with "order": "impact" lists which to judge first.`,
  };
  return ends[decision];
}
