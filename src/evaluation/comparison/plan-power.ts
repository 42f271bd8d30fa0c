import { InvalidInputError } from '../../errors.ts';
import type { Measure } from '../../ir/measures/measure.ts';
import { pairDifferences, summarizeDifferences } from '../../ir/statistics/differences.ts';
import { minimumDetectableEffect, neededQuestions } from '../../ir/statistics/power.ts';
import type { Database } from '../../storage/database/database.ts';
import { inTurn } from '../computations/current-request.ts';
import { findComparable } from './find-comparable.ts';
import { pairQuestions } from './pair-questions.ts';
import { readRun, type RunPair } from './read-run.ts';

export interface PowerRequest {
  /** Default: as many as were compared. */
  readonly n?: number | undefined;
  /** The spread of the differences, unless it is taken from a comparison. */
  readonly sd?: number | undefined;
  /** Runs whose differences say how much questions vary. */
  readonly compared?: RunPair | undefined;
  readonly measure?: Measure | undefined;
  /** The mean difference that one wants to be able to show. */
  readonly difference?: number | undefined;
  readonly power: number;
  readonly alpha: number;
}

/** The difference that a paired two-sided t-test detects with n questions, and the n that a difference needs. */
export interface PowerPlan {
  readonly n: number | null;
  readonly sd: number;
  readonly source: 'given' | 'comparison';
  readonly power: number;
  readonly alpha: number;
  /** With n: the smallest true mean difference that is found with this power. */
  readonly minimumDetectableDifference: number | null;
  readonly difference: number | null;
  /** With a difference: the fewest questions that find it; `null` where even a billion do not. */
  readonly questionsNeeded: number | null;
}

/** Plans from a given spread, or from that of a comparison's differences. Refuses one without spread. */
export async function planPower(db: Database, request: PowerRequest): Promise<PowerPlan> {
  const { power, alpha, difference } = request;
  const compared = await summarizeCompared(db, request);
  const sd = request.sd ?? compared?.deviation ?? 0;
  if (!(sd > 0)) {
    const detail = `the differences of these runs do not vary (${compared?.questions ?? 0} questions); give "sd"`;
    throw new InvalidInputError('Cannot compute the power without variation', [
      { pointer: '/body/measure', detail },
    ]);
  }
  const n = request.n ?? compared?.questions;
  const design = { power, alpha, alternative: 'two-sided' } as const;
  return {
    n: n ?? null,
    sd,
    source: request.sd === undefined ? 'comparison' : 'given',
    power,
    alpha,
    minimumDetectableDifference:
      n === undefined ? null : minimumDetectableEffect({ ...design, n }) * sd,
    difference: difference ?? null,
    questionsNeeded:
      difference === undefined ? null : neededQuestions({ ...design, dz: difference / sd }),
  };
}

async function summarizeCompared(db: Database, { compared, measure }: PowerRequest) {
  if (!compared || !measure) return undefined;
  const evaluations = await findComparable(db, [compared.baseline, compared.candidate]);
  const read = (side: keyof RunPair) => {
    const evaluation = evaluations.get(compared[side].evaluation);
    return readRun(db, compared[side], { evaluation, measures: [measure] });
  };
  const rankings = [...evaluations.values()].reduce((sum, { total }) => sum + total, 0);
  return inTurn(async () => {
    const { pairs } = pairQuestions(await read('baseline'), await read('candidate'));
    const valuesOf = (side: keyof RunPair) =>
      pairs.map((pair) => pair[side].values[0] ?? Number.NaN);
    return summarizeDifferences(pairDifferences(valuesOf('baseline'), valuesOf('candidate')));
  }, rankings);
}
