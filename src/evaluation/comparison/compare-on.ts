import { isBounded, type Measure } from '../../ir/measures/measure.ts';
import type { ComparisonOptions } from '../../ir/statistics/compare-paired.ts';
import { comparisonNotes } from '../../ir/statistics/comparison-notes.ts';
import { pairDifferences, summarizeDifferences } from '../../ir/statistics/differences.ts';
import {
  effectSizeInterval,
  type EffectSizeInterval,
} from '../../ir/statistics/effect-size-interval.ts';
import { explainComparison } from '../../ir/statistics/explain-comparison.ts';
import { levelOf } from '../../ir/statistics/level.ts';
import type { PairedComparison } from '../../ir/statistics/paired-comparison.ts';
import {
  showEquivalence,
  type EquivalenceRequest,
  type ShownEquivalence,
} from '../../ir/statistics/show-equivalence.ts';
import { verdictOf } from '../../ir/statistics/verdict.ts';
import { listDifferences, type QuestionDifference } from './list-differences.ts';
import { boundComparison, type DifferenceBounds } from './bound-comparison.ts';
import { compareSlices, type ComparedSlices } from './compare-slices.ts';
import type { ComparisonReader, RunNames } from './comparison-reader.ts';
import type { SliceDimension } from '../../model/question.ts';
import { orderWarnings } from '../../model/warnings.ts';
import {
  warnOfPoolBias,
  warnOfTies,
  warnOfUnmatched,
  type ComparisonWarning,
} from './comparison-warnings.ts';
import { areIdenticalRuns } from './identical-rankings.ts';
import { explainExclusions, type Exclusions, type QuestionPair } from './pair-questions.ts';
import type { RunPair, RunReference } from './read-run.ts';
import { runComparison } from '../statistics/run-comparison.ts';
import { warnOfUnsearched } from './unsearched-questions.ts';

export interface RunComparison extends PairedComparison {
  readonly measure: string;
  readonly baseline: RunReference;
  readonly candidate: RunReference;
  /** What the sentences call the sides; absent: as their configurations. */
  readonly names?: RunNames;
  readonly excluded: Exclusions;
  readonly explanation: string;
  readonly pAdjusted?: number | null;
  readonly effectSizeInterval: EffectSizeInterval | null;
  /** Where they were asked for. */
  readonly slices?: ComparedSlices;
  /** Where it was asked for. */
  readonly equivalence?: ShownEquivalence;
  /** Where they were asked for. */
  readonly bounds?: DifferenceBounds | null;
  readonly warnings: readonly ComparisonWarning[];
  /** Made one by one: a family of comparisons has millions. */
  readonly perQuestion: Iterable<QuestionDifference>;
}

export interface ComparisonRequest extends ComparisonOptions {
  readonly measures: readonly Measure[];
  readonly bounds?: boolean | undefined;
  readonly sliceBy?: readonly SliceDimension[] | undefined;
  readonly equivalence?: EquivalenceRequest | undefined;
}

/** Two runs with the questions that both scored. */
export interface PairedRuns {
  readonly pair: RunPair;
  readonly pairs: readonly QuestionPair[];
  readonly excluded: Exclusions;
}

/** Compares one pair on the measure that stands at `index` in the request. */
export async function compareOn(
  reader: ComparisonReader,
  request: ComparisonRequest,
  {
    runs: { pair, pairs, excluded },
    measure,
    index,
  }: { readonly runs: PairedRuns; readonly measure: Measure; readonly index: number },
): Promise<RunComparison> {
  const valuesOf = (side: keyof RunPair) =>
    pairs.map((each) => each[side].values[index] ?? Number.NaN);
  const values = { baseline: valuesOf('baseline'), candidate: valuesOf('candidate') };
  const { confidence, resamples, permutations, seed, bounds, sliceBy, equivalence } = request;
  const names = reader.nameSides(pair);
  const options = {
    confidence,
    resamples,
    permutations,
    seed,
    isBounded: isBounded(measure),
  };
  const compared = await runComparison({ ...values, options });
  const differences = pairDifferences(values.baseline, values.candidate);
  const summary = summarizeDifferences(differences);
  return {
    ...compared,
    measure: measure.name,
    ...pair,
    excluded,
    ...(areOther(names, pair) && { names }),
    explanation: explain(compared, { names, measure: measure.name, excluded }),
    effectSizeInterval: effectSizeInterval(summary, confidence),
    ...(sliceBy && { slices: await compareSlices(pairs, sliceBy, { index, options }) }),
    ...(equivalence && {
      equivalence: showEquivalence(values, equivalence, {
        isBounded: isBounded(measure),
        isIdentical: await areIdenticalRuns(reader, pair, pairs),
      }),
    }),
    ...(bounds === true && {
      bounds: await boundComparison(reader, { pair, pairs, names }, measure),
    }),
    warnings: orderWarnings([
      ...(await warnOfUnmatched(reader, pair, names)),
      ...(await warnOfUnsearched(reader, pair)),
      ...warnOfTies(pairs, names, index),
      ...(await warnOfPoolBias(reader, pairs, { pair, names, measure })),
    ]),
    perQuestion: {
      [Symbol.iterator]: () => listDifferences(pairs, { ...values, differences }),
    },
  };
}

/** The comparison as one of a family: verdict, notes and sentence by its adjusted p. */
export function decideInFamily(
  comparison: RunComparison,
  {
    confidence,
    pAdjusted,
    pGuaranteed,
  }: {
    readonly confidence: number;
    readonly pAdjusted: number;
    readonly pGuaranteed: number | null;
  },
): RunComparison {
  const { interval, tests } = comparison;
  const guaranteed = { ...tests.guaranteed, pAdjusted: pGuaranteed };
  const verdict = verdictOf(interval, pAdjusted, levelOf(confidence));
  const decided = { ...comparison, tests: { ...tests, guaranteed }, pAdjusted, verdict };
  return {
    ...decided,
    notes: comparisonNotes(decided, { confidence, p: pAdjusted }),
    explanation: explain(decided, { ...comparison, names: namesOf(comparison) }),
  };
}

function explain(
  compared: PairedComparison & Pick<RunComparison, 'pAdjusted'>,
  {
    names,
    measure,
    excluded,
  }: Pick<RunComparison, 'measure' | 'excluded'> & { readonly names: RunNames },
): string {
  return `${explainComparison(compared, { ...names, measure })}${explainExclusions(excluded)}`;
}

function namesOf({
  baseline,
  candidate,
  names,
}: Pick<RunComparison, 'baseline' | 'candidate' | 'names'>): RunNames {
  return names ?? { baseline: baseline.configuration, candidate: candidate.configuration };
}

function areOther(names: RunNames, { baseline, candidate }: RunPair): boolean {
  return names.baseline !== baseline.configuration || names.candidate !== candidate.configuration;
}
