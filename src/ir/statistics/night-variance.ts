import betainc from '@stdlib/math-base-special-betainc';
import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';

import { createMean } from '../stable-sum.ts';
import { mean } from './mean.ts';
import { numberAt } from './number-at.ts';

/** How far the mean of a night may be off by chance, as variances. */
export interface NightVariance {
  /** Of questions that change each for itself. */
  readonly own: number;
  /** Of what all questions of a night have in common, bounded from above; 0 where nights vary no more than `own` says. */
  readonly common: number;
}

export interface NightVarianceEstimate {
  /** From the nights that were added; `null` before the first. */
  readonly known: () => NightVariance | null;
  /** Takes a night's differences to the baseline. */
  readonly add: (differences: readonly number[]) => void;
}

/** The chance that the bound of `common` is too low. */
const risk = 0.2;

/** Of the steps from night to night the largest tenth, and at least one, may be real changes. */
const realChanges = 0.1;

/**
 * Two estimates of the variance of a night's mean. From the questions: mean of Σd² / (2n²), as d is the difference
 * of two nights. From the nights: half the square of each step from one night's mean to the next, of which
 * the largest tenth is left out, since a real drop makes one large step and must not count as noise. The
 * k-th smallest of m such squares lies below the Beta(k, m − k + 1) quantile of a χ² with one degree of freedom
 * with the stated risk (order statistics: David and Nagaraja, 2003), which turns it into an upper bound of the
 * variance of normal nights. What it exceeds the first by is common to the questions of a night.
 */
export function createNightVariance(): NightVarianceEstimate {
  const own = createMean();
  const steps: number[] = [];
  let before = 0;
  return {
    known() {
      if (own.mean === undefined) return null;
      return { own: own.mean, common: Math.max(0, boundVariance(steps) - own.mean) };
    },
    add(differences) {
      const average = mean(differences) ?? before;
      own.add(varianceOfMean(differences));
      steps.push((average - before) ** 2 / 2);
      before = average;
    },
  };
}

/** Of the mean of one of two nights of the same search: each question's variance is estimated by d² / 2. */
function varianceOfMean(differences: readonly number[]): number {
  if (differences.length === 0) return 0;
  const squares = differences.reduce((sum, difference) => sum + difference ** 2, 0);
  return squares / (2 * differences.length ** 2);
}

function boundVariance(steps: readonly number[]): number {
  const leftOut = Math.max(1, Math.ceil(realChanges * steps.length));
  const rank = Math.max(1, steps.length - leftOut);
  const share = betaQuantile(risk, rank, steps.length - rank + 1);
  const expected = normalQuantile((1 + share) / 2, 0, 1) ** 2;
  return (
    numberAt(
      steps.toSorted((a, b) => a - b),
      rank - 1,
    ) / expected
  );
}

/** By halving: the distribution function rises. */
function betaQuantile(probability: number, a: number, b: number): number {
  let [low, high] = [0, 1];
  for (let halving = 0; halving < 50; halving += 1) {
    const middle = (low + high) / 2;
    if (betainc(middle, a, b) < probability) low = middle;
    else high = middle;
  }
  return high;
}
