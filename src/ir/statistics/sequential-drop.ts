import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';

import { logBets, stakes } from './betting.ts';
import { levelOf, withoutNoise } from './level.ts';
import { createNightVariance, type NightVariance } from './night-variance.ts';
import { numberAt } from './number-at.ts';

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
  /** `maxDrop` plus the uncertainty of the baseline. `null` for a skipped night. */
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
 * E-detectors, 2023). Margin = maxDrop + z √(variance of a night's mean) allows for the baseline having been a
 * lucky night; α is shared between the two. What the questions of a night have in common, a shock X of
 * variance τ², multiplies the expected product by at most E exp(−nλX) = exp(n²λ²τ²/2) for normal X, by which
 * the bets are divided. Both variances are known from the nights before (`createNightVariance`).
 */
export function createDropTest({ maxDrop, confidence }: DropTestOptions): DropTest {
  assertOptions(maxDrop, confidence);
  const alpha = levelOf(confidence);
  const luckQuantile = normalQuantile(1 - luckShare * alpha, 0, 1);
  const variance = createNightVariance();
  let logWealth = stakes.map(() => Number.NEGATIVE_INFINITY);
  let night = 0;

  /** From the nights before; the first has only itself. */
  function varianceFor(differences: readonly number[]): NightVariance {
    const before = variance.known();
    variance.add(differences);
    return before ?? variance.known() ?? { own: 0, common: 0 };
  }

  function betsOf(differences: readonly number[]): {
    readonly margin: number;
    readonly bets: readonly number[];
  } {
    const { own, common } = varianceFor(differences);
    const margin = maxDrop + luckQuantile * Math.sqrt(own + common);
    return { margin, bets: dampedBets(differences, margin, common) };
  }

  return {
    threshold: withoutNoise(1 / ((1 - luckShare) * alpha)),
    add(differences) {
      night += 1;
      const { margin, bets } = differences ? betsOf(differences) : { margin: null, bets: [] };
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

/** The bets, less what a shock that is common to all questions could have made of them. */
function dampedBets(
  differences: readonly number[],
  margin: number,
  common: number,
): readonly number[] {
  return logBets(differences, margin).map((log, index) => {
    const bet = (numberAt(stakes, index) * differences.length) / (1 + margin);
    return log - (bet ** 2 * common) / 2;
  });
}

function logMeanExp(logs: readonly number[]): number {
  const total = logs.reduce((sum, value) => logAdd(sum, value), Number.NEGATIVE_INFINITY);
  return total - Math.log(logs.length);
}

function logAdd(a: number, b: number): number {
  const [low, high] = a < b ? [a, b] : [b, a];
  return low === Number.NEGATIVE_INFINITY ? high : high + Math.log1p(Math.exp(low - high));
}
