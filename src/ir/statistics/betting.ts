import { relativeTolerance } from './differences.ts';

/** How much of what can be lost at most is staked on each difference. */
export const stakes: readonly number[] = Array.from(
  { length: 16 },
  (_, step) => 0.99 * 2 ** (-step / 2),
);

/**
 * What bets against "the mean of these differences is −margin or more" have made of 1, as logarithms, one
 * for each stake: Π (1 − λ (d + margin)) with λ = stake / (1 + margin). Of independent differences within
 * [−1, 1] whose expected mean is −margin or more each has an expectation of at most 1, though the questions
 * have no common distribution: Π (1 − λ (μ + margin)) ≤ (1 − λ (mean μ + margin))ⁿ, the geometric mean being
 * at most the arithmetic one (as Hoeffding, JASA 58, 1963, for bounds; Waudby-Smith and Ramdas, Estimating
 * Means of Bounded Random Variables by Betting, JRSS B 86, 2024, for bets). RangeError beyond [−1, 1].
 */
export function logBets(differences: readonly number[], margin: number): readonly number[] {
  const largest = 1 + relativeTolerance;
  const wrong = differences.find((difference) => !(Math.abs(difference) <= largest));
  if (wrong !== undefined) throw new RangeError(`a bet needs differences within ±1, not ${wrong}`);
  return stakes.map((stake) => {
    const bet = stake / (1 + margin);
    return differences.reduce((sum, value) => sum + Math.log1p(-bet * (value + margin)), 0);
  });
}
