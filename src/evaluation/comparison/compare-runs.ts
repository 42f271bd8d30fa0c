import { setImmediate } from 'node:timers/promises';

import { adjustHolm } from '../../ir/statistics/holm.ts';
import type { Database } from '../../storage/database/database.ts';
import {
  compareOn,
  decideInFamily,
  type ComparisonRequest,
  type RunComparison,
} from './compare-on.ts';
import { currentSignal, inTurn } from '../computations/current-request.ts';
import { createComparisonReader, type ComparisonReader } from './comparison-reader.ts';
import { findComparable } from './find-comparable.ts';
import { pairQuestions } from './pair-questions.ts';
import type { RunPair } from './read-run.ts';

/**
 * Compares each pair on each measure, question by question, over the questions scored in both. Refuses
 * runs over different contents of a question set with `conflict`. The runs are read when the turn
 * comes, so that comparisons that wait take no memory.
 */
export async function compareRuns(
  db: Database,
  pairs: readonly RunPair[],
  request: ComparisonRequest,
): Promise<readonly RunComparison[]> {
  const references = pairs.flatMap(({ baseline, candidate }) => [baseline, candidate]);
  const evaluations = await findComparable(db, references);
  const reader = createComparisonReader(db, evaluations, request.measures, request.sliceBy);
  const largest = Math.max(...[...evaluations.values()].map(({ total }) => total));
  const rankings = references.length * request.measures.length * largest;
  return inTurn(() => compareAll(reader, pairs, request), rankings);
}

async function compareAll(
  reader: ComparisonReader,
  pairs: readonly RunPair[],
  request: ComparisonRequest,
): Promise<readonly RunComparison[]> {
  const comparisons: RunComparison[] = [];
  for (const pair of pairs) {
    const baseline = await reader.readValues(pair.baseline);
    const paired = pairQuestions(baseline, await reader.readValues(pair.candidate));
    const runs = { pair, ...paired };
    for (const [index, measure] of request.measures.entries()) {
      await setImmediate();
      currentSignal()?.throwIfAborted();
      comparisons.push(await compareOn(reader, request, { runs, measure, index }));
    }
  }
  return comparisons;
}

/** Adds to each comparison of a family its p after Holm, by the randomization test, which then decides the verdict. */
export function adjustFamily(
  comparisons: readonly RunComparison[],
  confidence: number,
): readonly RunComparison[] {
  const adjusted = adjustHolm(comparisons.map(({ tests }) => tests.randomization.p));
  const bounded = comparisons.filter(({ tests }) => tests.guaranteed.p !== null);
  const guaranteed = adjustHolm(bounded.map(({ tests }) => tests.guaranteed.p ?? 1));
  return comparisons.map((comparison, index) =>
    decideInFamily(comparison, {
      confidence,
      pAdjusted: adjusted[index] ?? 1,
      pGuaranteed: guaranteed[bounded.indexOf(comparison)] ?? null,
    }),
  );
}
