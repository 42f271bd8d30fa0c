/** The ends of an interval. */
export interface Ends {
  readonly low: number;
  readonly high: number;
}

/** The narrowest interval that holds both. */
export function envelope(one: Ends, other: Ends): Ends {
  return { low: Math.min(one.low, other.low), high: Math.max(one.high, other.high) };
}
