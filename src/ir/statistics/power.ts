import tQuantile from '@stdlib/stats-base-dists-t-quantile';

import { noncentralTCdf } from './noncentral-t.ts';

/** `one-sided` looks for an improvement only; `two-sided` for a difference in either direction. */
type Alternative = 'two-sided' | 'one-sided';

interface TestDesign {
  /** The test's level: its risk of a finding where there is no difference. */
  readonly alpha: number;
  readonly alternative: Alternative;
}

/** Most questions that `neededQuestions` reckons with. */
const maxQuestions = 1e9;

/**
 * The probability that a paired t-test over n questions finds an effect of dz (Cohen 1988), from the
 * noncentral t distribution with noncentrality dz √n. RangeError unless n ≥ 2 and 0 < alpha < 1.
 */
export function power({
  n,
  dz,
  ...design
}: TestDesign & { readonly n: number; readonly dz: number }): number {
  assertQuestions(n);
  assertProbability('alpha', design.alpha);
  return powerAt(n, dz, design);
}

/** The smallest dz ≥ 0 that a paired t-test over n questions finds with the given power. */
export function minimumDetectableEffect(
  design: TestDesign & { readonly n: number; readonly power: number },
): number {
  const { n, power: target } = design;
  assertQuestions(n);
  assertProbability('alpha', design.alpha);
  assertProbability('power', target);
  // Without any effect the power is alpha.
  if (target <= design.alpha) return 0;
  let low = 0;
  let high = 1;
  while (powerAt(n, high, design) < target) [low, high] = [high, 2 * high];
  while (high - low > 1e-12 * high) {
    const middle = (low + high) / 2;
    if (powerAt(n, middle, design) < target) low = middle;
    else high = middle;
  }
  return high;
}

/** The fewest questions with which a paired t-test finds dz with the given power; `null` where no number up to a billion is enough. */
export function neededQuestions(
  design: TestDesign & { readonly dz: number; readonly power: number },
): number | null {
  const { dz, power: target } = design;
  assertProbability('alpha', design.alpha);
  assertProbability('power', target);
  const effect = design.alternative === 'two-sided' ? Math.abs(dz) : dz;
  if (!(effect > 0)) return null;
  let tooFew = 1;
  let enough = 2;
  while (powerAt(enough, effect, design) < target) {
    if (enough >= maxQuestions) return null;
    [tooFew, enough] = [enough, Math.min(2 * enough, maxQuestions)];
  }
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (powerAt(middle, effect, design) < target) tooFew = middle;
    else enough = middle;
  }
  return enough;
}

function powerAt(n: number, dz: number, { alpha, alternative }: TestDesign): number {
  const noncentrality = dz * Math.sqrt(n);
  if (alternative === 'one-sided') {
    const critical = tQuantile(1 - alpha, n - 1);
    return 1 - noncentralTCdf(critical, n - 1, noncentrality);
  }
  const critical = tQuantile(1 - alpha / 2, n - 1);
  const above = 1 - noncentralTCdf(critical, n - 1, noncentrality);
  return above + noncentralTCdf(-critical, n - 1, noncentrality);
}

function assertQuestions(n: number): void {
  if (!(n >= 2)) throw new RangeError(`a t-test requires at least two questions, not ${n}`);
}

function assertProbability(name: string, value: number): void {
  if (!(value > 0 && value < 1)) {
    throw new RangeError(`${name} must lie between 0 and 1, not ${value}`);
  }
}
