import { setImmediate } from 'node:timers/promises';

import { judgeDrop } from '../ir/statistics/gate-verdict.ts';
import { adjustHolm } from '../ir/statistics/holm.ts';
import { testNonInferiority } from '../ir/statistics/non-inferiority.ts';
import type { FixedGate } from '../storage/gates.ts';
import type { GateCheck } from './gate-decision.ts';
import type { QuestionPair } from './pair-questions.ts';

/** Fixed, so that equal runs get equal decisions. */
const resampling = { resamples: 10_000, seed: 1 } as const;

type Untested = 'pAdjusted' | 'verdict' | 'notes';

/** Tests each measure of a gate over all pairs, and over those of each slice. */
export async function checkDrops(
  gate: FixedGate,
  pairs: readonly QuestionPair[],
): Promise<readonly GateCheck[]> {
  const tested: Omit<GateCheck, Untested>[] = [];
  for (const scope of listScopes(gate, pairs)) {
    for (const [index, measure] of gate.measures.entries()) {
      const [baseline, candidate] = [
        valuesOf(scope, 'baseline', index),
        valuesOf(scope, 'candidate', index),
      ];
      const options = { ...resampling, maxDrop: scope.maxDrop, confidence: gate.confidence };
      const { slice, maxDrop, isCounted } = scope;
      const test = testNonInferiority(baseline, candidate, options);
      tested.push({ measure, slice, maxDrop, isCounted, ...test });
      await setImmediate();
    }
  }
  return judge(gate, tested);
}

interface Scope {
  readonly slice: GateCheck['slice'];
  readonly pairs: readonly QuestionPair[];
  readonly maxDrop: number;
  readonly isCounted: boolean;
}

function listScopes(gate: FixedGate, pairs: readonly QuestionPair[]): readonly Scope[] {
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
  { confidence }: FixedGate,
  tested: readonly Omit<GateCheck, Untested>[],
): readonly GateCheck[] {
  const counted = tested.filter(({ isCounted }) => isCounted);
  const adjusted = adjustHolm(counted.map(({ pLarger }) => pLarger ?? 1));
  const byCheck = new Map(counted.map((check, index) => [check, adjusted[index] ?? null]));
  return tested.map((check) => {
    const pAdjusted = byCheck.get(check) ?? null;
    const verdict = judgeDrop(check, { maxDrop: check.maxDrop, confidence, pAdjusted });
    return { ...check, pAdjusted, verdict, notes: notesOn(check) };
  });
}

/** Below this number a gate passes a drop at the margin in more than 5 % of the cases, as `bench/gate-error-rates.ts` shows. */
const fewQuestions = 50;

function notesOn({ questions, isTooFew }: Omit<GateCheck, Untested>): readonly string[] {
  if (isTooFew || questions >= fewQuestions) return [];
  return [
    `${questions} questions are few: a loss on rare questions may not be among them, and the bounds know only what was asked`,
  ];
}
