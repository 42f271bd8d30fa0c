import { createMean } from '../stable-sum.ts';

/** The arithmetic mean, `null` for no values. */
export function mean(values: readonly number[]): number | null {
  const running = createMean();
  for (const value of values) running.add(value);
  return running.mean ?? null;
}
