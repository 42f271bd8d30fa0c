import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';

import { createMean } from '../stable-sum.ts';
import { logBets, stakes } from './betting.ts';
import { levelOf, withoutNoise } from './level.ts';

export interface DropTestOptions {
  /** How far the mean may lie below the baseline's without an alarm, 0 or more. */
  readonly maxDrop: number;
  /** One minus it bounds the chance that an alarm is ever given without reason. */
  readonly confidence: number;
}

/** The state after a night. */
export interface DropTestNight {
  /** What the bets have made of 1 so far, at most the largest number there is. */
  readonly evidence: number;
  /** What the night's mean difference was held against: `maxDrop` and the baseline's luck. `null` for a skipped night. */
  readonly margin: number | null;
}

export interface DropTest {
  /** The evidence at which an alarm is given. */
  readonly threshold: number;
  /** Takes the next night's differences to the baseline, question by question; `null`: a night that does not count. */
  readonly add: (differences: readonly number[] | null) => DropTestNight;
}

/** Of the accepted chance of a false alarm, the part that the baseline's luck may have. */
const luckShare = 0.2;

/**
 * A test that may be read every night: does the mean over these questions lie below the baseline's by more
 * than `maxDrop`? Nights are the unit. Each multiplies what was staked before it by its bets (`logBets`); a
 * part w(t) = 1 / (t (t + 1)) of the whole, all of which sum to 1, enters in night t, so that a drop that
 * begins late is found as an early one. The sum is a supermartingale as long as no night's expected mean,
 * given the nights before, lies below −margin; the chance that it ever reaches 1/α is then at most α
 * (Ville 1939; Waudby-Smith and Ramdas, JRSS B 86, 2024; entering in parts: Shin, Ramdas and Rinaldo,
 * E-detectors, 2023). Margin = maxDrop + z √(mean of Σd² / (2n²)) over the nights before allows for
 * the baseline having been a lucky night; α is shared between the two.
 */
export function createDropTest({ maxDrop, confidence }: DropTestOptions): DropTest {
  assertOptions(maxDrop, confidence);
  const alpha = levelOf(confidence);
  const luckQuantile = normalQuantile(1 - luckShare * alpha, 0, 1);
  const variance = createMean();
  let logWealth = stakes.map(() => Number.NEGATIVE_INFINITY);
  let night = 0;

  /** From the nights before; the first has only itself. */
  function marginFor(differences: readonly number[]): number {
    const own = luckVariance(differences);
    const known = variance.mean ?? own;
    variance.add(own);
    return maxDrop + luckQuantile * Math.sqrt(known);
  }

  return {
    threshold: withoutNoise(1 / ((1 - luckShare) * alpha)),
    add(differences) {
      night += 1;
      const margin = differences && marginFor(differences);
      const bets = differences && margin !== null ? logBets(differences, margin) : [];
      const entering = -Math.log(night * (night + 1));
      logWealth = logWealth.map((log, index) => logAdd(log, entering) + (bets[index] ?? 0));
      const waiting = -Math.log(night + 1);
      const evidence = Math.exp(logAdd(logMeanExp(logWealth), waiting));
      return { evidence: Math.min(evidence, Number.MAX_VALUE), margin };
    },
  };
}

function assertOptions(maxDrop: number, confidence: number): void {
  if (!(maxDrop >= 0 && maxDrop <= 1)) {
    throw new RangeError(`maxDrop must lie between 0 and 1, not ${maxDrop}`);
  }
  if (!(confidence > 0 && confidence < 1)) {
    throw new RangeError(`confidence must lie between 0 and 1, not ${confidence}`);
  }
}

/** Of the mean of one of two nights of the same search: each question's variance is estimated by d² / 2. */
function luckVariance(differences: readonly number[]): number {
  if (differences.length === 0) return 0;
  const squares = differences.reduce((sum, difference) => sum + difference ** 2, 0);
  return squares / (2 * differences.length ** 2);
}

function logMeanExp(logs: readonly number[]): number {
  const total = logs.reduce((sum, value) => logAdd(sum, value), Number.NEGATIVE_INFINITY);
  return total - Math.log(logs.length);
}

function logAdd(a: number, b: number): number {
  const [low, high] = a < b ? [a, b] : [b, a];
  return low === Number.NEGATIVE_INFINITY ? high : high + Math.log1p(Math.exp(low - high));
}
