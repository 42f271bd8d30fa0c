import { setImmediate } from 'node:timers/promises';

import { isBounded } from '../../ir/measures/measure.ts';
import { blindTo } from '../../ir/statistics/blind-to.ts';
import { pairDifferences } from '../../ir/statistics/differences.ts';
import { gaffkeBound } from '../../ir/statistics/gaffke.ts';
import { judgeDrop } from '../../ir/statistics/gate-verdict.ts';
import { adjustHolm } from '../../ir/statistics/holm.ts';
import { testNonInferiority } from '../../ir/statistics/non-inferiority.ts';
import { questionsNeeded } from '../../ir/statistics/strength.ts';
import { areIdentical, type QuestionPair } from '../comparison/pair-questions.ts';
import { parseMeasures } from '../measures/resolve-measures.ts';
import type { GateSnapshot, GateCheck } from '../../model/gate.ts';

/** Fixed, so that equal runs get equal decisions. */
const resampling = { resamples: 10_000, seed: 1 } as const;

/** Of `blindTo`, regardless of the gate's own, so that all values of `blindTo` are comparable. */
const blindConfidence = 0.95;

type Untested = 'pAdjusted' | 'verdict' | 'notes';
type TestedCheck = Omit<Required<GateCheck>, Untested>;

/** Tests each measure of a gate over all pairs, and over those of each slice. */
export async function checkDrops(
  gate: GateSnapshot,
  pairs: readonly QuestionPair[],
): Promise<readonly GateCheck[]> {
  const tested: TestedCheck[] = [];
  const measures = parseMeasures(gate.measures, '/gate/measures');
  for (const scope of listScopes(gate, pairs)) {
    const isIdentical = areIdentical(scope.pairs);
    for (const [index, measure] of measures.entries()) {
      const { slice, isCounted } = scope;
      const maxDrop = slice ? scope.maxDrop : (gate.maxDrops?.[measure.name] ?? scope.maxDrop);
      const test = testDrop(gate, {
        scope: { ...scope, maxDrop },
        index,
        isMeasureBounded: isBounded(measure),
      });
      tested.push({ measure: measure.name, slice, maxDrop, isCounted, isIdentical, ...test });
      await setImmediate();
    }
  }
  return judge(gate, tested);
}

function testDrop(
  gate: GateSnapshot,
  {
    scope,
    index,
    isMeasureBounded,
  }: { readonly scope: Scope; readonly index: number; readonly isMeasureBounded: boolean },
): Omit<TestedCheck, 'measure' | 'slice' | 'maxDrop' | 'isCounted' | 'isIdentical'> {
  const [baseline, candidate] = [
    valuesOf(scope, 'baseline', index),
    valuesOf(scope, 'candidate', index),
  ];
  const { maxDrop } = scope;
  const { confidence } = gate;
  const strength = gate.strength === 'guaranteed' && isMeasureBounded ? 'guaranteed' : 'usual';
  const bound = { margin: maxDrop, confidence };
  return {
    ...testNonInferiority(baseline, candidate, { ...resampling, maxDrop, confidence }),
    strength,
    blindTo: blindTo(scope.pairs.length, blindConfidence),
    questionsNeeded: questionsNeeded(strength, { ...bound, isBounded: isMeasureBounded }),
    guarantee:
      strength === 'guaranteed' ? gaffkeBound(pairDifferences(baseline, candidate), bound) : null,
  };
}

interface Scope {
  readonly slice: GateCheck['slice'];
  readonly pairs: readonly QuestionPair[];
  readonly maxDrop: number;
  readonly isCounted: boolean;
}

function listScopes(gate: GateSnapshot, pairs: readonly QuestionPair[]): readonly Scope[] {
  const { maxDrop, slices, sliceMaxDrop, minSliceQuestions } = gate;
  const whole = { slice: null, pairs, maxDrop, isCounted: true };
  const parts = slices.flatMap((dimension, index) =>
    groupBySlice(pairs, index).map(([value, members]) => ({
      slice: { dimension, value },
      pairs: members,
      maxDrop: sliceMaxDrop,
      isCounted: members.length >= minSliceQuestions,
    })),
  );
  return [whole, ...parts];
}

function groupBySlice(
  pairs: readonly QuestionPair[],
  dimension: number,
): readonly (readonly [string, readonly QuestionPair[]])[] {
  const groups = new Map<string, QuestionPair[]>();
  for (const pair of pairs) {
    for (const value of pair.candidate.slices[dimension] ?? []) {
      const members = groups.get(value) ?? [];
      members.push(pair);
      groups.set(value, members);
    }
  }
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function valuesOf(
  { pairs }: Scope,
  side: 'baseline' | 'candidate',
  measure: number,
): readonly number[] {
  return pairs.map((pair) => pair[side].values[measure] ?? Number.NaN);
}

function judge(
  { confidence, strength }: GateSnapshot,
  tested: readonly TestedCheck[],
): readonly GateCheck[] {
  const counted = tested.filter(({ isCounted }) => isCounted);
  const adjusted = adjustHolm(counted.map(({ pLarger }) => pLarger ?? 1));
  const isWeaker = (check: TestedCheck) => strength === 'guaranteed' && check.strength === 'usual';
  const byCheck = new Map(counted.map((check, index) => [check, adjusted[index] ?? null]));
  return tested.map((check) => {
    const pAdjusted = byCheck.get(check) ?? null;
    const verdict = judgeDrop(check, { maxDrop: check.maxDrop, confidence, pAdjusted });
    return { ...check, pAdjusted, verdict, notes: isWeaker(check) ? [withoutGuarantee] : [] };
  });
}

/** In a gate that asks for a guarantee. */
const withoutGuarantee =
  'the measure has no upper bound, so nothing can be guaranteed: decided as in a gate of usual strength';
