import { numberAt } from './number-at.ts';

/**
 * Holm's step-down adjustment (Scandinavian Journal of Statistics 1979), in the order given: an
 * adjusted p at or below α may be called a finding with at most α of risk over the whole family.
 */
export function adjustHolm(pValues: readonly number[]): readonly number[] {
  const order = [...pValues.keys()].toSorted((a, b) => numberAt(pValues, a) - numberAt(pValues, b));
  const adjusted = [...pValues];
  let highest = 0;
  for (const [step, index] of order.entries()) {
    highest = Math.max(highest, Math.min(1, (pValues.length - step) * numberAt(pValues, index)));
    adjusted[index] = highest;
  }
  return adjusted;
}
