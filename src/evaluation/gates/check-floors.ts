import { rangeOf } from '../../ir/measures/measure-range.ts';
import type { GateVerdict } from '../../ir/statistics/gate-verdict.ts';
import { meanInterval } from '../../ir/statistics/mean-interval.ts';
import { mean } from '../../ir/statistics/mean.ts';
import type { Floor, FloorCheck, GateSnapshot } from '../../model/gate.ts';
import type { RunQuestions } from '../comparison/read-run.ts';
import { parseOneMeasure } from '../measures/resolve-measures.ts';

/** Fixed, so that equal runs get equal decisions. */
const resampling = { resamples: 10_000, seed: 1 } as const;

/** Holds the means of a run against the minimums of a gate. `first` is the place of the first one's measure among the values. */
export function checkFloors(
  { floors = [], confidence }: Pick<GateSnapshot, 'floors' | 'confidence'>,
  run: RunQuestions,
  first: number,
): readonly FloorCheck[] {
  return floors.map((floor, index) => {
    const values = [...run.values()].flatMap((question) => question.values[first + index] ?? []);
    const range = rangeOf(parseOneMeasure(floor.measure, '/gate/floors'));
    const interval = meanInterval(values, range, { ...resampling, confidence });
    const ends = interval && { low: interval.low, high: interval.high };
    const found = { questions: values.length, mean: mean(values), interval: ends };
    return { ...floor, ...found, verdict: judgeFloor(floor, found) };
  });
}

/** An interval decides only if it is entirely on one side of the minimum. Without questions it is inconclusive. */
function judgeFloor(
  { minimum, on }: Floor,
  { mean: value, interval }: Pick<FloorCheck, 'mean' | 'interval'>,
): GateVerdict {
  if (value === null) return 'inconclusive';
  if (on === 'mean') return value >= minimum ? 'pass' : 'fail';
  if (interval === null) return 'inconclusive';
  if (interval.low >= minimum) return 'pass';
  return interval.high < minimum ? 'fail' : 'inconclusive';
}
