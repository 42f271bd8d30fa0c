/** The smallest normal double: what a p too small for a number is reported as, since no p is 0. */
export const smallestP = 2 ** -1022;

/** The two-sided p of a symmetric distribution, from the probability of its smaller tail. In (0, 1]. */
export function twoSidedP(tail: number): number {
  return Math.min(1, Math.max(2 * tail, smallestP));
}
