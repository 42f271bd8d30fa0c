import { questionsForGuarantee, type GaffkeOptions } from './gaffke.ts';

/**
 * What it takes to show that a mean did not move by more than a margin. `usual`: bounds that hold for the differences
 * met in practice, and not where rare questions lose everything. `guaranteed`: a bound that holds for every
 * distribution of differences within [−1, 1].
 */
export const strengths = ['usual', 'guaranteed'] as const;
export type Strength = (typeof strengths)[number];

/** Below it the usual bounds are too often wrong, by `bench/gate-error-rates.ts`. */
const fewestUsual = 50;

/**
 * How many questions a strength needs before anything can be shown. `usual`: 50, or what `guaranteed` needs where that
 * is fewer, since so many questions would show the loss that the margin forbids. Of a measure without bounds a margin is
 * no share of anything, so that it is 50. `null`: no number is enough without
 * gains.
 */
export function questionsNeeded(
  strength: Strength,
  { isBounded, ...options }: GaffkeOptions & { readonly isBounded: boolean },
): number | null {
  const guaranteed = isBounded ? questionsForGuarantee(options) : null;
  return strength === 'guaranteed' ? guaranteed : Math.min(fewestUsual, guaranteed ?? fewestUsual);
}
